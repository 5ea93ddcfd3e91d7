// Search over any hub storage: the hits of a runner's own index, whatever the texts, the words and the moment of a kill.

import type { Timers } from '@roost/machine/timers';
import { AppError } from '@roost/protocol/app-error';
import type { LogName } from '@roost/protocol/log-cursor';
import { err } from '@roost/protocol/result';
import { genesisHash, nextHash } from '@roost/store/hash-chain';
import { loneNode } from '@roost/testkit/rigs/hub/lone-node';
import { sampleBatch } from '@roost/testkit/rigs/hub/sample-log';
import { type SampleEvent, sampleRecord } from '@roost/testkit/rigs/hub/sample-record';
import { createManualTimers } from '@roost/testkit/rigs/manual-timers';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type KnownRunner, loadRunners } from '../runners/known-runners.ts';
import { type HubWorld, pair } from '../store/hub-store.contract.ts';
import type { HubStore, HubWords } from '../store/hub-store.ts';
import { createIndexer } from './indexer.ts';
import { searchLog } from './search-log.ts';

const RUNS = process.env.ROOST_SOAK === '1' ? 500 : 25;

export function describeHubSearch(name: string, createWorld: () => Promise<HubWorld>): void {
	describe(name, { timeout: 120_000 }, () => {
		it('has the hits of the index of the runner, for any texts and words', async () => {
			await using world = await createWorld();
			let count = 0;
			await fc.assert(
				fc.asyncProperty(anyEvents, fc.array(anyWords, { minLength: 1, maxLength: 6 }), async (events, searches) => {
					const runner = `runner-${++count}`;
					await using record = await sampleRecord(runner, events);
					const log = await pair(world.store, runner);
					unwrap(await world.store.logs.take(sampleBatch(log, record.lines)));
					await indexAll(world.store, runner);
					for (const words of searches)
						for (const limit of [1, 3, 50])
							expect(unwrap(await searchLog(world.store.words, log, { words, limit })), words).toEqual({
								hits: record.search(words, limit),
								unsearched: 0,
							});
				}),
				{ numRuns: RUNS },
			);
		});

		it('finds a text with more different words than an index can hold, and a word longer than its entries', async () => {
			await using world = await createWorld();
			const many = Array.from({ length: 130_000 }, (_, at) => `word${at}`).join(' ');
			const long = `${'ab'.repeat(2_000)}`;
			const events = [message('s1', many), message('s2', `${long}c needle`), message('s3', `${long}d`)];
			await using record = await sampleRecord('runner-1', events);
			const log = await pair(world.store, 'runner-1');
			unwrap(await world.store.logs.take(sampleBatch(log, record.lines)));
			await indexAll(world.store, 'runner-1');
			const searches = [
				['word77777', 1],
				['word5 word6', 1],
				['word7.word8', 1],
				['word7.word9', 0],
				[`${long}c`, 1],
				[long, 2],
				['needle', 1],
			];
			for (const [words, hits] of searches) {
				const found = unwrap(await searchLog(world.store.words, log, { words: String(words), limit: 5 }));
				expect(found.hits).toHaveLength(Number(hits));
				expect(found.hits).toEqual(record.search(String(words), 5));
			}
		});

		it('finds a phrase behind many newer lines that have its words apart', async () => {
			await using world = await createWorld();
			const apart = ['ts foo now', 'foo x ts now', 'foo tsx now'].map((text) => message('s2', text));
			const events = [message('s1', 'edit foo.ts now'), ...Array.from({ length: 20 }, () => apart).flat()];
			await using record = await sampleRecord('runner-1', events);
			const log = await pair(world.store, 'runner-1');
			unwrap(await world.store.logs.take(sampleBatch(log, record.lines)));
			await indexAll(world.store, 'runner-1');
			for (const words of ['foo.ts n', 'foo.ts now'])
				expect(unwrap(await searchLog(world.store.words, log, { words, limit: 1 })).hits).toMatchObject([{ sessionId: 's1' }]);
			expect(unwrap(await searchLog(world.store.words, log, { words: 'foo.tsx', limit: 100 })).hits).toHaveLength(20);
		});

		it('says how many lines are not indexed yet, and indexes in slices', async () => {
			await using world = await createWorld();
			await using record = await sampleRecord('runner-1', prompts(7));
			const log = await pair(world.store, 'runner-1');
			const { words } = world.store;
			expect(unwrap(await words.next(log, 5))).toEqual({ after: 0, lines: [] });
			unwrap(await world.store.logs.take(sampleBatch(log, record.lines)));
			expect(unwrap(await searchLog(words, log, { words: 'thing', limit: 9 }))).toEqual({ hits: [], unsearched: 7 });
			const next = unwrap(await words.next(log, 5));
			expect(next.lines.map(({ seqNo }) => seqNo)).toEqual([1, 2, 3, 4, 5]);
			const slice = { after: 0, upTo: 5, texts: next.lines.map(({ seqNo }) => ({ seqNo, title: '', text: 'do thing' })) };
			expect(unwrap(await words.add(log, slice))).toBe(true);
			// A second node, and one that woke up late.
			expect(unwrap(await words.add(log, slice))).toBe(false);
			expect(unwrap(await words.add(log, { ...slice, after: 3, upTo: 7 }))).toBe(false);
			const found = unwrap(await searchLog(words, log, { words: 'thing', limit: 9 }));
			expect(found).toMatchObject({ hits: [5, 4, 3, 2, 1].map((offset) => ({ offset })), unsearched: 2 });
			expect(unwrap(await words.next(log, 5))).toMatchObject({ after: 5, lines: [{ seqNo: 6 }, { seqNo: 7 }] });
		});

		it('reads about a megabyte at once, and a longer line alone', async () => {
			await using world = await createWorld();
			const events = [900_000, 900_000, 2_500_000, 1].map((length) => message('s1', 'x'.repeat(length)));
			await using record = await sampleRecord('runner-1', events);
			const log = await pair(world.store, 'runner-1');
			unwrap(await world.store.logs.take(sampleBatch(log, record.lines)));
			const read: number[][] = [];
			for (let after = 0; after < 4; ) {
				const { lines } = unwrap(await world.store.words.next(log, 500));
				read.push(lines.map(({ seqNo }) => seqNo));
				const upTo = lines.at(-1)?.seqNo ?? 9;
				unwrap(await world.store.words.add(log, { after, upTo, texts: [] }));
				after = upTo;
			}
			expect(read).toEqual([[1, 2], [3], [4]]);
		});

		it('skips lines that it cannot read', async () => {
			await using world = await createWorld();
			await using record = await sampleRecord('runner-1', prompts(3));
			const log = await pair(world.store, 'runner-1');
			const lines = record.lines.map((line) => ({
				...line,
				line: line.seqNo === 2 ? line.line.replace('user.prompt', 'user.novel') : line.line,
			}));
			let head = genesisHash('s1');
			const chained = lines.map((line) => {
				head = nextHash(head, line.line);
				return { ...line, hash: head };
			});
			unwrap(await world.store.logs.take(sampleBatch(log, chained)));
			await indexAll(world.store, 'runner-1');
			const found = unwrap(await searchLog(world.store.words, log, { words: 'thing', limit: 9 }));
			expect(found).toMatchObject({ hits: [{ offset: 3 }, { offset: 1 }], unsearched: 0 });
		});

		it('indexes every line once, wherever it is killed', async () => {
			await using world = await createWorld();
			await using record = await sampleRecord('runner-1', prompts(1_700));
			const log = await pair(world.store, 'runner-1');
			unwrap(await world.store.logs.take(sampleBatch(log, record.lines)));
			for (let steps = 0; ; steps += 1) {
				const mortal = killAfter(world.store.words, steps % 7, steps % 2 === 0);
				await indexUntil({ ...world.store, words: mortal.words }, 'runner-1', mortal.killed);
				const { indexed } = unwrap(await world.store.words.state(log));
				const found = unwrap(await world.store.words.find(log, { words: 'thing', limit: 5_000 }));
				expect(found.map(({ seqNo }) => seqNo)).toEqual(Array.from({ length: indexed }, (_, at) => indexed - at));
				if (indexed === 1_700) break;
			}
		});

		it('continues with the next log of a runner when one has ended', async () => {
			await using world = await createWorld();
			await using record = await sampleRecord('runner-1', prompts(5));
			await using other = await sampleRecord('runner-1', [message('s1', 'after the backup')]);
			const log = await pair(world.store, 'runner-1');
			unwrap(await world.store.logs.take(sampleBatch(log, record.lines)));
			await indexAll(world.store, 'runner-1');
			const restored = { ...log, epoch: 2 };
			unwrap(await world.store.logs.openEpoch(restored, 'restored', 2));
			unwrap(await world.store.logs.take(sampleBatch(restored, other.lines)));
			expect(unwrap(await world.store.words.add(log, { after: 5, upTo: 6, texts: [] }))).toBe(false);
			await indexAll(world.store, 'runner-1');
			const hitsOf = async (name: LogName, words: string) =>
				unwrap(await searchLog(world.store.words, name, { words, limit: 9 })).hits;
			expect(await hitsOf(restored, 'thing')).toEqual([]);
			expect(await hitsOf(restored, 'backup')).toMatchObject([{ offset: 1 }]);
		});

		it('indexes new lines of followed runners, and continues when the database is back', async () => {
			await using world = await createWorld();
			await using record = await sampleRecord('runner-1', prompts(4));
			const log = await pair(world.store, 'runner-1');
			const runner = await knownRunner(world.store, 'runner-1');
			const timers = createManualTimers();
			const warnings: string[] = [];
			let isAway = true;
			const next: HubWords['next'] = async (...args) =>
				isAway ? err(new AppError('store_unavailable', 'away')) : await world.store.words.next(...args);
			await using indexer = createIndexer({
				words: { ...world.store.words, next },
				timers,
				log: ({ why }) => warnings.push(String(why)),
			});
			indexer.follow(runner);
			indexer.follow(runner);
			unwrap(await world.store.logs.take(sampleBatch(log, record.lines)));
			runner.reached(log, record.lines.length);
			await advanceUntil(timers, () => (warnings.length > 0 ? true : undefined));
			isAway = false;
			await advanceUntil(timers, async () => (unwrap(await world.store.words.state(log)).indexed === 4 ? true : undefined));
			expect(warnings[0]).toBe('away');
		});
	});
}

