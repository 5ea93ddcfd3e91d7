import { join } from 'node:path';
import { runnerId } from '@roost/protocol/ids';
import { sampleAppend, sampleEvent } from '@roost/testkit/rigs/record/sample-append';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { formatAnchor, parseAnchor } from './anchor.ts';
import { openSqliteStore } from './sqlite-store.ts';
import type { Store } from './store.ts';

describe('head of the whole record', () => {
	it('stays valid for its prefix while the log grows, also with events of another runner', async () => {
		await using directory = await createTempDir();
		await using disk = unwrap(openSqliteStore({ path: join(directory.path, 'roost.db'), access: 'write' }));
		const heads: string[] = [];
		for (const step of ['empty', 'one', 'two', 'other runner'] as const) {
			await grow(disk, step);
			const now = unwrap(disk.anchor());
			if (now !== null) heads.push(formatAnchor(now));
			for (const head of heads) {
				const earlier = parseAnchor(head);
				expect(unwrap(disk.anchor(earlier?.counts))).toEqual(earlier);
			}
		}
		expect(new Set(heads).size).toBe(4);
		expect(heads.map((head) => head.split('-')[0])).toEqual(['0', '1', '3', '3+1']);
		expect(unwrap(disk.anchor([4]))).toBeNull();
		expect(unwrap(disk.anchor([3, 2]))).toBeNull();
	});

	it.each(['', 'x', '12', '12-', '-abcdefghijklmnopqrst', '12-abcdefghijklmnopqrs1', '1e3-abcdefghijklmnopqrst'])(
		'is not parsed from %j',
		(text) => {
			expect(parseAnchor(text)).toBeUndefined();
		},
	);
});

async function grow(store: Store, step: 'empty' | 'one' | 'two' | 'other runner'): Promise<void> {
	const other = { runnerId: runnerId.parse('runner-2') };
	if (step === 'one') unwrap(await store.append(sampleAppend('a', [sampleEvent('a', 1)])));
	if (step === 'two') unwrap(await store.append(sampleAppend('b', [sampleEvent('b', 1), sampleEvent('b', 2)])));
	if (step === 'other runner') unwrap(await store.append(sampleAppend('c', [sampleEvent('c', 1)], other)));
}
