// The key of a hub, and the secret that its nodes share: made by the first node, kept in the database.
import { randomBytes } from 'node:crypto';
import { parseJson } from '@roost/core/display/parse-json';
import { toDeviceId } from '@roost/gateway/access/verify-signature';
import { createSigningKey, type SigningKey, signText } from '@roost/machine/signing-key';
import { AppError } from '@roost/protocol/app-error';
import { type HubId, type HubIdentity, hubId } from '@roost/protocol/hub/pairing';
import { err, ok, type Result } from '@roost/protocol/result';
import { z } from 'zod';
import type { HubStore } from '../store/hub-store.ts';

export type HubOwnKey = {
	readonly id: HubId;
	sign(text: string): string;
	readonly identity: HubIdentity;
	/** Of all nodes of the hub. */
	readonly secret: string;
};

const signingKey = z.object({ publicKey: z.string(), privateKey: z.string() }) satisfies z.ZodType<SigningKey>;

export async function openIdentity(store: Pick<HubStore, 'keep'>, name: string): Promise<Result<HubOwnKey>> {
	const stored = await store.keep('key', JSON.stringify(createSigningKey()));
	if (!stored.ok) return stored;
	const secret = await store.keep('secret', randomBytes(32).toString('base64url'));
	if (!secret.ok) return secret;
	const key = signingKey.safeParse(parseJson(stored.value));
	if (!key.success) return err(new AppError('corrupt', 'The key of the hub in its database is damaged. Restore a backup.'));
	// Derived from the key, so that no other hub can have it.
	const id = hubId.parse(toDeviceId(key.data.publicKey));
	const identity = { id, name, publicKey: key.data.publicKey };
	return ok({ id, identity, secret: secret.value, sign: (text) => signText(key.data, text) });
}