/** Texts that databases split in different ways. */
const PARTS = [
	'foo',
	'Foo.ts',
	'src/foo.ts',
	'Füße',
	'fusse',
	'naïve',
	'NAIVE',
	'1e5',
	'1.5',
	'-3',
	'a_b',
	'中文',
	'文',
	'💚',
	"don't",
	'C++',
	'<b>bold</b>',
	'ada@example.com',
	'https://example.com/a?b=c',
	'->',
	'NEAR',
	'AND',
	"'",
	'"quoted"',
	'\\',
	'\u0000',
	'\ud800',
	'&',
	'|',
	'!',
	':*',
	'\uE000x',
	'e\u0301te',
	'İstanbul',
	'x'.repeat(300),
	'foo-bar',
	'bar',
	'ba',
] as const;
const anyText = fc
	.array(fc.oneof(fc.constantFrom(...PARTS), fc.string({ unit: 'binary', maxLength: 6 })), { maxLength: 8 })
	.map((parts) => parts.join(' '));
const anyWords = fc.oneof(
	fc.array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 3 }).map((parts) => parts.join(' ')),
	fc.tuple(fc.constantFrom(...PARTS), fc.nat(5)).map(([part, length]) => part.slice(0, length + 1)),
	anyText,
);

const anyEvents = fc.array(
	fc
		.record({ session: fc.constantFrom('s1', 's2'), call: fc.constantFrom('t1', 't2', 't3'), kind: fc.nat(4), text: anyText })
		.map(toEvent),
	{ minLength: 1, maxLength: 14 },
);

