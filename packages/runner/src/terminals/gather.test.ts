import { describe, expect, it } from 'vitest';
import { createGather } from './gather.ts';

const KEY = Buffer.from('k');
const FULL_READ = Buffer.alloc(4_096, 'x');

describe('gathering what a program writes', () => {
	it('lets the echoes of quick keys go on at once', () => {
		using gather = createRig();
		for (let key = 0; key < 4; key++) gather.add(KEY);
		expect(gather.sizes).toEqual([1, 1, 1, 1]);
	});

	it('makes one piece of many short reads', () => {
		using gather = createRig();
		for (let read = 0; read < 200; read++) gather.add(KEY);
		gather.flush();
		expect(gather.sizes.length).toBeLessThanOrEqual(50);
		expect(gather.sizes.reduce((sum, size) => sum + size, 0)).toBe(200);
	});

	it('makes few pieces of a flood', () => {
		using gather = createRig();
		for (let read = 0; read < 33; read++) gather.add(FULL_READ);
		gather.flush();
		// One more for each time that this process had to stand still in between.
		expect(gather.sizes.length).toBeLessThanOrEqual(8);
		expect(gather.sizes.reduce((sum, size) => sum + size, 0)).toBe(33 * 4_096);
	});
});

function createRig() {
	const sizes: number[] = [];
	const gather = createGather((bytes) => sizes.push(bytes.length));
	return { ...gather, sizes };
}
