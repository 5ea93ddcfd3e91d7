// A command that a device signs: the runner verifies it by its own keyring, so a hub can pass it on and cannot make one.
import { z } from 'zod';
import { commandId } from '../api/driving.ts';
import { deviceId, type RunnerId } from '../ids.ts';
import { type InputHashes, signature } from './command-proof.ts';

/** Travels beside the command. The command itself is not repeated in it: the runner signs over what it would execute. */
export const commandSeal = z.strictObject({
	/** Of the command; a repeat returns the first result. */
	id: commandId,
	device: deviceId,
	/** Unix milliseconds, by the clock of the device. */
	issuedAt: z.number(),
	/** The runner refuses it later, by its own clock. */
	expiresAt: z.number(),
	signature,
});
export type CommandSeal = z.infer<typeof commandSeal>;

/** The header of a request that has one: the seal as base64url of its JSON. */
export const SEAL_HEADER = 'x-roost-seal';

/** What a signature covers: no part can be changed, moved to another runner, or repeated. */
export type SignedCommand = Omit<CommandSeal, 'signature' | 'device'> & {
	device: string;
	runner: RunnerId;
	/** `<resource>.<operation>` */
	operation: string;
	input: InputHashes;
};

/** The longest time between signing and delivery. */
export const LONGEST_SEAL_MS = 7 * 24 * 60 * 60 * 1_000;

/** How far the clock of a device may be ahead of the runner's. */
export const MOST_AHEAD_MS = 24 * 60 * 60 * 1_000;
