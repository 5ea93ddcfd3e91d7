// Timeouts for the answer to an ask: Roost's first, then the hook program's, then the agent's, so that Roost answers.

export const DEFAULT_ASK_MS = 30 * 60_000;
/** The configurable maximum, below the limits of timers and agents. */
export const LONGEST_ASK_MS = 7 * 24 * 60 * 60_000;
/** For launches by older versions of Roost, which state no deadline. */
export const UNSTATED_ASK_MS = 300_000;

/** Timeout of the program that a hook runs. */
export function toProgramMs(askMs: number): number {
	return askMs + 20_000;
}

/** Timeout of the hook in the agent. */
export function toHookSeconds(askMs: number): number {
	return Math.ceil(askMs / 1000) + 30;
}
