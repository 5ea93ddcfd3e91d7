// Codes that pair a runner or a browser with a user, once, within minutes. Only their hashes are stored.
import { createHash, randomBytes } from 'node:crypto';
import type { Principal } from '@roost/protocol/ask';
import { joinPath } from '@roost/protocol/hub/pairing';
import type { Grant } from '@roost/protocol/hub/people';
import { ok, type Result } from '@roost/protocol/result';
import type { HubPeople, Pairing } from '../store/hub-store.ts';

export type PairingCodes = {
	issue(invited: { user: string; grants: readonly Grant[]; by: Principal }): Promise<Result<IssuedCode>>;
	/** Adds its grants; undefined for an unknown, used or expired code. */
	redeem(code: string): Promise<Result<Pairing | undefined>>;
};

export type IssuedCode = { code: string; path: string; expiresAt: number; user: string };

const LIFE_MS = 10 * 60_000;
const CODE_BYTES = 16;

export function createPairingCodes(deps: {
	store: Pick<HubPeople, 'addPairing' | 'redeem'>;
	hubKey: string;
	now: () => number;
}): PairingCodes {
	const { store, hubKey, now } = deps;
	return {
		async issue({ user, grants, by }) {
			const code = randomBytes(CODE_BYTES).toString('base64url');
			const expiresAt = now() + LIFE_MS;
			const added = await store.addPairing({ codeHash: toHash(code), user, grants, by, expiresAt });
			return added.ok ? ok({ code, path: joinPath(code, hubKey), expiresAt, user }) : added;
		},
		redeem: (code) => store.redeem(toHash(code), now()),
	};
}

function toHash(code: string): string {
	return createHash('sha256').update(code).digest('hex');
}
