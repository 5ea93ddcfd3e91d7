import { describe, expect, it } from 'vitest';
import { createStoryTime } from './story-agent.ts';

const HOUR = 3_600_000;

describe('story time', () => {
	it('plays the past at once, with the original times', async () => {
		const { signal } = new AbortController();
		const time = createStoryTime({ speed: 1, beganAgoMs: 3 * HOUR, signal, now: () => 10 * HOUR });
		expect(time.now()).toBe(7 * HOUR);
		await time.pause(2 * HOUR);
		expect(time.now()).toBe(9 * HOUR);
		expect(time.isPast()).toBe(true);
		await time.pause(HOUR);
		expect(time.isPast()).toBe(false);
		expect(time.now()).toBe(10 * HOUR);
	});

	it('runs at the given speed', async () => {
		const { signal } = new AbortController();
		const time = createStoryTime({ speed: HOUR, beganAgoMs: 0, signal, now: () => 0 });
		await time.pause(HOUR);
	});

	it('skips the rest of the past when it arrives in the present', async () => {
		const { signal } = new AbortController();
		const time = createStoryTime({ speed: 1, beganAgoMs: 3 * HOUR, signal, now: () => 10 * HOUR });
		await time.pause(HOUR);
		time.arrive();
		expect([time.isPast(), time.now()]).toEqual([false, 10 * HOUR]);
	});

	it('rejects every pause once the demo is aborted', async () => {
		const over = new AbortController();
		const time = createStoryTime({ speed: 1, beganAgoMs: HOUR, signal: over.signal, now: () => 0 });
		const waiting = time.pause(2 * HOUR);
		over.abort();
		await expect(waiting).rejects.toThrow(/abort/i);
		await expect(time.pause(0)).rejects.toThrow(/abort/i);
	});
});
