import { createManualTimers } from '@roost/testkit/rigs/manual-timers';
import { describe, expect, it } from 'vitest';
import { createIdleEnd, IDLE_MS } from './idle-end.ts';

describe('idle runner', () => {
	it('exits after ten minutes, once', () => {
		const rig = createRig();
		rig.timers.advance(10 * 60_000 - 1);
		expect(rig.ends()).toBe(0);
		rig.timers.advance(1);
		expect(rig.ends()).toBe(1);
		rig.end.touch();
		rig.timers.advance(IDLE_MS * 3);
		expect(rig.ends()).toBe(1);
		expect(rig.timers.waiting()).toBe(0);
	});

	it('restarts the timeout on activity', () => {
		const rig = createRig();
		rig.timers.advance(IDLE_MS - 1);
		rig.end.touch();
		rig.timers.advance(IDLE_MS - 1);
		expect(rig.ends()).toBe(0);
		rig.timers.advance(1);
		expect(rig.ends()).toBe(1);
	});

	it('never exits while an agent or a client is connected, even if it is silent', () => {
		const rig = createRig();
		rig.setIdle(false);
		rig.timers.advance(IDLE_MS * 100);
		expect(rig.ends()).toBe(0);
		rig.setIdle(true);
		rig.end.touch();
		rig.timers.advance(IDLE_MS);
		expect(rig.ends()).toBe(1);
	});

	it('exits even if the last disconnect was not reported', () => {
		const rig = createRig();
		rig.setIdle(false);
		rig.timers.advance(IDLE_MS * 1.5);
		rig.setIdle(true);
		rig.timers.advance(IDLE_MS / 2);
		expect(rig.ends()).toBe(1);
	});

	it('has no pending timer when disposed', () => {
		const rig = createRig();
		rig.end[Symbol.dispose]();
		rig.end.touch();
		expect(rig.timers.waiting()).toBe(0);
		rig.timers.advance(IDLE_MS * 2);
		expect(rig.ends()).toBe(0);
	});
});

function createRig() {
	const timers = createManualTimers();
	let [idle, ends] = [true, 0];
	const end = createIdleEnd({ isIdle: () => idle, idleMs: IDLE_MS, timers, onIdle: () => ends++ });
	return { timers, end, ends: () => ends, setIdle: (next: boolean) => (idle = next) };
}
