// Reading transcripts beside a session: in order, never more than needed.
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInjectableMockRuntime } from '@roost/agents/mock/injectable';
import { sessionId } from '@roost/protocol/ids';
import { createMemoryStore } from '@roost/store/memory-store';
import { readStored, TEST_PROJECT } from '@roost/testkit/rigs/engine-rig';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { createTestEngine } from '@roost/testkit/rigs/test-engine';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { summariseTranscript } from './summaries.ts';
import { createTranscriptReads } from './transcript-reads.ts';
import { createUsageCounts } from './usage-counts.ts';

const ID = sessionId.parse('s1');

describe('reading transcripts beside a session', () => {
	it('tells what was used at each end of a turn, and nothing where nothing was added', async () => {
		await using world = await openWorld();
		await world.answered('m1', 10);
		expect(await world.hear('Stop')).toEqual([10]);
		expect(await world.hear('Stop')).toEqual([10]);
		await world.answered('m2', 5);
		expect(await world.hear('Stop')).toEqual([10, 15]);
	});

	it('makes up at the end for what came too late for the last turn, and repeats nothing else', async () => {
		await using world = await openWorld();
		await world.answered('m1', 10);
		await world.hear('Stop');
		await world.answered('late', 3);
		expect(await world.hear('SessionEnd')).toEqual([10, 13]);
		await using second = await openWorld();
		await second.answered('m1', 10);
		await second.hear('Stop');
		expect(await second.hear('SessionEnd')).toEqual([10]);
	});

	it('says nothing at a stop where the transcript is missing', async () => {
		await using world = await openWorld();
		expect(await world.hear('Stop')).toEqual([]);
	});

	it('reads one after the other for a session, and counts once for many that wait', async () => {
		const log: string[] = [];
		const first = Promise.withResolvers<[]>();
		const reads = createTranscriptReads({
			summarise(path) {
				log.push(`summary ${path}`);
				return Promise.resolve([]);
			},
			count: (path) => (log.push(`count ${path}`) === 1 ? first.promise : Promise.resolve([])),
			note: () => {},
		});
		reads.count(ID, of('a'));
		await Promise.resolve();
		for (const path of ['b', 'c', 'd']) reads.count(ID, of(path));
		reads.summarise(ID, of('end'), true);
		expect(log).toEqual(['count a']);
		first.resolve([]);
		await reads.settled();
		expect(log).toEqual(['count a', 'count b', 'summary end']);
		expect(reads.isReading(ID)).toBe(false);
	});
});

async function openWorld() {
	await using stack = new AsyncDisposableStack();
	const temp = stack.use(await createTempDir());
	const transcriptPath = join(temp.path, 'session.jsonl');
	const store = createMemoryStore();
	const engine = stack.use(createTestEngine({ store, summarise: summariseTranscript, count: createUsageCounts() }));
	const mock = createInjectableMockRuntime();
	const runtime = { ...mock, capabilities: { ...mock.capabilities, agent: 'claude' } };
	const owned = stack.move();
	let events = 0;
	return {
		answered: (id: string, output: number) => appendFile(transcriptPath, `${answer(id, output)}\n`),
		/** The output tokens that were told so far. */
		async hear(hookName: string): Promise<number[]> {
			const project = { id: TEST_PROJECT, path: TEST_PROJECT };
			const session = unwrap(engine.open({ id: ID, runtime, project, gate: 'observe' }));
			const context = { cwd: '/project', transcriptPath };
			const event = { id: `e${++events}`, timestamp: events, hookName, sessionId: 'n1', context, payload: {} };
			session.post(
				{ type: 'reported', event: { ...event, interaction: { expectsDecision: false } } },
				{ runtime, gate: 'observe' },
			);
			await engine.settled();
			return readStored(store, ID).flatMap(({ event }) => (event.kind === 'usage.update' ? event.data.total.output_tokens : []));
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

const of = (path: string) => ({ path, agent: 'claude' });

function answer(id: string, output: number): string {
	const usage = { input_tokens: 1, output_tokens: output };
	return JSON.stringify({ type: 'assistant', message: { id, model: 'claude-opus-5-5', content: [], usage } });
}
