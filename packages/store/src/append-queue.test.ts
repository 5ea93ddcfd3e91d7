import { describe, expect, it } from 'vitest';
import { createAppendQueue } from './append-queue.ts';

describe('append queue', () => {
	it('commits once per event loop turn, in order, and returns each caller its own outcome', async () => {
		const groups: number[][] = [];
		const queue = createAppendQueue((group: readonly number[]) => {
			groups.push([...group]);
			return group.map((number) => number * 10);
		});
		expect(await Promise.all([1, 2, 3].map(queue.add))).toEqual([10, 20, 30]);
		expect(await queue.add(4)).toBe(40);
		expect(groups).toEqual([[1, 2, 3], [4]]);
	});

	it('is idle when empty, and commits immediately on flush', async () => {
		const queue = createAppendQueue((group: readonly number[]) => group);
		expect(queue.isIdle()).toBe(true);
		const outcome = queue.add(1);
		expect(queue.isIdle()).toBe(false);
		queue.flush();
		expect(queue.isIdle()).toBe(true);
		expect(await outcome).toBe(1);
	});

	it('rejects every caller if the commit throws', async () => {
		const queue = createAppendQueue(() => {
			throw new Error('a bug');
		});
		const outcomes = await Promise.allSettled([queue.add(1), queue.add(2)]);
		expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
	});
});
