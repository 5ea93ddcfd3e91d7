import { join } from 'node:path';
import { call, scriptSession } from '@roost/core/feed/feed.contract';
import { openSqliteStore } from '@roost/store/sqlite-store';
import { sampleAppend, sampleEvent } from '@roost/testkit/rigs/record/sample-append';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { searchRecord } from './record-search.ts';

async function openWorld(events: number) {
	await using stack = new AsyncDisposableStack();
	const directory = stack.use(await createTempDir());
	const store = stack.use(unwrap(openSqliteStore({ path: join(directory.path, 'roost.db'), access: 'write' })));
	const all = Array.from({ length: events }, (_, at) => sampleEvent('a', at + 1));
	if (events > 0) unwrap(await store.append(sampleAppend('a', all)));
	const owned = stack.move();
	return { store, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

describe('search in the record of a running runner', () => {
	it('returns the event of every hit, newest first', async () => {
		await using world = await openWorld(3);
		const { hits, unsearched } = unwrap(searchRecord(world.store, { words: 'thing', limit: 2 }));
		expect(unsearched).toBe(0);
		expect(hits).toMatchObject([
			{ sessionId: 'a', eventId: 'a:R1:E3', offset: 3, kind: 'user.prompt' },
			{ sessionId: 'a', eventId: 'a:R1:E2', offset: 2 },
		]);
		expect(hits[0]).not.toHaveProperty('stream');
	});

	it('searches a bounded part of the unindexed events, and reports the rest', async () => {
		await using world = await openWorld(1_500);
		const found = unwrap(searchRecord(world.store, { words: 'thing', limit: 5_000 }));
		expect(found.hits).toHaveLength(1_000);
		expect(found.unsearched).toBe(500);
	});

	it('cuts a title and an excerpt without a space, which could be as long as an event', async () => {
		await using world = await openWorld(0);
		const prompt = `Find the ${'x'.repeat(100_000)} needle`;
		unwrap(
			await world.store.append(sampleAppend('a', [sampleEvent('a', 1, { kind: 'user.prompt', data: { prompt, cwd: '/' } })])),
		);
		const [hit] = unwrap(searchRecord(world.store, { words: 'needle', limit: 1 })).hits;
		expect(hit?.excerpt).toMatch(/^Find the x+$/);
		for (const text of [hit?.title, hit?.excerpt]) expect(text?.length).toBeLessThanOrEqual(500);
	});

	it('shows a call once, although its request and result repeat its text, and never a line break', async () => {
		await using world = await openWorld(0);
		const script = scriptSession();
		const input = { command: 'npm test\nnpm run lint', description: 'the parser' };
		const events = [
			...script.report('UserPromptSubmit', { prompt: 'test the parser\nwith npm' }),
			...script.report('PreToolUse', call('Bash', input, 't1')),
			...script.report('PermissionRequest', call('Bash', input, 't1')),
			...script.report('PostToolUse', { ...call('Bash', input, 't1'), tool_response: { stdout: 'npm' } }),
			...script.report('Stop', { stop_hook_active: false, last_assistant_message: 'npm works with the parser' }),
		];
		unwrap(await world.store.append(sampleAppend(events[0]?.session_id ?? '', events)));
		const { hits } = unwrap(searchRecord(world.store, { words: 'npm', limit: 10 }));
		expect(hits.map(({ kind, excerpt }) => [kind, excerpt])).toEqual([
			['agent.message', 'npm works with the parser'],
			['tool.pre', 'npm test npm run lint the parser'],
			['user.prompt', 'test the parser with npm'],
		]);
	});

	it('fails with the store', async () => {
		await using world = await openWorld(1);
		await world.store.close();
		expect(unwrapError(searchRecord(world.store, { words: 'thing', limit: 1 })).code).toBe('store_unavailable');
	});
});
