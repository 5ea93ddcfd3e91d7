import type { Timers } from '@roost/machine/timers';
import { HIGH_WATERMARK, LOW_WATERMARK } from '@roost/protocol/api/terminals';
import { createManualTimers } from '@roost/testkit/rigs/manual-timers';
import { describe, expect, it } from 'vitest';
import { createFlow } from './viewer.ts';

function open(...inFlight: number[]) {
	return openWith(createManualTimers(), ...inFlight);
}

function openWith<T extends Timers>(timers: T, ...inFlight: number[]) {
	const lines: string[] = [];
	const viewers = inFlight.map((bytes) => ({ bytes, confirmed: 0, behind: false }));
	let backlog = 0;
	const flow = createFlow({
		process: { pause: () => lines.push('pause'), resume: () => lines.push('resume') },
		timers,
		backlog: () => backlog,
		followers: () => followersOf.filter(({ viewer }) => !viewer.behind).map(({ follower }) => follower),
	});
	const followersOf = viewers.map((viewer) => ({
		viewer,
		follower: {
			inFlight: () => viewer.bytes,
			confirmed: () => viewer.confirmed,
			fallBehind: () => {
				viewer.behind = true;
			},
		},
	}));
	return {
		flow,
		timers,
		texts: lines,
		viewers,
		setBacklog: (bytes: number) => {
			backlog = bytes;
			flow.check();
		},
	};
}

describe('program with viewers', () => {
	it('is paused while its only viewer lags, and resumed later', () => {
		const { flow, texts: lines, viewers } = open(HIGH_WATERMARK - 1);
		const [viewer] = viewers;
		flow.check();
		expect(lines).toEqual([]);
		if (viewer) viewer.bytes = HIGH_WATERMARK;
		flow.check();
		if (viewer) viewer.bytes = LOW_WATERMARK;
		flow.check();
		expect(lines).toEqual(['pause']);
		if (viewer) viewer.bytes = LOW_WATERMARK - 1;
		flow.check();
		expect(lines).toEqual(['pause', 'resume']);
	});

	it('is not paused while one of several viewers keeps up', () => {
		const { flow, texts: lines } = open(10 * HIGH_WATERMARK, 0);
		flow.check();
		expect(lines).toEqual([]);
	});

	it('ignores a viewer that confirms nothing, but waits for a slow one', () => {
		const { flow, texts: lines, timers, viewers } = open(HIGH_WATERMARK, HIGH_WATERMARK);
		const [slow, stuck] = viewers;
		flow.check();
		if (slow) slow.confirmed = 1;
		timers.advance(3_000);
		expect([slow?.behind, stuck?.behind, lines]).toEqual([false, true, ['pause']]);
		timers.advance(3_000);
		expect([slow?.behind, lines]).toEqual([true, ['pause', 'resume']]);
	});

	it('waits for a viewer if the runner itself was suspended', () => {
		let fire = () => {};
		const timers = {
			after(_ms: number, run: () => void) {
				fire = run;
				return () => {};
			},
		};
		const { flow, viewers } = openWith(timers, HIGH_WATERMARK);
		const [viewer] = viewers;
		flow.check();
		// However late it is, the timer runs first.
		fire();
		expect(viewer?.behind).toBe(false);
		if (viewer) viewer.confirmed = 1;
		for (let step = 0; step < 5; step++) fire();
		expect(viewer?.behind).toBe(false);
		for (let step = 0; step < 6; step++) fire();
		expect(viewer?.behind).toBe(true);
	});

	it('waits for its screen, and while a snapshot is taken', () => {
		const { flow, texts: lines, setBacklog } = open();
		setBacklog(8 * 1024 * 1024);
		setBacklog(3 * 1024 * 1024);
		expect(lines).toEqual(['pause']);
		const release = flow.hold();
		setBacklog(0);
		expect(lines).toEqual(['pause']);
		release();
		release();
		expect(lines).toEqual(['pause', 'resume']);
	});
});
