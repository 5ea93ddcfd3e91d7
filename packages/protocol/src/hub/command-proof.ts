// The signature of a command, as the facts that it caused keep it.
import { z } from 'zod';

export const hash = z.string().regex(/^[0-9a-f]{64}$/, 'expected a SHA-256 as hex');
export const signature = z.string().regex(/^[\w-]{86}$/, 'expected 64 bytes as base64url');

/** The SHA-256 of each part of an input, as hex: the record can keep all of them, and no secret. */
export type InputHashes = Readonly<Record<string, string>>;

/** With the id of the runner, enough to verify the signature years later. Any text is read; "roost verify" says what is wrong with it. */
export const commandProof = z.object({
	command_id: z.string(),
	operation: z.string(),
	input_hashes: z.record(z.string(), z.string()),
	device_id: z.string(),
	/** Base64url of 32 bytes. */
	public_key: z.string(),
	issued_at: z.number(),
	expires_at: z.number(),
	signature: z.string(),
});
export type CommandProof = z.infer<typeof commandProof>;
