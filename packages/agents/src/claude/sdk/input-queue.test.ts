import { describe, expect, it } from 'vitest';
import { createInputQueue } from './prompts.ts';

describe('input queue', () => {
	it('yields items in order, whether pushed before or during reading, and then ends', async () => {
		const queue = createInputQueue<number>(10);
		queue.push(1);
		const read = readAll(queue);
		queue.push(2);
		await Promise.resolve();
		queue.push(3);
		queue.end();
		expect(await read).toEqual([1, 2, 3]);
		expect(queue.push(4)).toBe(false);
	});

	it('rejects items beyond its capacity', () => {
		const queue = createInputQueue<number>(1);
		expect([queue.push(1), queue.push(2)]).toEqual([true, false]);
	});
});

async function readAll<T>(items: AsyncIterable<T>): Promise<T[]> {
	const all: T[] = [];
	for await (const item of items) all.push(item);
	return all;
}
