import { createManualTimers } from '@roost/testkit/rigs/manual-timers';
import { describe, expect, it } from 'vitest';
import { createFrames } from '../app.ts';

function drawOn(clock = createManualTimers()) {
	const drawn: number[] = [];
	const frames = createFrames(() => drawn.push(clock.now()), clock);
	return { clock, drawn, frames };
}

describe('frames', () => {
	it('are drawn immediately after a quiet period', () => {
		const { clock, drawn, frames } = drawOn();
		clock.advance(500);
		frames.request();
		clock.advance(0);
		expect(drawn).toEqual([500]);
	});

	it('are limited to about thirty per second and include the last change', () => {
		const { clock, drawn, frames } = drawOn();
		for (let ms = 0; ms < 1_000; ms += 1) {
			frames.request();
			clock.advance(1);
		}
		expect(drawn.length).toBeGreaterThanOrEqual(29);
		expect(drawn.length).toBeLessThanOrEqual(31);
		frames.request();
		clock.advance(34);
		expect(drawn.at(-1)).toBeGreaterThanOrEqual(1_000);
	});

	it('are not drawn while nothing happens', () => {
		const { clock, drawn, frames } = drawOn();
		frames.request();
		clock.advance(60_000);
		expect(drawn).toHaveLength(1);
		expect(clock.waiting()).toBe(0);
	});

	it('are not drawn after disposal', () => {
		const { clock, drawn, frames } = drawOn();
		frames.request();
		frames[Symbol.dispose]();
		clock.advance(1_000);
		expect(drawn).toEqual([]);
	});
});
