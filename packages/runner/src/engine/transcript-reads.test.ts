// Reading transcripts during a session: in order, and only as much as needed.

import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInjectableMockRuntime } from '@roost/agents/mock/injectable';
import { readReport } from '@roost/core/runtime/normal-form/read-report';
import { sessionId } from '@roost/protocol/ids';
import { createMemoryStore } from '@roost/store/memory-store';
import { readStored, TEST_PATH, TEST_PROJECT } from '@roost/testkit/rigs/runner/engine-rig';
import { createTestEngine } from '@roost/testkit/rigs/runner/test-engine';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { summariseTranscript } from './summaries.ts';
import { createTranscriptReads } from './transcript-reads.ts';
import { createUsageCounts } from './usage-counts.ts';

const ID = sessionId.parse('s1');

describe('transcript reads', () => {
	it('report the usage after each turn, and nothing if it did not change', async () => {
		await using world = await openWorld();
		await world.answered('m1', 10);
		expect(await world.receive('Stop')).toEqual([10]);
		expect(await world.receive('Stop')).toEqual([10]);
		await world.answered('m2', 5);
		expect(await world.receive('Stop')).toEqual([10, 15]);
	});

	it('exclude usage from before the session began, as in a fork or a resumed past session', async () => {
		await using world = await openWorld();
		await world.answered('copied', 100, 'past');
		await world.answered('m1', 10, 'future');
		expect(await world.receive('Stop')).toEqual([10]);
		await world.answered('late', 3, 'future');
		expect(await world.receive('SessionEnd')).toEqual([10, 13]);
	});

	it('add up the usage of cleared conversations, each with its own transcript', async () => {
		await using world = await openWorld();
		await world.answered('m1', 10);
		expect(await world.receive('Stop')).toEqual([10]);
		expect(await world.receive('SessionEnd')).toEqual([10]);
		world.clear();
		await world.answered('m2', 5);
		expect(await world.receive('Stop')).toEqual([10, 15]);
		await world.answered('late', 3);
		expect(await world.receive('SessionEnd')).toEqual([10, 15, 18]);
	});

	it('add usage at the end that was written too late for the last turn, without repeating any', async () => {
		await using world = await openWorld();
		await world.answered('m1', 10);
		await world.receive('Stop');
		await world.answered('late', 3);
		expect(await world.receive('SessionEnd')).toEqual([10, 13]);
		await using second = await openWorld();
		await second.answered('m1', 10);
		await second.receive('Stop');
		expect(await second.receive('SessionEnd')).toEqual([10]);
	});

	it('report nothing at a stop if the transcript is missing', async () => {
		await using world = await openWorld();
		expect(await world.receive('Stop')).toEqual([]);
	});

	it('run one at a time per session, and count once for several waiting requests', async () => {
		const log: string[] = [];
		const first = Promise.withResolvers<[]>();
		const reads = createTranscriptReads({
			summarise({ path }) {
				log.push(`summary ${path}`);
				return Promise.resolve([]);
			},
			count: ({ path }) => (log.push(`count ${path}`) === 1 ? first.promise : Promise.resolve([])),
			sessionOf: () => ({ since: 0, nativeIds: [] }),
			note: () => {},
		});
		reads.count(ID, of('a'));
		await Promise.resolve();
		for (const path of ['b', 'c', 'd']) reads.count(ID, of(path));
		reads.summarise(ID, of('end'), true);
		expect(log).toEqual(['count a']);
		first.resolve([]);
		await reads.settled(ID);
		expect(log).toEqual(['count a', 'count b', 'summary end']);
		expect(reads.isReading(ID)).toBe(false);
	});
});

async function openWorld() {
	await using stack = new AsyncDisposableStack();
	const temp = stack.use(await createTempDir());
	let nativeId = '00000000-0000-4000-8000-000000000000';
	const transcriptAt = () => join(temp.path, `${nativeId}.jsonl`);
	const store = createMemoryStore();
	const engine = stack.use(createTestEngine({ store, summarise: summariseTranscript, count: createUsageCounts() }));
	const mock = createInjectableMockRuntime();
	const runtime = { ...mock, capabilities: { ...mock.capabilities, agent: 'claude' } };
	const owned = stack.move();
	let events = 0;
	return {
		answered: (id: string, output: number, when?: keyof typeof TIMES) =>
			appendFile(transcriptAt(), `${answer(id, output, when && TIMES[when])}\n`),
		clear() {
			nativeId = `${nativeId.slice(0, -1)}1`;
		},
		/** The output tokens reported so far. */
		async receive(hookName: string): Promise<number[]> {
			const project = { id: TEST_PROJECT, path: TEST_PATH };
			const session = unwrap(engine.open({ id: ID, runtime, project, gate: 'observe' }));
			const context = { cwd: '/project', transcriptPath: transcriptAt() };
			const base = {
				id: `e${++events}`,
				timestamp: events,
				sessionId: nativeId,
				context,
				interaction: { expectsDecision: false },
			};
			const event = { ...base, ...readReport(hookName, {}) };
			session.post({ type: 'reported', event }, { runtime, gate: 'observe' });
			await engine.settled();
			return readStored(store, ID).flatMap(({ event }) => (event.kind === 'usage.update' ? event.data.total.output_tokens : []));
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

/** Times before and after the start of the session. */
const TIMES = { past: '1969-12-31T00:00:00.000Z', future: '1970-01-02T00:00:00.000Z' };

const of = (path: string) => ({ path, agent: 'claude' });

function answer(id: string, output: number, timestamp?: string): string {
	const usage = { input_tokens: 1, output_tokens: output };
	return JSON.stringify({ type: 'assistant', timestamp, message: { id, model: 'claude-opus-5-5', content: [], usage } });
}
