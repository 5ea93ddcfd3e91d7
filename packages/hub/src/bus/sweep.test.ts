import { createManualTimers } from '@roost/testkit/rigs/manual-timers';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { createSweep } from './sweep.ts';

describe('a sweep', () => {
	it('starts again after a pause when the one before has ended, also if that failed', async () => {
		const timers = createManualTimers();
		const ends: PromiseWithResolvers<void>[] = [];
		const sweep = createSweep({
			sweepMs: 10,
			timers,
			work() {
				const end = Promise.withResolvers<void>();
				ends.push(end);
				return end.promise;
			},
		});
		expect(ends).toHaveLength(0);
		timers.advance(100);
		expect(ends).toHaveLength(1);
		ends[0]?.reject(new TypeError('No.'));
		await waitFor(() => timers.waiting() === 1 || undefined, { what: 'the pause' });
		timers.advance(10);
		expect(ends).toHaveLength(2);
		sweep[Symbol.dispose]();
		ends[1]?.resolve();
		await ends[1]?.promise;
		timers.advance(100);
		expect([ends.length, timers.waiting()]).toEqual([2, 0]);
	});
});
