// The time of a story: it passes faster or slower than ours, and its first part may have passed already.
import { setTimeout as wait } from 'node:timers/promises';

export type StoryTime = {
	/** Rejects when the show is over: whatever would come next does not. */
	pause(ms: number): Promise<void>;
	/** What the clock shows where the story is. */
	now(): number;
	/** Whether what is told now happened before the curtain went up. */
	isPast(): boolean;
};

export type StoryTimeDeps = {
	/** 2 plays twice as fast. */
	speed: number;
	/** The story began so long ago: that part is told at once, with the times it had. */
	beganAgoMs: number;
	signal: AbortSignal;
	now: () => number;
};

export function createStoryTime({ speed, beganAgoMs, signal, now }: StoryTimeDeps): StoryTime {
	let behind = beganAgoMs;
	return {
		async pause(ms) {
			signal.throwIfAborted();
			const past = Math.min(behind, ms);
			behind -= past;
			if (ms > past) await wait((ms - past) / speed, undefined, { signal });
		},
		now: () => now() - behind,
		isPast: () => behind > 0,
	};
}
