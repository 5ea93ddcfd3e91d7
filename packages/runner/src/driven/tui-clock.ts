// Time for whoever looks at a screen again and again, as a port, so that tests need not wait.

import { setTimeout as delay } from 'node:timers/promises';
import { steadyNow } from '@roost/machine/timers';

export type TuiClock = { now(): number; wait(ms: number): Promise<void> };

export const realTuiClock: TuiClock = { now: steadyNow, wait: async (ms) => await delay(ms) };

/** How often a screen is looked at, and how long for what. */
export type TuiLimits = {
	/** Never more often than this, whoever waits. */
	lookEveryMs: number;
	/** From its start until it takes a prompt. */
	startMs: number;
	/** Until it has done what it is at, so that it takes the next prompt. */
	turnMs: number;
	/** A dialog takes no keys in its first moments, and a screen may still be in the midst of being drawn. */
	calmMs: number;
	/** After so long without an effect a key was not taken; after the next one twice as long, and so on. */
	keyMs: number;
	/** How often one key is pressed for nothing before it is given up. */
	mostPresses: number;
	/** How often the same dialog may come back. */
	mostReturns: number;
	/** Keys for dialogs in all. */
	mostKeys: number;
};

export const TUI_LIMITS: TuiLimits = {
	lookEveryMs: 100,
	startMs: 60_000,
	turnMs: 30 * 60_000,
	calmMs: 400,
	keyMs: 3_000,
	mostPresses: 4,
	mostReturns: 3,
	mostKeys: 30,
};

/** Longer each time: a program that is only slow would take every key in the end, and the last ones for something else. */
export function msForKey({ keyMs }: TuiLimits, presses: number): number {
	return keyMs * 2 ** (presses - 1);
}
