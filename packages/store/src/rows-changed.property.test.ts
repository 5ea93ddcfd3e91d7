import { createPrompts, foldPrompt } from '@roost/core/session/prompts';
import { promptId, runnerId, sessionStream } from '@roost/protocol/ids';
import { storedLine } from '@roost/protocol/stored-line';
import {
	type EventContent,
	sampleAppend,
	sampleAsk,
	sampleEvent,
	sampleSession,
	tokens,
} from '@roost/testkit/rigs/record/sample-append';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryStore } from './memory-store.ts';
import type { AppendRequest, ChangedRows, PromptQueue, Store } from './store.ts';

const RUNS = process.env.ROOST_SOAK === '1' ? 1_000 : 60;
const DAY = 86_400_000;

type Change = {
	session: number;
	events: (
		| { kind: 'prompt'; id: number; state: 'queued' | 'edited' | 'sent' | 'returned' | 'cancelled' }
		| { kind: 'usage'; day: number; used: number }
		| { kind: 'other' }
	)[];
	ask: number | undefined;
};
type Action = { type: 'append'; group: Change[] } | { type: 'pull'; runner: number; page: number };

const change: fc.Arbitrary<Change> = fc.record({
	session: fc.nat(3),
	events: fc.array(
		fc.oneof(
			fc.record({
				kind: fc.constant('prompt' as const),
				id: fc.nat(2),
				state: fc.constantFrom('queued', 'edited', 'sent', 'returned', 'cancelled'),
			}),
			fc.record({ kind: fc.constant('usage' as const), day: fc.nat(2), used: fc.nat(50) }),
			fc.constant({ kind: 'other' as const }),
		),
		{ maxLength: 3 },
	),
	ask: fc.option(fc.nat(2), { nil: undefined }),
});
const action: fc.Arbitrary<Action> = fc.oneof(
	{
		weight: 3,
		arbitrary: fc.record({ type: fc.constant('append' as const), group: fc.array(change, { minLength: 1, maxLength: 3 }) }),
	},
	{
		weight: 2,
		arbitrary: fc.record({ type: fc.constant('pull' as const), runner: fc.nat(1), page: fc.integer({ min: 1, max: 5 }) }),
	},
);

describe('changed rows', () => {
	it('build a replica that equals the tables, read in pages during any appends', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(action, { maxLength: 30 }), async (actions) => {
				await using store = createMemoryStore();
				const seqs = new Map<string, number>();
				const replicas = [createReplica(), createReplica()];
				for (const step of actions) {
					if (step.type === 'append')
						for (const result of await Promise.all(step.group.map((one) => store.append(toAppend(seqs, one))))) unwrap(result);
					else pull(store, replicas[step.runner], step.runner, step.page, 1);
				}
				// Changes without an event are sent with the next one.
				for (const session of [0, 1, 2, 3])
					unwrap(await store.append(toAppend(seqs, { session, events: [{ kind: 'other' }], ask: undefined })));
				for (const [runner, replica] of replicas.entries()) pull(store, replica, runner, 3);
				expectEqual(store, replicas);
			}),
			{ numRuns: RUNS },
		);
	});

	it('are empty for a runner without events, and require valid positions', async () => {
		await using store = createMemoryStore();
		const nobody = runnerId.parse('nobody');
		expect(unwrap(store.rowsChanged({ runnerId: nobody, after: 0, upTo: 10 }))).toEqual({
			sessions: [],
			asks: [],
			queues: [],
			usage: [],
		});
		expect(unwrapError(store.rowsChanged({ runnerId: nobody, after: -1, upTo: 10 })).code).toBe('bad_request');
	});
});

/** Sessions of two runners: no replica may get rows of the other. */
const runnerOf = (session: number) => runnerId.parse(`r${session % 2}`);

