import { type SessionId, sessionId } from '@roost/protocol/ids';
import { createManualTimers } from '@roost/testkit/rigs/manual-timers';
import { describe, expect, it } from 'vitest';
import { type ChangedSessionsDeps, createChangedSessions, ROW_INTERVAL_MS } from './changed-sessions.ts';

const [A, B] = [sessionId.parse('a'), sessionId.parse('b')];

function createRig(answer: () => ReturnType<ChangedSessionsDeps['report']> = () => true) {
	const timers = createManualTimers();
	const reports: { at: number; ids: readonly SessionId[] }[] = [];
	const changed = createChangedSessions({
		report(ids) {
			reports.push({ at: timers.now(), ids });
			return answer();
		},
		after: timers.after,
	});
	return { timers, reports, changed };
}

describe('changed sessions', () => {
	it('are reported at once, and later changes together after the interval', () => {
		const { timers, reports, changed } = createRig();
		changed.note([A]);
		for (let event = 0; event < 1_000; event++) changed.note([B, A]);
		timers.advance(ROW_INTERVAL_MS - 1);
		expect(reports).toEqual([{ at: 0, ids: [A] }]);
		timers.advance(1);
		expect(reports).toEqual([
			{ at: 0, ids: [A] },
			{ at: ROW_INTERVAL_MS, ids: [B, A] },
		]);
	});

	it('need no timer while nothing changes, and are reported at once after a quiet interval', () => {
		const { timers, reports, changed } = createRig();
		changed.note([A]);
		timers.advance(ROW_INTERVAL_MS);
		expect(timers.waiting()).toBe(0);
		changed.note([]);
		changed.note([A]);
		expect(reports.map(({ at }) => at)).toEqual([0, ROW_INTERVAL_MS]);
	});

	it('are reported again after the interval if that failed', () => {
		let works = false;
		const { timers, reports, changed } = createRig(() => works);
		changed.note([A]);
		works = true;
		timers.advance(ROW_INTERVAL_MS);
		timers.advance(ROW_INTERVAL_MS);
		expect(reports.map(({ ids }) => ids)).toEqual([[A], [A]]);
	});

	it('wait for a report that takes longer than the interval', async () => {
		const { promise, resolve } = Promise.withResolvers<boolean>();
		const { timers, reports, changed } = createRig(() => promise);
		changed.note([A]);
		changed.note([A]);
		timers.advance(10 * ROW_INTERVAL_MS);
		expect(reports).toHaveLength(1);
		resolve(true);
		await promise;
		timers.advance(ROW_INTERVAL_MS);
		expect(reports).toHaveLength(2);
	});

	it('are not reported after disposal', () => {
		const { timers, reports, changed } = createRig();
		changed.note([A]);
		changed.note([B]);
		changed[Symbol.dispose]();
		timers.advance(ROW_INTERVAL_MS);
		expect(reports).toHaveLength(1);
	});
});
