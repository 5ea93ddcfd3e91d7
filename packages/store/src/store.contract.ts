// The contract of every store; each implementation runs this suite.

import { projectId, runnerId, sessionId, streamId } from '@roost/protocol/ids';
import { storedLine } from '@roost/protocol/stored-line';
import {
	type EventContent,
	SAMPLE_PROJECT,
	sampleAppend,
	sampleEvent,
	sampleSession,
} from '@roost/testkit/rigs/record/sample-append';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { describeAsks, describeRules } from './asks-and-rules.contract.ts';
import { genesisHash, nextHash } from './hash-chain.ts';
import { describeOutbox } from './outbox.contract.ts';
import type { SessionsQuery, Store } from './store.ts';
import { describeUsage } from './usage.contract.ts';

export type StoreWorld = AsyncDisposable & { store: Store };

export function describeStore(name: string, createWorld: () => Promise<StoreWorld>): void {
	describe(name, () => {
		describe('append', () => describeAppend(createWorld));
		describe('read', () => describeRead(createWorld));
		describe('sessions', () => describeSessions(createWorld));
		describe('asks', () => describeAsks(createWorld));
		describe('rules', () => describeRules(createWorld));
		describe('search', () => describeSearch(createWorld));
		describe('usage', () => describeUsage(createWorld));
		describe('outbox', () => describeOutbox(createWorld));
		describe('verify and close', () => describeVerifyAndClose(createWorld));
	});
}