function toEvent({ session, call, kind, text }: { session: string; call: string; kind: number; text: string }): SampleEvent {
	const tool = { tool_name: 'Bash', tool_input: { command: text, description: 'the foo' }, tool_use_id: call };
	if (kind === 0) return { session, kind: 'user.prompt', data: { prompt: text, cwd: '/project' } };
	if (kind === 1) return { session, kind: 'tool.pre', data: tool, toolUseId: call };
	if (kind === 2) return { session, kind: 'tool.post', data: { ...tool, tool_response: {} }, toolUseId: call };
	if (kind === 3)
		return { session, kind: 'stop.request', data: { stop_hook_active: false, scope: 'root', last_assistant_message: text } };
	return message(session, text);
}

function message(session: string, text: string): SampleEvent {
	return { session, kind: 'agent.message', data: { text } };
}

function prompts(count: number): SampleEvent[] {
	return Array.from({ length: count }, (_, at) => ({
		session: 's1',
		kind: 'user.prompt',
		data: { prompt: `do thing ${at}`, cwd: '/project' },
	}));
}

async function knownRunner(store: HubStore, id: string): Promise<KnownRunner> {
	const runner = unwrap(await loadRunners({ store, ...loneNode() })).find(id);
	if (!runner) throw new Error(`${id} was not paired`);
	return runner;
}

const AT_ONCE: Timers = {
	after(_, run) {
		const one = setImmediate(run);
		return () => clearImmediate(one);
	},
};

export async function indexAll(store: HubStore, id: string): Promise<void> {
	await using indexer = createIndexer({ words: store.words, timers: AT_ONCE, log: ({ why }) => expect.unreachable(String(why)) });
	indexer.follow(await knownRunner(store, id));
	await indexer.idle();
}

/** Until it is done or was killed; what a killed one had begun never ends. */
async function indexUntil(store: HubStore, id: string, killed: Promise<void>): Promise<void> {
	const indexer = createIndexer({ words: store.words, timers: AT_ONCE, log: ({ why }) => expect.unreachable(String(why)) });
	indexer.follow(await knownRunner(store, id));
	await Promise.race([indexer.idle(), killed]);
	void indexer[Symbol.asyncDispose]();
}

/** Never answers after this many calls; `after` the effect of the last one, or before it. */
function killAfter(words: HubWords, calls: number, afterEffect: boolean) {
	const { promise: killed, resolve } = Promise.withResolvers<void>();
	let left = calls;
	async function mortal<T>(call: () => Promise<T>): Promise<T> {
		left -= 1;
		if (left >= 0) return await call();
		if (left === -1 && afterEffect) await call();
		resolve();
		return await new Promise<T>(() => undefined);
	}
	return {
		killed,
		words: {
			...words,
			next: (log, limit) => mortal(() => words.next(log, limit)),
			add: (log, slice) => mortal(() => words.add(log, slice)),
		} satisfies HubWords,
	};
}

async function advanceUntil(
	timers: ReturnType<typeof createManualTimers>,
	fact: () => true | undefined | Promise<true | undefined>,
): Promise<void> {
	await waitFor(
		async () => {
			timers.advance(10_000);
			return await fact();
		},
		{ what: 'the indexer', everyMs: 1 },
	);
}
