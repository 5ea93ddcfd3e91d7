import { join } from 'node:path';
import type { ErrorCode } from '@roost/protocol/app-error';
import type { AskRow, AskState } from '@roost/protocol/ask';
import { runnerId, streamId } from '@roost/protocol/ids';
import type { LogEntry } from '@roost/protocol/log-entry';
import type { Rule, RuleDecision } from '@roost/protocol/rule';
import { sampleAppend, sampleAsk, sampleEvent, sampleRule, sampleSession } from '@roost/testkit/rigs/record/sample-append';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openSqliteStore } from './sqlite-store.ts';
import type { Store } from './store.ts';

const RUNS = process.env.ROOST_SOAK === '1' ? 400 : 30;
const TIMEOUT = 30_000 + RUNS * 500;

type Request = {
	stream: number;
	runner: number;
	events: number[];
	session: boolean;
	asks: { id: number; state: AskState }[];
	rules: { add: { id: number; decision: RuleDecision }[]; remove: number[] };
};
type Action =
	| { type: 'append'; group: Request[] }
	| { type: 'readStream'; stream: number; after: number; limit: number }
	| { type: 'readAll'; after: number; limit: number }
	| { type: 'acknowledge'; runner: number; seqNo: number }
	| { type: 'reopen' };

const request: fc.Arbitrary<Request> = fc.record({
	stream: fc.nat(3),
	runner: fc.nat(1),
	// Few ids, so that repeats are common, also within one request.
	events: fc.array(fc.nat(40), { maxLength: 4 }),
	session: fc.boolean(),
	asks: fc.array(fc.record({ id: fc.nat(4), state: fc.constantFrom('pending', 'pending', 'allowed', 'denied') }), {
		maxLength: 2,
	}),
	rules: fc.record({
		add: fc.array(fc.record({ id: fc.nat(2), decision: fc.constantFrom('allow', 'deny') }), { maxLength: 1 }),
		remove: fc.array(fc.nat(2), { maxLength: 1 }),
	}),
});
const page = { after: fc.nat(12), limit: fc.nat(6) };
const action: fc.Arbitrary<Action> = fc.oneof(
	{
		weight: 5,
		arbitrary: fc.record({ type: fc.constant('append' as const), group: fc.array(request, { minLength: 1, maxLength: 5 }) }),
	},
	{ weight: 2, arbitrary: fc.record({ type: fc.constant('readStream' as const), stream: fc.nat(3), ...page }) },
	{ weight: 2, arbitrary: fc.record({ type: fc.constant('readAll' as const), ...page }) },
	{
		weight: 2,
		arbitrary: fc.record({ type: fc.constant('acknowledge' as const), runner: fc.nat(1), seqNo: fc.nat(12) }),
	},
	{ weight: 1, arbitrary: fc.record({ type: fc.constant('reopen' as const) }) },
);

describe('any sequence of appends, repeats, reads, acknowledgements and reopenings', () => {
	it('matches a simple model', { timeout: TIMEOUT }, async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(action, { maxLength: 25 }), async (actions) => {
				await using directory = await createTempDir();
				const open = () => unwrap(openSqliteStore({ path: join(directory.path, 'roost.db'), access: 'write' }));
				const last = await follow(actions, open(), async (store) => {
					await store.close();
					return open();
				});
				await last.close();
			}),
			{ numRuns: RUNS },
		);
	});
});

type Placed = { stream: string; runner: string; offset: number; seqNo: number; id: string };
type Model = {
	log: Placed[];
	ids: Set<string>;
	sessions: Set<string>;
	asks: Map<number, AskState>;
	rules: Map<number, RuleDecision>;
	flushed: [number, number];
};

async function follow(actions: readonly Action[], first: Store, reopen: (store: Store) => Promise<Store>): Promise<Store> {
	const model: Model = { log: [], ids: new Set(), sessions: new Set(), asks: new Map(), rules: new Map(), flushed: [0, 0] };
	let store = first;
	for (const step of actions) {
		if (step.type === 'append') await appendBoth(model, store, step.group);
		else if (step.type === 'reopen') store = await reopen(store);
		else if (step.type === 'acknowledge') await acknowledgeBoth(model, store, step);
		else readBoth(model, store, step);
		expect(unwrap(store.asks())).toEqual([...model.asks].map(toAsk));
		expect(unwrap(store.rules())).toEqual([...model.rules].map(toRule));
		expectSameOutbox(model, store);
	}
	expect(unwrap(store.verify()).intact).toBe(true);
	expect(new Set(unwrap(store.sessions()).map(({ id }) => id))).toEqual(model.sessions);
	const found = unwrap(store.search({ words: 'thing', limit: 1_000 }));
	expect(found.map(placeOf).toSorted()).toEqual(model.log.map(placeOf).toSorted());
	return store;
}

async function appendBoth(model: Model, store: Store, group: readonly Request[]): Promise<void> {
	const results = await Promise.all(group.map((one) => store.append(toAppend(one))));
	for (const [at, one] of group.entries()) {
		const result = results[at];
		if (result === undefined) throw new Error('a request got no result');
		const expected = appendToModel(model, one);
		if (typeof expected === 'string') expect(unwrapError(result).code).toBe(expected);
		else expect(unwrap(result).entries.map(toPlaced)).toEqual(expected.map(withoutRunner));
	}
}