function describeAppend(createWorld: () => Promise<StoreWorld>): void {
	it('assigns contiguous offsets per stream and contiguous seqNos per runner', async () => {
		await using world = await createWorld();
		const first = unwrap(await world.store.append(sampleAppend('a', [sampleEvent('a', 1), sampleEvent('a', 2)])));
		const second = unwrap(await world.store.append(sampleAppend('b', [sampleEvent('b', 1)])));
		const third = unwrap(await world.store.append(sampleAppend('a', [sampleEvent('a', 3)])));
		expect([first, second, third].map(({ firstOffset, firstSeqNo }) => [firstOffset, firstSeqNo])).toEqual([
			[1, 1],
			[1, 3],
			[3, 4],
		]);
		expect(first.entries.map(({ offset, seqNo }) => [offset, seqNo])).toEqual([
			[1, 1],
			[2, 2],
		]);
	});

	it('counts the seqNos of each runner separately', async () => {
		await using world = await createWorld();
		const other = { runnerId: runnerId.parse('runner-2') };
		await world.store.append(sampleAppend('a', [sampleEvent('a', 1), sampleEvent('a', 2)]));
		const receipt = unwrap(await world.store.append(sampleAppend('b', [sampleEvent('b', 1)], other)));
		expect(receipt.firstSeqNo).toBe(1);
		expect(unwrap(await world.store.append(sampleAppend('a', [sampleEvent('a', 3)]))).firstSeqNo).toBe(3);
	});

	it('stores a line with exactly the documented keys in order', async () => {
		await using world = await createWorld();
		const event = sampleEvent('a', 1);
		const receipt = unwrap(await world.store.append(sampleAppend('a', [event])));
		const line = receipt.entries[0]?.line ?? '';
		expect(line).toBe(
			JSON.stringify({
				seqNo: 1,
				stream: 'a',
				offset: 1,
				sessionId: 'a',
				runnerId: 'runner-1',
				projectId: SAMPLE_PROJECT,
				ts: event.ts,
				receivedAt: 1_700_000_000_500,
				v: 1,
				event,
			}),
		);
		expect(storedLine.parse(JSON.parse(line)).event).toEqual(event);
	});

	it('rejects a repeated event id and does not change the log', async () => {
		await using world = await createWorld();
		await world.store.append(sampleAppend('a', [sampleEvent('a', 1)]));
		const repeated = await world.store.append(sampleAppend('a', [sampleEvent('a', 2), sampleEvent('a', 1)]));
		expect(unwrapError(repeated)).toMatchObject({ code: 'duplicate_event', message: expect.stringContaining('a:R1:E1') });
		expect(unwrap(await world.store.append(sampleAppend('a', [sampleEvent('a', 2)]))).firstOffset).toBe(2);
	});

	it('rejects an event id that is repeated within one request', async () => {
		await using world = await createWorld();
		const repeated = await world.store.append(sampleAppend('a', [sampleEvent('a', 1), sampleEvent('a', 1)]));
		expect(unwrapError(repeated).code).toBe('duplicate_event');
		expect(unwrap(world.store.read({ afterSeqNo: 0, limit: 10 }))).toEqual([]);
	});

	it('rejects only the invalid requests of a group, and keeps the numbers contiguous', async () => {
		await using world = await createWorld();
		const results = await Promise.all([
			world.store.append(sampleAppend('a', [sampleEvent('a', 1)])),
			world.store.append(sampleAppend('a', [sampleEvent('a', 2), sampleEvent('a', 1)])),
			world.store.append(sampleAppend('b', [sampleEvent('b', 1)])),
			world.store.append(sampleAppend('b', [sampleEvent('b', 1)])),
			world.store.append(sampleAppend('a', [sampleEvent('a', 2)])),
		]);
		expect(results.map(({ ok }) => ok)).toEqual([true, false, true, false, true]);
		const entries = unwrap(world.store.read({ afterSeqNo: 0, limit: 10 }));
		expect(entries.map(({ seqNo, stream, offset }) => [seqNo, stream, offset])).toEqual([
			[1, 'a', 1],
			[2, 'b', 1],
			[3, 'a', 2],
		]);
	});

	it('rejects only the event that cannot be written as JSON', async () => {
		await using world = await createWorld();
		const [bad, good] = await Promise.all([
			world.store.append(sampleAppend('a', [{ ...sampleEvent('a', 1), raw: 1n }])),
			world.store.append(sampleAppend('a', [sampleEvent('a', 2)])),
		]);
		expect(unwrapError(bad).code).toBe('bad_request');
		expect(unwrap(good).firstOffset).toBe(1);
	});

	it('rejects numbers and ids that cannot be stored unchanged', async () => {
		await using world = await createWorld();
		const bad = [
			sampleAppend('a', [{ ...sampleEvent('a', 1), ts: Number.NaN }]),
			sampleAppend('a', [], { receivedAt: Number.POSITIVE_INFINITY }),
			sampleAppend('a', [sampleEvent('a', 1)], { stream: streamId.parse('half \ud800') }),
		];
		for (const request of bad) expect(unwrapError(await world.store.append(request)).code).toBe('bad_request');
	});

	it('rejects transient events', async () => {
		await using world = await createWorld();
		const delta = sampleEvent('a', 1, { kind: 'agent.delta', data: { text: 'he' } });
		expect(unwrapError(await world.store.append(sampleAppend('a', [delta])))).toMatchObject({
			code: 'bad_request',
			message: expect.stringContaining('agent.delta'),
		});
	});

	it('keeps every character of an event', async () => {
		await using world = await createWorld();
		const prompt = 'zero \0 half \ud83d line \u2028 break \n quote " backslash \\ emoji 🐓 漢字';
		await world.store.append(
			sampleAppend('ключ \0 "x"', [sampleEvent('a', 1, { kind: 'user.prompt', data: { prompt, cwd: '/project' } })]),
		);
		const [entry] = unwrap(world.store.read({ stream: streamId.parse('ключ \0 "x"'), after: 0, limit: 1 }));
		expect(storedLine.parse(JSON.parse(entry?.line ?? '')).event.data).toMatchObject({ prompt });
		expect(entry?.line).not.toContain('\n');
	});

	it('is not affected if the caller changes an event later', async () => {
		await using world = await createWorld();
		const event = sampleEvent('a', 1);
		const pending = world.store.append(sampleAppend('a', [event]));
		event.level = 'error';
		expect(unwrap(await pending).entries[0]?.line).toContain('"level":"info"');
	});
}

