// Runners as a hub lists them; a runner lists itself.
import { z } from 'zod';
import { devicePublicKey } from '../api/devices.ts';
import { runnerId } from '../ids.ts';
import { accepts } from './accepts.ts';

export const runnerRow = z.object({
	id: runnerId,
	name: z.string(),
	version: z.string(),
	/** Whether commands reach it now. */
	online: z.boolean(),
	/** When it came or was last seen. */
	since: z.number(),
	/** The user who paired it; absent on a runner itself. */
	owner: z.string().optional(),
	/** Its key, as the hub says; absent on a runner itself. */
	publicKey: devicePublicKey.optional(),
	/** What it lets the hub do, as it last said. */
	accepts: accepts.optional(),
	/** Number of pending requests. */
	asks: z.number(),
	/** Number of sessions at work. */
	working: z.number(),
	/** Of the last event in the sessions at work and the newest one. */
	activeAt: z.number().optional(),
});
export type RunnerRow = z.infer<typeof runnerRow>;

/** A command on its way to a runner. */
export const commandRow = z.object({
	id: z.string(),
	runner: runnerId,
	operation: z.string(),
	by: z.string(),
	state: z.enum(['open', 'done', 'expired', 'cancelled']),
	createdAt: z.number(),
	expiresAt: z.number(),
	/** Why it was not done. */
	problem: z.string().optional(),
});
export type CommandRow = z.infer<typeof commandRow>;

/** The reply 202 to a command of a runner that is away: it is delivered when the runner is back, until it expires. */
export const queuedCommand = z.object({ queued: z.literal(true), commandId: z.string(), expiresAt: z.number() });
export type QueuedCommand = z.infer<typeof queuedCommand>;