function toAppend({ stream, runner, events, session, asks, rules }: Request) {
	return sampleAppend(
		`s${stream}`,
		events.map((seq) => sampleEvent('x', seq + 1)),
		{
			runnerId: runnerId.parse(`r${runner}`),
			asks: asks.map(({ id, state }) => toAsk([id, state])),
			rules: {
				add: rules.add.map(({ id, decision }) => toRule([id, decision])),
				remove: rules.remove.map((id) => toRule([id, 'ask']).id),
			},
			...(session ? { session: sampleSession(`s${stream}`) } : {}),
		},
	);
}

/** The error code if the request must be refused. */
function appendToModel(model: Model, { stream, runner, events, session, asks, rules }: Request): Placed[] | ErrorCode {
	const ids = events.map((seq) => `x:R1:E${seq + 1}`);
	if (new Set(ids).size < ids.length) return 'duplicate_event';
	const tables = changeTables(model, asks, rules);
	if (tables === undefined) return 'conflict';
	if (ids.some((id) => model.ids.has(id))) return 'duplicate_event';
	Object.assign(model, tables);
	const placed: Placed[] = [];
	for (const id of ids) {
		const entry = { stream: `s${stream}`, runner: `r${runner}`, id };
		const offset = model.log.filter((other) => other.stream === entry.stream).length + 1;
		const seqNo = model.log.filter((other) => other.runner === entry.runner).length + 1;
		placed.push({ ...entry, offset, seqNo });
		model.log.push({ ...entry, offset, seqNo });
		model.ids.add(id);
	}
	if (session) model.sessions.add(`s${stream}`);
	return placed;
}

/** Undefined if a decided ask or a stored rule would change. */
function changeTables(model: Model, asks: Request['asks'], rules: Request['rules']): Pick<Model, 'asks' | 'rules'> | undefined {
	const changed = { asks: new Map(model.asks), rules: new Map(model.rules) };
	for (const { id, state } of asks) {
		const before = changed.asks.get(id) ?? 'pending';
		if (before !== 'pending' && before !== state) return undefined;
		changed.asks.set(id, state);
	}
	for (const id of rules.remove) changed.rules.delete(id);
	for (const { id, decision } of rules.add) {
		if ((changed.rules.get(id) ?? decision) !== decision) return undefined;
		changed.rules.set(id, decision);
	}
	return changed;
}

function toAsk([id, state]: [number, AskState]): AskRow {
	return sampleAsk(`ask-${id}`, { state });
}

function toRule([id, decision]: [number, RuleDecision]): Rule {
	return sampleRule(`rule-${id}`, { decision });
}

function readBoth(model: Model, store: Store, step: Extract<Action, { type: 'readStream' | 'readAll' }>): void {
	const { after, limit } = step;
	if (step.type === 'readStream') {
		const expected = model.log.filter(({ stream, offset }) => stream === `s${step.stream}` && offset > after).slice(0, limit);
		const found = unwrap(store.read({ stream: streamId.parse(`s${step.stream}`), after, limit }));
		expect(found.map(toPlaced)).toEqual(expected.map(withoutRunner));
		return;
	}
	const rest = model.log.filter(({ seqNo }) => seqNo > after).toSorted((a, b) => a.seqNo - b.seqNo);
	const last = rest[limit - 1]?.seqNo ?? (limit === 0 ? 0 : Number.POSITIVE_INFINITY);
	const found = unwrap(store.read({ afterSeqNo: after, limit }));
	expect(found.map(({ seqNo }) => seqNo)).toEqual(rest.filter(({ seqNo }) => seqNo <= last).map(({ seqNo }) => seqNo));
	expect(found.map(placeOf).toSorted()).toEqual(
		rest
			.filter(({ seqNo }) => seqNo <= last)
			.map(placeOf)
			.toSorted(),
	);
}

type Acknowledgement = Extract<Action, { type: 'acknowledge' }>;

async function acknowledgeBoth(model: Model, store: Store, { runner, seqNo }: Acknowledgement): Promise<void> {
	const marked = await store.outbox.markFlushed({ runnerId: runnerId.parse(`r${runner}`), epoch: 1, seqNo });
	const stored = model.log.filter((entry) => entry.runner === `r${runner}`).length;
	if (seqNo > stored) expect(unwrapError(marked).code).toBe('conflict');
	else model.flushed[runner] = Math.max(model.flushed[runner] ?? 0, seqNo);
}

function expectSameOutbox(model: Model, store: Store): void {
	for (const [runner, flushed] of model.flushed.entries()) {
		const expected = model.log.filter((entry) => entry.runner === `r${runner}` && entry.seqNo > flushed);
		const unflushed = unwrap(store.outbox.readUnflushed({ runnerId: runnerId.parse(`r${runner}`), limit: 1_000 }));
		expect(unflushed.map(toPlaced)).toEqual(expected.map(withoutRunner));
	}
}

function toPlaced({ stream, offset, seqNo, line }: LogEntry): Omit<Placed, 'runner'> {
	return { stream, offset, seqNo, id: JSON.parse(line).event.event_id };
}

function withoutRunner({ stream, offset, seqNo, id }: Placed): Omit<Placed, 'runner'> {
	return { stream, offset, seqNo, id };
}

function placeOf({ stream, offset }: { stream: string; offset: number }): string {
	return `${stream}@${offset}`;
}