function describeRead(createWorld: () => Promise<StoreWorld>): void {
	it('returns exactly the lines of the receipts', async () => {
		await using world = await createWorld();
		const receipt = unwrap(
			await world.store.append(
				sampleAppend(
					'a',
					[1, 2, 3].map((seq) => sampleEvent('a', seq)),
				),
			),
		);
		expect(unwrap(world.store.read({ stream: streamId.parse('a'), after: 0, limit: 10 }))).toEqual(receipt.entries);
		expect(unwrap(world.store.read({ afterSeqNo: 0, limit: 10 }))).toEqual(receipt.entries);
	});

	it('pages by offset within a stream and by seqNo across all streams', async () => {
		await using world = await createWorld();
		for (const seq of [1, 2, 3]) {
			await world.store.append(sampleAppend('a', [sampleEvent('a', seq)]));
			await world.store.append(sampleAppend('b', [sampleEvent('b', seq)]));
		}
		const page = unwrap(world.store.read({ stream: streamId.parse('b'), after: 1, limit: 1 }));
		expect(page.map(({ stream, offset, seqNo }) => [stream, offset, seqNo])).toEqual([['b', 2, 4]]);
		const all = unwrap(world.store.read({ afterSeqNo: 2, limit: 3 }));
		expect(all.map(({ stream, offset, seqNo }) => [stream, offset, seqNo])).toEqual([
			['a', 2, 3],
			['b', 2, 4],
			['a', 3, 5],
		]);
	});

	it('never splits a page between runners that share a seqNo', async () => {
		await using world = await createWorld();
		for (const name of ['x', 'y', 'z']) {
			const events = [sampleEvent(name, 1), sampleEvent(name, 2)];
			await world.store.append(sampleAppend(name, events, { runnerId: runnerId.parse(`runner-${name}`) }));
		}
		const seen: string[] = [];
		for (let after = 0; ; ) {
			const page = unwrap(world.store.read({ afterSeqNo: after, limit: 2 }));
			if (page.length === 0) break;
			seen.push(...page.map(({ stream, seqNo }) => `${stream}${seqNo}`));
			after = page.at(-1)?.seqNo ?? 0;
		}
		expect(seen.toSorted()).toEqual(['x1', 'x2', 'y1', 'y2', 'z1', 'z2']);
		const own = unwrap(world.store.read({ runnerId: runnerId.parse('runner-y'), afterSeqNo: 0, limit: 10 }));
		expect(own.map(({ stream, seqNo }) => `${stream}${seqNo}`)).toEqual(['y1', 'y2']);
	});

	it('finds nothing in an unknown stream, past the end, or with a limit of 0', async () => {
		await using world = await createWorld();
		await world.store.append(sampleAppend('a', [sampleEvent('a', 1)]));
		for (const query of [
			{ stream: streamId.parse('none'), after: 0, limit: 5 },
			{ stream: streamId.parse('a'), after: 1, limit: 5 },
			{ stream: streamId.parse('a'), after: 0, limit: 0 },
			{ afterSeqNo: 1, limit: 5 },
			{ afterSeqNo: 0, limit: 0 },
			{ afterSeqNo: Number.MAX_SAFE_INTEGER, limit: Number.MAX_SAFE_INTEGER },
		]) {
			expect(unwrap(world.store.read(query))).toEqual([]);
		}
	});

	it('returns the hash of each line, from which the next one follows', async () => {
		await using world = await createWorld();
		const [first, second] = unwrap(
			await world.store.append(sampleAppend('a', [sampleEvent('a', 1), sampleEvent('a', 2)])),
		).entries;
		const stream = streamId.parse('a');
		const one = nextHash(genesisHash('a'), first?.line ?? '');
		expect(unwrap(world.store.hashAt(stream, 1))).toBe(one);
		expect(unwrap(world.store.hashAt(stream, 2))).toBe(nextHash(one, second?.line ?? ''));
		expect(unwrap(world.store.hashAt(stream, 3))).toBeUndefined();
		expect(unwrap(world.store.hashAt(streamId.parse('unknown'), 1))).toBeUndefined();
		expect(unwrapError(world.store.hashAt(stream, 0.5)).code).toBe('bad_request');
	});

	it('finds the last offset of a stream', async () => {
		await using world = await createWorld();
		await world.store.append(
			sampleAppend(
				'a',
				[1, 2, 3].map((seq) => sampleEvent('a', seq)),
			),
		);
		await world.store.append(sampleAppend('b', [sampleEvent('b', 1)]));
		const last = (stream: string) => unwrap(world.store.lastOffset(streamId.parse(stream)));
		expect([last('a'), last('b'), last('none')]).toEqual([3, 1, 0]);
	});

	it('rejects positions and limits that are not whole numbers', async () => {
		await using world = await createWorld();
		for (const number of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
			expect(unwrapError(world.store.read({ afterSeqNo: number, limit: 1 })).code).toBe('bad_request');
			expect(unwrapError(world.store.read({ stream: streamId.parse('a'), after: 0, limit: number })).code).toBe('bad_request');
		}
	});
}

