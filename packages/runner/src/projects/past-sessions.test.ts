import { describe, expect, it } from 'vitest';
import { createFileMemory } from './past-sessions.ts';

describe('cached file content', () => {
	it('is reused until the size or time of the file changes', async () => {
		const { read, reads } = counting(10);
		for (const [size, mtimeMs] of [
			[1, 1],
			[1, 1],
			[2, 1],
			[2, 1],
			[2, 2],
			[2, 2],
		] as const)
			await read({ path: 'a', size, mtimeMs });
		expect(reads).toEqual(['a', 'a', 'a']);
	});

	it('is dropped oldest first when the cache is full', async () => {
		const { read, reads } = counting(2);
		for (const path of ['a', 'b', 'c', 'c', 'b', 'a']) await read({ path, size: 1, mtimeMs: 1 });
		expect(reads).toEqual(['a', 'b', 'c', 'a']);
	});

	it('is not cached if reading failed', async () => {
		let tries = 0;
		const { read } = createFileMemory(async () => {
			tries += 1;
			if (tries === 1) throw new Error('not yet');
			return tries;
		}, 2);
		const file = { path: 'a', size: 1, mtimeMs: 1 };
		await expect(read(file)).rejects.toThrow('not yet');
		expect(await read(file)).toBe(2);
	});
});

function counting(most: number) {
	const reads: string[] = [];
	const memory = createFileMemory(async (path) => {
		reads.push(path);
		return path;
	}, most);
	return { ...memory, reads };
}
