import { createManualTimers } from '@roost/testkit/rigs/manual-timers';
import { describe, expect, it } from 'vitest';
import { createCommitPace } from './commit-pace.ts';
import { createInbox } from './inbox.ts';

describe('inbox', () => {
	it('handles all items in order, and batches those that arrive during a batch', async () => {
		const batches: number[][] = [];
		const handle = async (batch: number[]) => {
			batches.push(batch);
			await new Promise(setImmediate);
		};
		const inbox = createInbox<number>({ handle, failed: rethrow, pace: AT_ONCE });
		for (const n of [1, 2, 3]) inbox.post(n, 'awaited');
		await inbox.idle();
		inbox.post(4, 'awaited');
		await inbox.idle();
		expect(batches).toEqual([[1], [2, 3], [4]]);
	});

	it('never handles two batches at once', async () => {
		let running = 0;
		let most = 0;
		const handle = async () => {
			running += 1;
			most = Math.max(most, running);
			await new Promise(setImmediate);
			running -= 1;
		};
		const inbox = createInbox<number>({ handle, failed: rethrow, pace: AT_ONCE });
		for (let n = 0; n < 10; n += 1) {
			inbox.post(n, 'awaited');
			await new Promise(setImmediate);
		}
		await inbox.idle();
		expect(most).toBe(1);
	});

	it('rejects items beyond its capacity', async () => {
		const gate = Promise.withResolvers<void>();
		const inbox = createInbox<number>({ handle: () => gate.promise, failed: rethrow, pace: AT_ONCE, capacity: 2 });
		expect([1, 2, 3, 4].map((n) => inbox.post(n, 'awaited'))).toEqual([true, true, true, false]);
		gate.resolve();
		await inbox.idle();
		expect(inbox.post(5, 'awaited')).toBe(true);
	});

	it('continues after a failed batch and reports it', async () => {
		const handled: number[][] = [];
		const lost: number[][] = [];
		const handle = async (batch: number[]) => {
			if (batch.includes(2)) throw new RangeError('no');
			handled.push(batch);
		};
		const inbox = createInbox<number>({ handle, failed: (_, batch) => lost.push(batch), pace: AT_ONCE });
		for (const n of [1, 2, 3]) {
			inbox.post(n, 'awaited');
			await inbox.idle();
		}
		expect({ handled, lost }).toEqual({ handled: [[1], [3]], lost: [[2]] });
	});

	it('delays items without a waiting caller until a caller waits or their time is up', async () => {
		const { inbox, batches, timers } = patientInbox();
		inbox.post(1, 'patient');
		inbox.post(2, 'patient');
		await new Promise(setImmediate);
		expect(batches).toEqual([]);
		inbox.post(3, 'awaited');
		expect(batches).toEqual([[1, 2, 3]]);
		await inbox.idle();
		inbox.post(4, 'patient');
		timers.advance(49);
		expect(batches).toHaveLength(1);
		timers.advance(1);
		expect(batches.at(-1)).toEqual([4]);
	});

	it('handles visible items immediately after a pause, and in a burst shortly after the last commit', async () => {
		const { inbox, batches, timers } = patientInbox();
		inbox.post(1, 'soon');
		expect(batches).toEqual([[1]]);
		await new Promise(setImmediate);
		inbox.post(2, 'patient');
		inbox.post(3, 'soon');
		inbox.post(4, 'soon');
		expect(batches).toHaveLength(1);
		timers.advance(6);
		expect(batches.at(-1)).toEqual([2, 3, 4]);
	});

	it('handles items that need no commit immediately, but never before earlier items', async () => {
		const { inbox, batches } = patientInbox();
		inbox.post(1, 'free');
		expect(batches).toEqual([[1]]);
		await new Promise(setImmediate);
		inbox.post(2, 'patient');
		inbox.post(3, 'free');
		await new Promise(setImmediate);
		expect(batches).toEqual([[1]]);
		await inbox.idle();
		expect(batches).toEqual([[1], [2, 3]]);
	});

	it('commits visible items before patient ones delay them', async () => {
		const { inbox, batches, timers } = patientInbox();
		timers.advance(10);
		inbox.post(1, 'shown');
		expect(batches).toEqual([[1]]);
		await new Promise(setImmediate);
		inbox.post(2, 'patient');
		expect(batches).toEqual([[1]]);
		inbox.post(3, 'shown');
		expect(batches).toEqual([[1], [2, 3]]);
	});

	it('is not idle while it contains delayed items', async () => {
		const { inbox, batches } = patientInbox();
		inbox.post(1, 'patient');
		expect(inbox.isIdle()).toBe(false);
		await inbox.idle();
		expect({ isIdle: inbox.isIdle(), batches }).toEqual({ isIdle: true, batches: [[1]] });
	});
});

const AT_ONCE = { join: (begin: () => void) => begin() };

/** A clock that only the test advances. */
function patientInbox() {
	const batches: number[][] = [];
	const timers = createManualTimers();
	const pace = createCommitPace({ timers, now: timers.now });
	const inbox = createInbox<number>({ handle: async (batch) => void batches.push(batch), failed: rethrow, pace });
	return { inbox, batches, timers };
}

function rethrow(cause: unknown): void {
	throw cause;
}