function describeSessions(createWorld: () => Promise<StoreWorld>): void {
	it('lists sessions, newest first, as last written', async () => {
		await using world = await createWorld();
		for (const [id, startedAt] of [
			['a', 10],
			['b', 30],
			['c', 20],
			['d', 20],
		] as const) {
			await world.store.append(sampleAppend(id, [], { session: sampleSession(id, { startedAt }) }));
		}
		const ended = sampleSession('a', { startedAt: 10, status: 'ended', endedAt: 99 });
		await world.store.append(sampleAppend('a', [sampleEvent('a', 1)], { session: ended }));
		const rows = unwrap(world.store.sessions());
		expect(rows.map(({ id }) => id)).toEqual(['b', 'd', 'c', 'a']);
		expect(rows[3]).toEqual(ended);
	});

	it('finds a session by its id, by each of its native ids, and by project', async () => {
		await using world = await createWorld();
		const a = sampleSession('a', {
			nativeIds: [
				{ id: 'n1', reason: 'startup', since: 1 },
				{ id: 'n2', reason: 'clear', since: 2 },
			],
		});
		const b = sampleSession('b', { projectId: projectId.parse('/other') });
		await world.store.append(sampleAppend('a', [], { session: a }));
		await world.store.append(sampleAppend('b', [], { session: b }));
		expect(unwrap(world.store.sessions({ id: sessionId.parse('a') }))).toEqual([a]);
		expect(unwrap(world.store.sessions({ nativeId: 'n1' }))).toEqual([a]);
		expect(unwrap(world.store.sessions({ nativeId: 'n2' }))).toEqual([a]);
		expect(unwrap(world.store.sessions({ projectId: projectId.parse('/other') }))).toEqual([b]);
		expect(unwrap(world.store.sessions({ nativeId: 'n1', projectId: projectId.parse('/other') }))).toEqual([]);
	});

	it('lists sessions page by page, by status, and with or without archived ones', async () => {
		await using world = await createWorld();
		const ended = { status: 'ended', archived: true } as const;
		// Two of them started at the same time.
		for (const [at, over] of [{}, ended, {}, ended, {}].entries()) {
			const session = sampleSession(`s${at}`, { startedAt: Math.min(at, 3), ...over });
			await world.store.append(sampleAppend(`s${at}`, [], { session }));
		}
		const list = (query: SessionsQuery) => unwrap(world.store.sessions(query)).map(({ id }) => id);
		const after = (id: string) => ({ after: sessionId.parse(id) });
		expect(list({ limit: 2 })).toEqual(['s4', 's3']);
		expect(list({ limit: 1, ...after('s4') })).toEqual(['s3']);
		expect(list({ limit: 9, ...after('s3') })).toEqual(['s2', 's1', 's0']);
		expect(list(after('unknown'))).toEqual([]);
		expect(list({ archived: false })).toEqual(['s4', 's2', 's0']);
		expect(list({ archived: true, status: 'ended', ...after('s3') })).toEqual(['s1']);
		expect(list({ status: 'waiting' })).toEqual([]);
		expect(unwrapError(world.store.sessions({ limit: -1 })).code).toBe('bad_request');
	});

	it('does not write the session of a rejected request', async () => {
		await using world = await createWorld();
		await world.store.append(sampleAppend('a', [sampleEvent('a', 1)]));
		await world.store.append(sampleAppend('a', [sampleEvent('a', 1)], { session: sampleSession('a') }));
		expect(unwrap(world.store.sessions())).toEqual([]);
	});
}

