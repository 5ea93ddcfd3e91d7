// Pairing with a hub: a code registers a runner and the devices of its user, once.
import { z } from 'zod';
import { bearerIssued, device, devicePublicKey } from '../api/devices.ts';
import { runnerId } from '../ids.ts';

export const hubId = z.string().regex(/^[a-z0-9]{16}$/, 'expected 16 of a-z and 0-9');
export type HubId = z.infer<typeof hubId>;

export const hubIdentity = z.object({ id: hubId, name: z.string(), publicKey: devicePublicKey });
export type HubIdentity = z.infer<typeof hubIdentity>;

const signature = z.string().regex(/^[\w-]{86}$/, 'expected 64 bytes as base64url');
const name = z.string().trim().min(1).max(64);
/** It becomes part of paths and of signed texts. */
const plainRunnerId = runnerId.refine((id) => /^[\w.-]{1,64}$/.test(id), 'expected 1 to 64 of letters, digits, ".", "_" and "-"');

/** `POST /join`: each key signs the code with the other public keys, so that nobody can exchange one of them. */
export const joinBody = z.strictObject({
	code: z.string().min(1).max(200),
	runner: z.strictObject({ id: plainRunnerId, name, publicKey: devicePublicKey, signature }),
	/** The command line on that machine. */
	device: z.strictObject({ name, publicKey: devicePublicKey, signature }),
});
export type JoinBody = z.infer<typeof joinBody>;

export const joined = z.object({
	hub: hubIdentity,
	/** Signed with the key of the hub: this hub has paired exactly these keys. */
	signature,
	user: z.string(),
	device,
	login: bearerIssued,
});
export type Joined = z.infer<typeof joined>;

/** The path of a pairing link. The code and the key that the hub has to prove are in the fragment, which browsers do not send. */
export function joinPath(code: string, hubKey: string): string {
	return `/join#code=${code}&key=${hubKey}`;
}
