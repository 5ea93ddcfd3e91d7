// The signature of a command, as the facts that it caused keep it.
import { z } from 'zod';
import { deviceId } from '../ids.ts';

export const hash = z.string().regex(/^[0-9a-f]{64}$/, 'expected a SHA-256 as hex');
export const signature = z.string().regex(/^[\w-]{86}$/, 'expected 64 bytes as base64url');

/** The SHA-256 of each part of an input, as hex: the record can keep all of them, and no secret. */
export const inputHashes = z.record(z.string(), hash);
export type InputHashes = z.infer<typeof inputHashes>;

/** With the id of the runner, enough to verify the signature years later. */
export const commandProof = z.object({
	command_id: z.string(),
	operation: z.string(),
	input_hashes: inputHashes,
	device_id: deviceId,
	/** Base64url of 32 bytes. */
	public_key: z.string(),
	issued_at: z.number(),
	expires_at: z.number(),
	signature,
});
export type CommandProof = z.infer<typeof commandProof>;
