// How long each side waits for the answer to an ask: Roost first, then the hook program, then the agent, so that Roost is the one to answer.

/** Unless the configuration says otherwise. */
export const DEFAULT_ASK_MS = 30 * 60_000;
/** The most that can be configured: every timer and every agent can still wait longer. */
export const LONGEST_ASK_MS = 7 * 24 * 60 * 60_000;
/** The deadline of launches that do not state theirs: an older Roost started them. */
export const UNSTATED_ASK_MS = 300_000;

/** For the program that a hook runs. */
export function toProgramMs(askMs: number): number {
	return askMs + 20_000;
}

/** For the agent that runs the hook. */
export function toHookSeconds(askMs: number): number {
	return Math.ceil(askMs / 1000) + 30;
}
