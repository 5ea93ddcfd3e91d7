// What every store promises; each implementation runs this suite.

import type { AskRow } from '@roost/protocol/ask';
import { type AskId, askId, projectId, ruleId, runnerId, sessionId, streamId } from '@roost/protocol/ids';
import { storedLine } from '@roost/protocol/stored-line';
import {
	type EventContent,
	sampleAppend,
	sampleAsk,
	sampleEvent,
	sampleRule,
	sampleSession,
} from '@roost/testkit/rigs/sample-append';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import type { AsksQuery, Store } from './store.ts';

export type StoreWorld = AsyncDisposable & { store: Store };

export function describeStore(name: string, createWorld: () => Promise<StoreWorld>): void {
	describe(name, () => {
		describe('append', () => describeAppend(createWorld));
		describe('read', () => describeRead(createWorld));
		describe('sessions', () => describeSessions(createWorld));
		describe('asks', () => describeAsks(createWorld));
		describe('rules', () => describeRules(createWorld));
		describe('search', () => describeSearch(createWorld));
		describe('verify and close', () => describeVerifyAndClose(createWorld));
	});
}

function describeAppend(createWorld: () => Promise<StoreWorld>): void {
	it('gives contiguous offsets per stream and contiguous seqNos per runner', async () => {
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

	it('counts the seqNos of each runner by themselves', async () => {
		await using world = await createWorld();
		const other = { runnerId: runnerId.parse('runner-2') };
		await world.store.append(sampleAppend('a', [sampleEvent('a', 1), sampleEvent('a', 2)]));
		const receipt = unwrap(await world.store.append(sampleAppend('b', [sampleEvent('b', 1)], other)));
		expect(receipt.firstSeqNo).toBe(1);
		expect(unwrap(await world.store.append(sampleAppend('a', [sampleEvent('a', 3)]))).firstSeqNo).toBe(3);
	});

	it('stores a line with exactly the documented keys in their order', async () => {
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
				projectId: '/project',
				ts: event.ts,
				receivedAt: 1_700_000_000_500,
				v: 1,
				event,
			}),
		);
		expect(storedLine.parse(JSON.parse(line)).event).toEqual(event);
	});

	it('refuses a repeated event id and leaves the log as it was', async () => {
		await using world = await createWorld();
		await world.store.append(sampleAppend('a', [sampleEvent('a', 1)]));
		const repeated = await world.store.append(sampleAppend('a', [sampleEvent('a', 2), sampleEvent('a', 1)]));
		expect(unwrapError(repeated)).toMatchObject({ code: 'duplicate_event', message: expect.stringContaining('a:R1:E1') });
		expect(unwrap(await world.store.append(sampleAppend('a', [sampleEvent('a', 2)]))).firstOffset).toBe(2);
	});

	it('refuses an event id that is repeated within one request', async () => {
		await using world = await createWorld();
		const repeated = await world.store.append(sampleAppend('a', [sampleEvent('a', 1), sampleEvent('a', 1)]));
		expect(unwrapError(repeated).code).toBe('duplicate_event');
		expect(unwrap(world.store.read({ afterSeqNo: 0, limit: 10 }))).toEqual([]);
	});

	it('refuses only the faulty requests of a group, and keeps the numbers contiguous', async () => {
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

	it('refuses an event that cannot be written as JSON, alone', async () => {
		await using world = await createWorld();
		const [bad, good] = await Promise.all([
			world.store.append(sampleAppend('a', [{ ...sampleEvent('a', 1), raw: 1n }])),
			world.store.append(sampleAppend('a', [sampleEvent('a', 2)])),
		]);
		expect(unwrapError(bad).code).toBe('bad_request');
		expect(unwrap(good).firstOffset).toBe(1);
	});

	it('refuses numbers and ids that would not come back as they were', async () => {
		await using world = await createWorld();
		const bad = [
			sampleAppend('a', [{ ...sampleEvent('a', 1), ts: Number.NaN }]),
			sampleAppend('a', [], { receivedAt: Number.POSITIVE_INFINITY }),
			sampleAppend('a', [sampleEvent('a', 1)], { stream: streamId.parse('half \ud800') }),
		];
		for (const request of bad) expect(unwrapError(await world.store.append(request)).code).toBe('bad_request');
	});

	it('refuses events that are only broadcast', async () => {
		await using world = await createWorld();
		const delta = sampleEvent('a', 1, { kind: 'agent.delta', title: 't', data: { text: 'he' } });
		expect(unwrapError(await world.store.append(sampleAppend('a', [delta])))).toMatchObject({
			code: 'bad_request',
			message: expect.stringContaining('agent.delta'),
		});
	});

	it('keeps every character of an event', async () => {
		await using world = await createWorld();
		const title = 'zero \0 half \ud83d line \u2028 break \n quote " backslash \\ emoji 🐓 漢字';
		await world.store.append(sampleAppend('ключ \0 "x"', [{ ...sampleEvent('a', 1), title }]));
		const [entry] = unwrap(world.store.read({ stream: streamId.parse('ключ \0 "x"'), after: 0, limit: 1 }));
		expect(storedLine.parse(JSON.parse(entry?.line ?? '')).event.title).toBe(title);
		expect(entry?.line).not.toContain('\n');
	});

	it('is not affected by what the caller does to an event afterwards', async () => {
		await using world = await createWorld();
		const event = sampleEvent('a', 1);
		const pending = world.store.append(sampleAppend('a', [event]));
		event.title = 'changed';
		expect(unwrap(await pending).entries[0]?.line).toContain('prompt 1');
	});
}

function describeRead(createWorld: () => Promise<StoreWorld>): void {
	it('gives back exactly the lines of the receipts', async () => {
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

	it('pages by offset within a stream and by seqNo over all', async () => {
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

	it('never cuts between runners that share a seqNo', async () => {
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
	});

	it('finds nothing in an unknown stream, behind the end, or with a limit of 0', async () => {
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

	it('refuses places and limits that are not whole numbers', async () => {
		await using world = await createWorld();
		for (const number of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
			expect(unwrapError(world.store.read({ afterSeqNo: number, limit: 1 })).code).toBe('bad_request');
			expect(unwrapError(world.store.read({ stream: streamId.parse('a'), after: 0, limit: number })).code).toBe('bad_request');
		}
	});
}

function describeSessions(createWorld: () => Promise<StoreWorld>): void {
	it('lists sessions, newest first, as they were last written', async () => {
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

	it('does not write the session of a refused request', async () => {
		await using world = await createWorld();
		await world.store.append(sampleAppend('a', [sampleEvent('a', 1)]));
		await world.store.append(sampleAppend('a', [sampleEvent('a', 1)], { session: sampleSession('a') }));
		expect(unwrap(world.store.sessions())).toEqual([]);
	});
}

function describeAsks(createWorld: () => Promise<StoreWorld>): void {
	it('lists asks, oldest first, as they were last written', async () => {
		await using world = await createWorld();
		const rows = [sampleAsk('late', { openedAt: 30 }), sampleAsk('early', { openedAt: 10 }), sampleAsk('same', { openedAt: 10 })];
		unwrap(await world.store.append(sampleAppend('a', [sampleEvent('a', 1)], { asks: rows })));
		const allowed = decided('early', 'allowed', { openedAt: 10 });
		unwrap(await world.store.append(sampleAppend('a', [sampleEvent('a', 2)], { asks: [allowed] })));
		expect(unwrap(world.store.asks())).toEqual([allowed, rows[2], rows[0]]);
	});

	it('finds asks by id, session and state, and no more than it is told to', async () => {
		await using world = await createWorld();
		const rows = [
			sampleAsk('1', { openedAt: 1 }),
			sampleAsk('2', { openedAt: 2, sessionId: sessionId.parse('b') }),
			decided('3', 'denied', { openedAt: 3 }),
			sampleAsk('4', { openedAt: 4 }),
		];
		unwrap(await world.store.append(sampleAppend('a', [], { asks: rows })));
		const found = (query: AsksQuery) => unwrap(world.store.asks(query)).map(({ id }) => id);
		const a = sessionId.parse('a');
		expect(found({ id: askId.parse('2') })).toEqual(['2']);
		expect(found({ id: askId.parse('2'), sessionId: a })).toEqual([]);
		expect(found({ sessionId: a })).toEqual(['1', '3', '4']);
		expect(found({ state: 'pending' })).toEqual(['1', '2', '4']);
		expect(found({ state: 'pending', sessionId: a })).toEqual(['1', '4']);
		expect(found({ state: 'pending', limit: 2 })).toEqual(['1', '2']);
		expect(found({ limit: 0 })).toEqual([]);
		for (const limit of [-1, 0.5, Number.NaN]) expect(unwrapError(world.store.asks({ limit })).code).toBe('bad_request');
	});

	it.each(['allowed', 'denied', 'answered', 'expired', 'cancelled', 'answered-elsewhere'] as const)(
		'keeps an ask that is %s for ever as it is',
		async (state) => {
			await using world = await createWorld();
			const kept = decided('1', state);
			unwrap(await world.store.append(sampleAppend('a', [], { asks: [sampleAsk('1')] })));
			unwrap(await world.store.append(sampleAppend('a', [], { asks: [kept] })));
			const others = [
				sampleAsk('1'),
				decided('1', state === 'denied' ? 'allowed' : 'denied'),
				{ ...kept, decidedBy: 'other@http' },
				{ ...kept, input: { command: 'rm -rf /' } },
			];
			for (const other of others) {
				const refused = await world.store.append(sampleAppend('a', [], { asks: [other] }));
				expect(unwrapError(refused)).toMatchObject({ code: 'conflict', message: expect.stringContaining(`ask 1 is ${state}`) });
				expect(unwrap(world.store.asks())).toEqual([kept]);
			}
		},
	);

	it('takes a decided ask again when it is the same, whatever the order of its keys', async () => {
		await using world = await createWorld();
		const kept = decided('1', 'allowed', { verdict: { type: 'allow', updatedInput: { b: 1, a: [2] } } });
		unwrap(await world.store.append(sampleAppend('a', [], { asks: [kept] })));
		const [read] = unwrap(world.store.asks());
		const { id, ...rest } = kept;
		for (const [at, same] of [kept, read ?? kept, { ...rest, id }].entries()) {
			const again = sampleAppend('a', [sampleEvent('a', at + 1)], { asks: [same] });
			expect(unwrap(await world.store.append(again)).firstOffset).toBe(at + 1);
		}
		expect(unwrap(world.store.asks())).toEqual([kept]);
	});

	it('stores nothing of a request that would decide an ask again, and all of the others in its group', async () => {
		await using world = await createWorld();
		unwrap(await world.store.append(sampleAppend('a', [], { asks: [sampleAsk('1')] })));
		const answers = (['allowed', 'denied', 'allowed'] as const).map((state, at) =>
			world.store.append(
				sampleAppend('a', [sampleEvent('a', at + 1)], {
					session: sampleSession(`s${at}`),
					asks: [sampleAsk(`new-${at}`), decided('1', state, { decidedBy: `owner-${at}@http` })],
					rules: { add: [sampleRule(`r${at}`)] },
				}),
			),
		);
		const results = await Promise.all([...answers, world.store.append(sampleAppend('b', [sampleEvent('b', 1)]))]);
		expect(results.map((result) => (result.ok ? result.value.firstSeqNo : result.error.code))).toEqual([
			1,
			'conflict',
			'conflict',
			2,
		]);
		expect(unwrap(world.store.asks()).map(({ id, state, decidedBy }) => [id, state, decidedBy])).toEqual([
			['1', 'allowed', 'owner-0@http'],
			['new-0', 'pending', undefined],
		]);
		expect(unwrap(world.store.sessions()).map(({ id }) => id)).toEqual(['s0']);
		expect(unwrap(world.store.rules()).map(({ id }) => id)).toEqual(['r0']);
		expect(unwrap(world.store.verify()).intact).toBe(true);
	});

	it('lets a later request decide what a refused one of its group could not', async () => {
		await using world = await createWorld();
		unwrap(await world.store.append(sampleAppend('a', [sampleEvent('a', 1)], { asks: [sampleAsk('1')] })));
		const [repeated, later] = await Promise.all([
			world.store.append(sampleAppend('a', [sampleEvent('a', 1)], { asks: [decided('1', 'allowed')] })),
			world.store.append(sampleAppend('a', [sampleEvent('a', 2)], { asks: [decided('1', 'denied')] })),
		]);
		expect(unwrapError(repeated).code).toBe('duplicate_event');
		expect(unwrap(later).firstOffset).toBe(2);
		expect(unwrap(world.store.asks())).toEqual([decided('1', 'denied')]);
	});

	it('compares the rows of one request with each other too', async () => {
		await using world = await createWorld();
		const twice = { asks: [decided('1', 'allowed'), decided('1', 'denied')] };
		expect(unwrapError(await world.store.append(sampleAppend('a', [], twice))).code).toBe('conflict');
		expect(unwrap(world.store.asks())).toEqual([]);
		unwrap(await world.store.append(sampleAppend('a', [], { asks: [sampleAsk('1'), decided('1', 'allowed')] })));
		expect(unwrap(world.store.asks())).toEqual([decided('1', 'allowed')]);
	});

	it('refuses asks that would not come back as they were', async () => {
		await using world = await createWorld();
		const bad = [{ openedAt: Number.NaN }, { id: 'half \ud800' as AskId }, { input: { big: 1n } }];
		for (const over of bad) {
			const request = sampleAppend('a', [sampleEvent('a', 1)], { asks: [sampleAsk('1', over)] });
			expect(unwrapError(await world.store.append(request)).code).toBe('bad_request');
		}
		expect(unwrap(world.store.read({ afterSeqNo: 0, limit: 1 }))).toEqual([]);
	});

	it('is not affected by what a caller does to a row it gave or got', async () => {
		await using world = await createWorld();
		const row = sampleAsk('1');
		const pending = world.store.append(sampleAppend('a', [], { asks: [row] }));
		row.state = 'allowed';
		unwrap(await pending);
		for (const got of unwrap(world.store.asks())) got.input.command = 'changed';
		expect(unwrap(world.store.asks())).toEqual([sampleAsk('1')]);
	});
}

function decided(id: string, state: AskRow['state'], over: Partial<AskRow> = {}): AskRow {
	return sampleAsk(id, { state, decidedAt: 1_700_000_000_900, decidedBy: 'owner@cli', ...over });
}

function describeRules(createWorld: () => Promise<StoreWorld>): void {
	it('lists rules, oldest first, without those that were removed', async () => {
		await using world = await createWorld();
		const rules = [sampleRule('late', { createdAt: 30 }), sampleRule('early', { createdAt: 10 }), sampleRule('gone')];
		unwrap(await world.store.append(sampleAppend('a', [], { rules: { add: rules } })));
		const remove = ['gone', 'never there'].map((id) => ruleId.parse(id));
		unwrap(await world.store.append(sampleAppend('a', [sampleEvent('a', 1)], { rules: { remove } })));
		expect(unwrap(world.store.rules())).toEqual([rules[1], rules[0]]);
	});

	it('never changes a rule in place, but takes the same again and replaces one that is removed with it', async () => {
		await using world = await createWorld();
		const [first, other] = [sampleRule('1'), sampleRule('1', { decision: 'deny' })];
		unwrap(await world.store.append(sampleAppend('a', [], { rules: { add: [first] } })));
		const refused = await world.store.append(
			sampleAppend('a', [sampleEvent('a', 1)], { rules: { add: [sampleRule('2'), other] } }),
		);
		expect(unwrapError(refused).code).toBe('conflict');
		unwrap(await world.store.append(sampleAppend('a', [], { rules: { add: [first] } })));
		expect(unwrap(world.store.rules())).toEqual([first]);
		unwrap(await world.store.append(sampleAppend('a', [], { rules: { add: [other], remove: [other.id] } })));
		expect(unwrap(world.store.rules())).toEqual([other]);
	});

	it('does not write the rules of a refused request', async () => {
		await using world = await createWorld();
		unwrap(await world.store.append(sampleAppend('a', [sampleEvent('a', 1)], { rules: { add: [sampleRule('1')] } })));
		const rules = { add: [sampleRule('2')], remove: [ruleId.parse('1')] };
		expect((await world.store.append(sampleAppend('a', [sampleEvent('a', 1)], { rules }))).ok).toBe(false);
		expect(unwrap(world.store.rules())).toEqual([sampleRule('1')]);
	});
}

function describeSearch(createWorld: () => Promise<StoreWorld>): void {
	it('finds titles, prompts, messages, commands, paths and questions, newest first', async () => {
		await using world = await createWorld();
		const contents: EventContent[] = [
			{ kind: 'user.prompt', title: 'heron', data: { prompt: 'mend the roof', cwd: '/p' } },
			{ kind: 'agent.message', title: 'said', data: { text: 'the heron nests here' } },
			{ kind: 'tool.pre', title: 'Bash', data: { tool_name: 'Bash', tool_input: { command: 'git push --force heron' } } },
			{ kind: 'tool.pre', title: 'Read', data: { tool_name: 'Read', tool_input: { file_path: 'src/birds/heron.ts' } } },
			{
				kind: 'question.request',
				title: 'asked',
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
			title: 'said',
			excerpt: 'the heron nests here',
		});
		expect(unwrap(world.store.search({ words: 'heron', limit: 2 })).map(({ offset }) => offset)).toEqual([5, 4]);
	});

	it('wants every word, the last one by its beginning', async () => {
		await using world = await createWorld();
		await world.store.append(
			sampleAppend('a', [
				sampleEvent('a', 1, { kind: 'agent.message', title: 't', data: { text: 'Mending the rooster house' } }),
			]),
		);
		const count = (words: string) => unwrap(world.store.search({ words, limit: 10 })).length;
		expect(['mending roos', 'ROOSTER', 'house mending'].map(count)).toEqual([1, 1, 1]);
		expect(['mend rooster', 'rooster cat', '', '   '].map(count)).toEqual([0, 0, 0, 0]);
	});

	it('keeps to one session when it is told to', async () => {
		await using world = await createWorld();
		for (const name of ['a', 'b']) await world.store.append(sampleAppend(name, [sampleEvent(name, 1)]));
		const hits = unwrap(world.store.search({ words: 'prompt', limit: 10, sessionId: sessionId.parse('b') }));
		expect(hits.map(({ stream }) => stream)).toEqual(['b']);
	});

	it('takes operators, quotes and stars as plain characters', async () => {
		await using world = await createWorld();
		await world.store.append(
			sampleAppend('a', [sampleEvent('a', 1, { kind: 'agent.message', title: 't', data: { text: 'NOT a "quoted" AND-gate' } })]),
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
		expect(unwrap(world.store.verify(streamId.parse('a')))).toEqual({ intact: true, streams: [report.streams[0]] });
		expect(unwrapError(world.store.verify(streamId.parse('none'))).code).toBe('not_found');
	});

	it('settles what was asked before it closes, closes twice, and then refuses', async () => {
		await using world = await createWorld();
		const pending = world.store.append(sampleAppend('a', [sampleEvent('a', 1)]));
		await Promise.all([world.store.close(), world.store.close()]);
		expect((await pending).ok).toBe(true);
		const answers = [
			await world.store.append(sampleAppend('a', [sampleEvent('a', 2)])),
			world.store.read({ afterSeqNo: 0, limit: 1 }),
			world.store.sessions(),
			world.store.asks(),
			world.store.rules(),
			world.store.search({ words: 'a', limit: 1 }),
			world.store.verify(),
		];
		expect(answers.map((answer) => unwrapError(answer).code)).toEqual(answers.map(() => 'store_unavailable'));
	});
}
