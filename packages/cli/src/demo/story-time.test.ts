import { describe, expect, it } from 'vitest';
import { createStoryTime } from './story-agent.ts';

const HOUR = 3_600_000;

describe('the time of a story', () => {
	it('tells what happened before the curtain went up at once, each moment with the time it had', async () => {
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

	it('passes as fast as it is told to', async () => {
		const { signal } = new AbortController();
		const time = createStoryTime({ speed: HOUR, beganAgoMs: 0, signal, now: () => 0 });
		await time.pause(HOUR);
	});

	it('ends with the show, whatever it waits for', async () => {
		const over = new AbortController();
		const time = createStoryTime({ speed: 1, beganAgoMs: HOUR, signal: over.signal, now: () => 0 });
		const waiting = time.pause(2 * HOUR);
		over.abort();
		await expect(waiting).rejects.toThrow(/abort/i);
		await expect(time.pause(0)).rejects.toThrow(/abort/i);
	});
});
