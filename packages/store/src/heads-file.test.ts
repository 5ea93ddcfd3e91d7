import { readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';
import { type Head, openHeadsFile, readHeads } from './heads-file.ts';

const hash = (digit: number) => `${digit}`.repeat(64);
const open = (path: string, over: { held?: number; compactAbove?: number; isConfirmed?: (head: Head) => boolean } = {}) =>
	openHeadsFile({
		path,
		countEvents: () => over.held ?? 0,
		isConfirmed: over.isConfirmed ?? (() => true),
		compactAbove: over.compactAbove ?? 10_000,
	});

describe('heads file', () => {
	it('keeps every head for any stream name, readable only by its owner', async () => {
		await using directory = await createTempDir();
		const path = join(directory.path, 'heads');
		const heads = [
			{ stream: 'a b "c"\n漢', offset: 1, hash: hash(1) },
			{ stream: 'd', offset: 12, hash: hash(2) },
		];
		const file = open(path);
		file.record(heads);
		file.record([]);
		file.close();
		expect(readHeads(path)).toEqual({ heldBefore: 0, heads, unreadable: [], notes: [] });
		expect(statSync(path).mode & 0o777).toBe(0o600);
	});

	it('remembers how many events existed before it', async () => {
		await using directory = await createTempDir();
		const path = join(directory.path, 'heads');
		open(path, { held: 7 }).close();
		open(path, { held: 9 }).close();
		expect(readHeads(path)?.heldBefore).toBe(7);
	});

	it('drops a line that was truncated by a crash', async () => {
		await using directory = await createTempDir();
		const path = join(directory.path, 'heads');
		open(path).close();
		writeFileSync(path, `${hash(3)} 4 "a`, { flag: 'a' });
		expect(readHeads(path)).toMatchObject({ heads: [], unreadable: [], notes: [] });
		const file = open(path);
		file.record([{ stream: 'a', offset: 5, hash: hash(4) }]);
		file.close();
		expect(readHeads(path)).toMatchObject({ heads: [{ stream: 'a', offset: 5 }], unreadable: [], notes: [] });
	});

	it('reports the numbers of malformed lines', async () => {
		await using directory = await createTempDir();
		const path = join(directory.path, 'heads');
		writeFileSync(path, `what\n${hash(1)} 1 "a"\n${hash(1)} 0 "a"\nx 1 "a"\n${hash(1)} 1 "a\\"\n`);
		expect(readHeads(path)).toEqual({
			heldBefore: 0,
			heads: [{ stream: 'a', offset: 1, hash: hash(1) }],
			unreadable: [1, 3, 4, 5],
			notes: [],
		});
	});

	it('is compacted to the last head of each stream when it has grown large', async () => {
		await using directory = await createTempDir();
		const path = join(directory.path, 'heads');
		const file = open(path, { compactAbove: 1_000 });
		for (let offset = 1; offset <= 100; offset++) {
			file.record([
				{ stream: 'a', offset, hash: hash(1) },
				{ stream: 'b', offset, hash: hash(2) },
			]);
		}
		file.close();
		expect(readFileSync(path).length).toBeLessThan(2_000);
		expect(readHeads(path)?.heads.slice(-2)).toMatchObject([
			{ stream: 'a', offset: 100 },
			{ stream: 'b', offset: 100 },
		]);
		expect(statSync(path).mode & 0o777).toBe(0o600);
	});

	it('never drops a head that contradicts the database, because it is evidence', async () => {
		await using directory = await createTempDir();
		const path = join(directory.path, 'heads');
		const file = open(path, { compactAbove: 500, isConfirmed: (head) => head.hash !== hash(9) });
		file.record([{ stream: 'a', offset: 3, hash: hash(9) }]);
		for (let offset = 1; offset <= 50; offset++) file.record([{ stream: 'a', offset, hash: hash(1) }]);
		file.close();
		expect(readHeads(path)?.heads).toContainEqual({ stream: 'a', offset: 3, hash: hash(9) });
	});

	it('is rejected if it is a symlink', async () => {
		await using directory = await createTempDir();
		const path = join(directory.path, 'heads');
		symlinkSync(join(directory.path, 'elsewhere'), path);
		expect(() => open(path)).toThrow(/symbolic link/);
		expect(() => readHeads(path)).toThrow(/symbolic link/);
	});
});
