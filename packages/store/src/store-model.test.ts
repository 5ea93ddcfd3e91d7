import { join } from 'node:path';
import { runnerId, streamId } from '@roost/protocol/ids';
import type { LogEntry } from '@roost/protocol/log-entry';
import { sampleAppend, sampleEvent, sampleSession } from '@roost/testkit/rigs/sample-append';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryStore } from './memory-store.ts';
import { openSqliteStore } from './sqlite-store.ts';
import type { Store } from './store.ts';

const RUNS = process.env.ROOST_SOAK === '1' ? 400 : 30;
const TIMEOUT = 30_000 + RUNS * 500;

type Request = { stream: number; runner: number; events: number[]; session: boolean };
type Action =
	| { type: 'append'; group: Request[] }
	| { type: 'readStream'; stream: number; after: number; limit: number }
	| { type: 'readAll'; after: number; limit: number }
	| { type: 'reopen' };

const request: fc.Arbitrary<Request> = fc.record({
	stream: fc.nat(3),
	runner: fc.nat(1),
	// Few ids, so that repeats are common, also within one request.
	events: fc.array(fc.nat(40), { maxLength: 4 }),
	session: fc.boolean(),
});
const page = { after: fc.nat(12), limit: fc.nat(6) };
const action: fc.Arbitrary<Action> = fc.oneof(
	{
		weight: 5,
		arbitrary: fc.record({ type: fc.constant('append' as const), group: fc.array(request, { minLength: 1, maxLength: 5 }) }),
	},
	{ weight: 2, arbitrary: fc.record({ type: fc.constant('readStream' as const), stream: fc.nat(3), ...page }) },
	{ weight: 2, arbitrary: fc.record({ type: fc.constant('readAll' as const), ...page }) },
	{ weight: 1, arbitrary: fc.record({ type: fc.constant('reopen' as const) }) },
);

describe('any sequence of appends, repeats, reads and reopenings agrees with a simple model', () => {
	it('in memory', { timeout: TIMEOUT }, async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(action, { maxLength: 25 }), async (actions) => {
				await using store = createMemoryStore();
				await follow(actions, store, async (same) => same);
			}),
			{ numRuns: RUNS },
		);
	});

	it('in SQLite', { timeout: TIMEOUT }, async () => {
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
type Model = { log: Placed[]; ids: Set<string>; sessions: Set<string> };

async function follow(actions: readonly Action[], first: Store, reopen: (store: Store) => Promise<Store>): Promise<Store> {
	const model: Model = { log: [], ids: new Set(), sessions: new Set() };
	let store = first;
	for (const step of actions) {
		if (step.type === 'append') await appendBoth(model, store, step.group);
		else if (step.type === 'reopen') store = await reopen(store);
		else readBoth(model, store, step);
	}
	expect(unwrap(store.verify()).intact).toBe(true);
	expect(new Set(unwrap(store.sessions()).map(({ id }) => id))).toEqual(model.sessions);
	const found = unwrap(store.search({ words: 'prompt', limit: 1_000 }));
	expect(found.map(placeOf).toSorted()).toEqual(model.log.map(placeOf).toSorted());
	return store;
}

async function appendBoth(model: Model, store: Store, group: readonly Request[]): Promise<void> {
	const results = await Promise.all(group.map((one) => store.append(toAppend(one))));
	for (const [at, one] of group.entries()) {
		const result = results[at];
		if (result === undefined) throw new Error('a request got no result');
		const expected = appendToModel(model, one);
		if (expected === undefined) expect(unwrapError(result).code).toBe('duplicate_event');
		else expect(unwrap(result).entries.map(toPlaced)).toEqual(expected.map(withoutRunner));
	}
}

function toAppend({ stream, runner, events, session }: Request) {
	return sampleAppend(
		`s${stream}`,
		events.map((seq) => sampleEvent('x', seq + 1)),
		{ runnerId: runnerId.parse(`r${runner}`), ...(session ? { session: sampleSession(`s${stream}`) } : {}) },
	);
}

/** Undefined when the request must be refused. */
function appendToModel(model: Model, { stream, runner, events, session }: Request): Placed[] | undefined {
	const ids = events.map((seq) => `x:R1:E${seq + 1}`);
	if (new Set(ids).size < ids.length || ids.some((id) => model.ids.has(id))) return undefined;
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

function toPlaced({ stream, offset, seqNo, line }: LogEntry): Omit<Placed, 'runner'> {
	return { stream, offset, seqNo, id: JSON.parse(line).event.event_id };
}

function withoutRunner({ stream, offset, seqNo, id }: Placed): Omit<Placed, 'runner'> {
	return { stream, offset, seqNo, id };
}

function placeOf({ stream, offset }: { stream: string; offset: number }): string {
	return `${stream}@${offset}`;
}
