import { describe, expect, it } from 'vitest';
import { createLanes } from './lanes.ts';

describe('lanes of the store', () => {
	it('run live work before backfill that came earlier', async () => {
		const lanes = createLanes(1);
		const order: string[] = [];
		const first = Promise.withResolvers<void>();
		const works = [
			lanes.run('backfill', async () => {
				await first.promise;
				order.push('first');
			}),
			lanes.run('backfill', async () => void order.push('second')),
			lanes.run('live', async () => void order.push('live')),
		];
		first.resolve();
		await Promise.all(works);
		expect(order).toEqual(['first', 'live', 'second']);
	});

	it('run as many at once as they are wide, and continue after a failure', async () => {
		const lanes = createLanes(2);
		let running = 0;
		let most = 0;
		const work = async () => {
			running += 1;
			most = Math.max(most, running);
			await Promise.resolve();
			running -= 1;
			if (most === 2) throw new Error('failed');
		};
		const all = await Promise.allSettled(Array.from({ length: 6 }, () => lanes.run('live', work)));
		expect(most).toBe(2);
		expect(all).toHaveLength(6);
		expect(await lanes.run('backfill', async () => 'done')).toBe('done');
	});
});