function toAppend(seqs: Map<string, number>, { session, events, ask }: Change): AppendRequest {
	const id = `s${session}`;
	const next = () => {
		seqs.set(id, (seqs.get(id) ?? 0) + 1);
		return seqs.get(id) ?? 0;
	};
	const facts = events.map((event) => {
		const seq = next();
		return { ...sampleEvent(id, seq, toContent(event)), ts: (event.kind === 'usage' ? event.day : 0) * DAY + 1_700_000_000_000 };
	});
	const asks =
		ask === undefined ? [] : [sampleAsk(`${id}-ask-${ask}`, { sessionId: sampleSession(id).id, reason: `${seqs.get(id) ?? 0}` })];
	return sampleAppend(id, facts, {
		runnerId: runnerOf(session),
		session: sampleSession(id, { events: seqs.get(id) ?? 0 }),
		asks,
	});
}

function toContent(event: Change['events'][number]): EventContent | undefined {
	if (event.kind === 'other') return undefined;
	if (event.kind === 'usage') {
		const used = tokens(event.used, 1);
		return { kind: 'usage.update', data: { total: used, by_model: { [`model-${event.used % 2}`]: used } } };
	}
	const text = event.state === 'queued' || event.state === 'edited' ? { text: `prompt ${event.id}` } : {};
	return {
		kind: 'prompt.update',
		data: { prompt_id: promptId.parse(`p${event.id}`), state: event.state, ...text },
	};
}

type Replica = {
	after: number;
	sessions: Map<string, unknown>;
	asks: Map<string, unknown>;
	queues: Map<string, unknown>;
	usage: Map<string, unknown>;
};

function createReplica(): Replica {
	return { after: 0, sessions: new Map(), asks: new Map(), queues: new Map(), usage: new Map() };
}

/** Continues reading from its last position, at most this many pages. */
function pull(store: Store, replica: Replica | undefined, runner: number, page: number, pages = Number.POSITIVE_INFINITY): void {
	if (replica === undefined) throw new Error('there is no such runner');
	const owner = runnerId.parse(`r${runner}`);
	const { lastSeqNo } = unwrap(store.outbox.state(owner));
	for (let read = 0; read < pages && replica.after < lastSeqNo; read++) {
		const upTo = Math.min(replica.after + page, lastSeqNo);
		apply(replica, unwrap(store.rowsChanged({ runnerId: owner, after: replica.after, upTo })));
		replica.after = upTo;
	}
}

function apply(replica: Replica, { sessions, asks, queues, usage }: ChangedRows): void {
	for (const row of sessions) replica.sessions.set(row.id, row);
	for (const row of asks) replica.asks.set(row.id, row);
	for (const row of queues) replica.queues.set(row.sessionId, row);
	for (const row of usage) replica.usage.set(`${row.sessionId} ${row.day} ${row.model}`, row);
}

function expectEqual(store: Store, replicas: readonly Replica[]): void {
	const of = (table: 'sessions' | 'asks' | 'queues' | 'usage') =>
		replicas.flatMap((replica) => [...replica[table].values()]).toSorted(byText);
	expect(of('sessions')).toEqual(unwrap(store.sessions()).toSorted(byText));
	expect(of('asks')).toEqual(unwrap(store.asks()).toSorted(byText));
	expect(of('usage')).toEqual(unwrap(store.usage()).toSorted(byText));
	expect(of('queues')).toEqual(queuesIn(store).toSorted(byText));
}

/** Derived from the log. */
function queuesIn(store: Store): PromptQueue[] {
	return unwrap(store.sessions()).flatMap(({ id }) => {
		const lines = unwrap(store.read({ stream: sessionStream(id), after: 0, limit: 1_000 }));
		const events = lines.map(({ line }) => storedLine.parse(JSON.parse(line)).event);
		const updates = events.filter((event) => event.kind === 'prompt.update');
		const prompts = createPrompts();
		for (const update of updates) foldPrompt(prompts, update);
		return updates.length === 0 ? [] : [{ sessionId: id, prompts: prompts.waiting }];
	});
}

function byText(a: unknown, b: unknown): number {
	return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}
