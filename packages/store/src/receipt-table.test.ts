import { join } from 'node:path';
import { sampleAppend, sampleEvent } from '@roost/testkit/rigs/record/sample-append';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { openSqliteStore } from './sqlite-store.ts';
import type { Receipt } from './store.ts';

const DAY = 24 * 60 * 60 * 1_000;
const receipt = (id: string, over: Partial<Receipt> = {}): Receipt => ({ id, hash: 'h', at: 1_000, result: '{"a":1}', ...over });

describe('receipts', () => {
	it('are stored with the events of their request', async () => {
		await using world = await openWorld();
		unwrap(await world.store.append(sampleAppend('a', [sampleEvent('a', 1)], { receipts: [receipt('c1')] })));
		await world.reopen();
		expect(unwrap(world.store.receipt('c1'))).toEqual(receipt('c1'));
		expect(unwrap(world.store.receipt('c2'))).toBeUndefined();
	});

	it('are not written if the events are rejected', async () => {
		await using world = await openWorld();
		unwrap(await world.store.append(sampleAppend('a', [sampleEvent('a', 1)])));
		const again = sampleAppend('a', [sampleEvent('a', 1)], { receipts: [receipt('c1')] });
		expect(unwrapError(await world.store.append(again)).code).toBe('duplicate_event');
		expect(unwrap(world.store.receipt('c1'))).toBeUndefined();
	});

	it('get their result later, and only once', async () => {
		await using world = await openWorld();
		const save = async (one: Receipt) => unwrap(await world.store.append(sampleAppend('a', [], { receipts: [one] })));
		await save(receipt('c1', { result: null }));
		expect(unwrap(world.store.receipt('c1'))?.result).toBeNull();
		await save(receipt('c1', { result: '1' }));
		await save(receipt('c1', { result: '2' }));
		expect(unwrap(world.store.receipt('c1'))?.result).toBe('1');
	});

	it('are deleted after 30 days', async () => {
		await using world = await openWorld();
		const save = async (one: Receipt) => unwrap(await world.store.append(sampleAppend('a', [], { receipts: [one] })));
		await save(receipt('old', { at: 0 }));
		await save(receipt('new', { at: 30 * DAY }));
		expect(unwrap(world.store.receipt('old'))).toBeDefined();
		await save(receipt('newer', { at: 30 * DAY + 1 }));
		expect(unwrap(world.store.receipt('old'))).toBeUndefined();
		expect(unwrap(world.store.receipt('new'))).toBeDefined();
	});
});

async function openWorld() {
	const temp = await createTempDir();
	const open = () => unwrap(openSqliteStore({ path: join(temp.path, 'roost.db'), access: 'write' }));
	let store = open();
	return {
		get store() {
			return store;
		},
		async reopen() {
			await store.close();
			store = open();
		},
		async [Symbol.asyncDispose]() {
			await store.close();
			await temp[Symbol.asyncDispose]();
		},
	};
}