function describeSearch(createWorld: () => Promise<StoreWorld>): void {
	it('finds prompts, messages, commands, paths and questions, newest first', async () => {
		await using world = await createWorld();
		const contents: EventContent[] = [
			{ kind: 'user.prompt', data: { prompt: 'feed the heron', cwd: '/p' } },
			{ kind: 'agent.message', data: { text: 'the heron nests here' } },
			{ kind: 'tool.pre', data: { tool_name: 'Bash', tool_input: { command: 'git push --force heron' } } },
			{ kind: 'tool.pre', data: { tool_name: 'Read', tool_input: { file_path: 'src/birds/heron.ts' } } },
			{
				kind: 'question.request',
				data: { questions: [{ question: 'Which heron?', multi_select: false, options: [] }] },
			},
		];
		const events = contents.map((content, at) => sampleEvent('a', at + 1, content));
		await world.store.append(sampleAppend('a', events));
		const hits = unwrap(world.store.search({ words: 'heron', limit: 10 }));
		expect(hits.map(({ offset }) => offset)).toEqual([5, 4, 3, 2, 1]);
		expect(hits[3]).toEqual({
			sessionId: 'a',
			stream: 'a',
			offset: 2,
			ts: 1_700_000_000_002,
			kind: 'agent.message',
			title: 'the heron nests here',
			excerpt: 'the heron nests here',
		});
		expect(unwrap(world.store.search({ words: 'heron', limit: 2 })).map(({ offset }) => offset)).toEqual([5, 4]);
	});

	it('requires every word, with the last one as a prefix', async () => {
		await using world = await createWorld();
		await world.store.append(
			sampleAppend('a', [sampleEvent('a', 1, { kind: 'agent.message', data: { text: 'Mending the rooster house' } })]),
		);
		const count = (words: string) => unwrap(world.store.search({ words, limit: 10 })).length;
		expect(['mending roos', 'ROOSTER', 'house mending'].map(count)).toEqual([1, 1, 1]);
		expect(['mend rooster', 'rooster cat', '', '   '].map(count)).toEqual([0, 0, 0, 0]);
	});

	it('searches only one session on request', async () => {
		await using world = await createWorld();
		for (const name of ['a', 'b']) await world.store.append(sampleAppend(name, [sampleEvent(name, 1)]));
		const hits = unwrap(world.store.search({ words: 'thing', limit: 10, sessionId: sessionId.parse('b') }));
		expect(hits.map(({ stream }) => stream)).toEqual(['b']);
	});

	it('treats operators, quotes and stars as plain characters', async () => {
		await using world = await createWorld();
		await world.store.append(
			sampleAppend('a', [sampleEvent('a', 1, { kind: 'agent.message', data: { text: 'NOT a "quoted" AND-gate' } })]),
		);
		for (const words of [
			'"',
			'""',
			'"quoted',
			'quoted"',
			'*',
			'-',
			'(',
			'NEAR(a',
			'title:x',
			'{a b}:',
			'a AND',
			'OR',
			'^',
			'+',
			'\0',
			'a\0"',
			'\ud800',
			':',
		]) {
			expect(world.store.search({ words, limit: 10 })).toMatchObject({ ok: true });
		}
		expect(unwrap(world.store.search({ words: 'NOT "quoted"', limit: 10 }))).toHaveLength(1);
		expect(unwrap(world.store.search({ words: 'AND-gate', limit: 10 }))).toHaveLength(1);
		expect(unwrapError(world.store.search({ words: 'a', limit: -1 })).code).toBe('bad_request');
	});
}

function describeVerifyAndClose(createWorld: () => Promise<StoreWorld>): void {
	it('reports each stream with its number of events and its head', async () => {
		await using world = await createWorld();
		await world.store.append(sampleAppend('a', [sampleEvent('a', 1), sampleEvent('a', 2)]));
		await world.store.append(sampleAppend('b', [sampleEvent('b', 1)]));
		const report = unwrap(world.store.verify());
		expect(report.intact).toBe(true);
		expect(report.streams.map(({ stream, events, problems }) => [stream, events, problems])).toEqual([
			['a', 2, []],
			['b', 1, []],
		]);
		expect(unwrap(world.store.verify(streamId.parse('a')))).toEqual({ intact: true, problems: [], streams: [report.streams[0]] });
		expect(unwrapError(world.store.verify(streamId.parse('none'))).code).toBe('not_found');
	});

	it('completes pending requests before it closes, can be closed twice, and then rejects requests', async () => {
		await using world = await createWorld();
		const pending = world.store.append(sampleAppend('a', [sampleEvent('a', 1)]));
		await Promise.all([world.store.close(), world.store.close()]);
		expect((await pending).ok).toBe(true);
		const answers = [
			await world.store.append(sampleAppend('a', [sampleEvent('a', 2)])),
			world.store.read({ afterSeqNo: 0, limit: 1 }),
			world.store.lastOffset(streamId.parse('a')),
			world.store.sessions(),
			world.store.asks(),
			world.store.rules(),
			world.store.search({ words: 'a', limit: 1 }),
			world.store.verify(),
		];
		expect(answers.map((answer) => unwrapError(answer).code)).toEqual(answers.map(() => 'store_unavailable'));
	});
}
