import { describe, expect, it } from 'vitest';
import { createInbox } from './inbox.ts';

describe('an inbox', () => {
	it('handles everything in order, and what arrives meanwhile as one batch', async () => {
		const batches: number[][] = [];
		const inbox = createInbox<number>(async (batch) => {
			batches.push(batch);
			await new Promise(setImmediate);
		}, rethrow);
		for (const n of [1, 2, 3]) inbox.post(n);
		await inbox.idle();
		inbox.post(4);
		await inbox.idle();
		expect(batches).toEqual([[1], [2, 3], [4]]);
	});

	it('never handles two batches at once', async () => {
		let running = 0;
		let most = 0;
		const inbox = createInbox<number>(async () => {
			running += 1;
			most = Math.max(most, running);
			await new Promise(setImmediate);
			running -= 1;
		}, rethrow);
		for (let n = 0; n < 10; n += 1) {
			inbox.post(n);
			await new Promise(setImmediate);
		}
		await inbox.idle();
		expect(most).toBe(1);
	});

	it('refuses more than it can hold', async () => {
		const gate = Promise.withResolvers<void>();
		const inbox = createInbox<number>(() => gate.promise, rethrow, 2);
		expect([1, 2, 3, 4].map((n) => inbox.post(n))).toEqual([true, true, true, false]);
		gate.resolve();
		await inbox.idle();
		expect(inbox.post(5)).toBe(true);
	});

	it('goes on after a batch that could not be handled, and says which one that was', async () => {
		const handled: number[][] = [];
		const lost: number[][] = [];
		const inbox = createInbox<number>(
			async (batch) => {
				if (batch.includes(2)) throw new RangeError('no');
				handled.push(batch);
			},
			(_, batch) => lost.push(batch),
		);
		for (const n of [1, 2, 3]) {
			inbox.post(n);
			await inbox.idle();
		}
		expect({ handled, lost }).toEqual({ handled: [[1], [3]], lost: [[2]] });
	});
});

function rethrow(cause: unknown): void {
	throw cause;
}
