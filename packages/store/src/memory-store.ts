// The record in memory, for tests: the same promises, except that it ends with the process.
import { DatabaseSync } from 'node:sqlite';
import type { UsageRow } from '@roost/core/usage/group-usage';
import { countReport, type UsageDay } from '@roost/core/usage/usage-days';
import { AppError } from '@roost/protocol/app-error';
import type { AskRow } from '@roost/protocol/ask';
import type { AskId, RuleId, RunnerId, SessionId, StreamId } from '@roost/protocol/ids';
import type { LogEntry } from '@roost/protocol/log-entry';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Rule } from '@roost/protocol/rule';
import type { SessionRow } from '@roost/protocol/session-row';
import { advanceMark } from './advance-mark.ts';
import { type Anchor, createAnchorFold } from './anchor.ts';
import { createAppendQueue } from './append-queue.ts';
import { conflictOf, type Kept } from './compare-and-set.ts';
import { genesisHash, nextHash } from './hash-chain.ts';
import { mergeBySeqNo } from './log-reader.ts';
import { type PreparedAppend, type PreparedRow, prepareAppend, toLine } from './prepared-append.ts';
import { closedStore, duplicateEvent, queryFault } from './refusals.ts';
import { createSearchIndex, SEARCH_TABLES, type SearchIndex } from './search-index.ts';
import { searchText } from './search-text.ts';
import type {
	AppendReceipt,
	AsksQuery,
	OutboxState,
	SessionsQuery,
	Store,
	StreamReport,
	UnflushedQuery,
	UsageDaysQuery,
	VerifyReport,
} from './store.ts';

export function createMemoryStore(): Store {
	const db = new DatabaseSync(':memory:');
	db.exec(SEARCH_TABLES);
	const index = createSearchIndex(db);
	const record = createRecord(index);
	const queue = createAppendQueue((group: readonly PreparedAppend[]) => group.map(record.append));

	function whileOpen<T>(action: () => Result<T>): Result<T> {
		return db.isOpen ? action() : err(closedStore());
	}

	async function close(): Promise<void> {
		if (!db.isOpen) return;
		queue.flush();
		db.close();
	}

	return {
		async append(request) {
			if (!db.isOpen) return err(closedStore());
			const prepared = prepareAppend(request);
			return prepared.ok ? queue.add(prepared.value) : prepared;
		},
		read: (query) => queryFault(query) ?? whileOpen(() => ok('stream' in query ? record.ofStream(query) : record.ofAll(query))),
		sessions: (query = {}) => whileOpen(() => ok(record.sessions(query))),
		asks: (query = {}) => queryFault(query) ?? whileOpen(() => ok(record.asks(query))),
		rules: () => whileOpen(() => ok(record.rules())),
		checkedRules: () => whileOpen(() => ok({ rules: record.rules(), problems: [] })),
		search: (query) => queryFault(query) ?? whileOpen(() => ok(index.find(query))),
		searchLag: () => whileOpen(() => ok(0)),
		usage: (query = {}) => whileOpen(() => ok(record.usage(query))),
		verify: (stream) => whileOpen(() => record.verify(stream)),
		verifyTables: () => whileOpen(() => ok([])),
		anchor: (counts) => whileOpen(() => ok(record.anchor(counts))),
		outbox: {
			state: (runnerId) => whileOpen(() => record.outbox.state(runnerId)),
			readUnflushed: (query) => queryFault(query) ?? whileOpen(() => record.outbox.readUnflushed(query)),
			markFlushed: async (runnerId, upToSeqNo) => whileOpen(() => record.outbox.mark(runnerId, upToSeqNo)),
		},
		close,
		[Symbol.asyncDispose]: close,
	};
}

function createRecord(index: SearchIndex) {
	const streams = new Map<string, LogEntry[]>();
	const runners = new Map<string, LogEntry[]>();
	const eventIds = new Set<string>();
	const sessions = new Map<string, SessionRow>();
	const usage = createUsageBook(sessions);
	const desk = createDesk();

	function append(prepared: PreparedAppend): Result<AppendReceipt> {
		const { request, events } = prepared;
		const conflict = conflictOf(prepared, desk.kept);
		if (conflict !== undefined) return err(conflict);
		const repeated = events.find(({ id }) => eventIds.has(id));
		if (repeated !== undefined) return err(duplicateEvent(repeated.id));
		const inStream = listOf(streams, request.stream);
		const inRunner = listOf(runners, request.runnerId);
		const receipt = { firstOffset: inStream.length + 1, firstSeqNo: inRunner.length + 1 };
		const entries = events.map((event): LogEntry => {
			const place = { seqNo: inRunner.length + 1, offset: inStream.length + 1, stream: request.stream };
			const entry = { ...place, line: toLine(prepared, event, place.seqNo, place.offset) };
			inStream.push(entry);
			inRunner.push(entry);
			eventIds.add(event.id);
			return entry;
		});
		addToIndex(prepared, receipt.firstOffset);
		if (request.session !== undefined) sessions.set(request.session.id, structuredClone(request.session));
		desk.save(prepared);
		usage.count(prepared);
		return ok({ ...receipt, entries });
	}

	function addToIndex({ request }: PreparedAppend, firstOffset: number): void {
		const { sessionId, stream } = request;
		for (const [at, event] of request.events.entries()) {
			const { ts, kind, title } = event;
			index.add({ sessionId, stream, offset: firstOffset + at, ts, kind, title, text: searchText(event) });
		}
	}

	return {
		append,
		ofStream: ({ stream, after, limit }: { stream: StreamId; after: number; limit: number }) =>
			(streams.get(stream) ?? []).slice(after, after + limit),
		ofAll: ({ afterSeqNo, limit }: { afterSeqNo: number; limit: number }) =>
			mergeBySeqNo(
				[...runners.values()].map((entries) => entries.slice(afterSeqNo, afterSeqNo + limit)),
				limit,
			),
		sessions: (query: SessionsQuery) =>
			[...sessions.values()]
				.filter((row) => isAskedFor(row, query))
				.reverse()
				.sort(newestFirst),
		asks: desk.asks,
		rules: desk.rules,
		usage: usage.find,
		outbox: createMarks(runners),
		verify(stream?: StreamId): Result<VerifyReport> {
			const names = stream === undefined ? [...streams.keys()] : [stream];
			if (stream !== undefined && !streams.has(stream)) {
				return err(
					new AppError('not_found', `There is no stream ${stream} in the record; list the sessions to see which there are.`),
				);
			}
			return ok({
				streams: names.map((name) => reportOf(name as StreamId, streams.get(name) ?? [])),
				problems: [],
				intact: true,
			});
		},
		anchor: (counts?: readonly number[]) => anchorOf([...runners], counts),
	};
}

/** The asks and rules; a copy is handed out, so that no caller can change what is kept. */
function createDesk() {
	const asks = new Map<AskId, PreparedRow<AskRow>>();
	const rules = new Map<RuleId, PreparedRow<Rule>>();
	const kept: Kept = {
		ask(id) {
			const found = asks.get(id);
			return found && { state: found.row.state, text: found.text };
		},
		rule: (id) => rules.get(id)?.text,
	};

	return {
		kept,
		save(prepared: PreparedAppend): void {
			for (const ask of prepared.asks) asks.set(ask.row.id, ask);
			for (const id of prepared.rules.remove) rules.delete(id);
			for (const rule of prepared.rules.add) rules.set(rule.row.id, rule);
		},
		asks: ({ id, sessionId, state, limit }: AsksQuery): AskRow[] =>
			[...asks.values()]
				.map(({ row }) => structuredClone(row))
				.filter((row) => (id ?? row.id) === row.id && (sessionId ?? row.sessionId) === row.sessionId)
				.filter((row) => (state ?? row.state) === row.state)
				.sort((a, b) => a.openedAt - b.openedAt)
				.slice(0, limit),
		rules: (): Rule[] => [...rules.values()].map(({ row }) => structuredClone(row)).sort((a, b) => a.createdAt - b.createdAt),
	};
}

/** What each session used by day and model. */
function createUsageBook(sessions: ReadonlyMap<string, SessionRow>) {
	const days = new Map<SessionId, UsageDay[]>();
	return {
		count({ request: { sessionId }, usage }: PreparedAppend): void {
			for (const report of usage) {
				const kept = days.get(sessionId) ?? [];
				const changed = countReport(kept, report);
				const isChanged = (row: UsageDay) => changed.some(({ day, model }) => day === row.day && model === row.model);
				days.set(sessionId, [...kept.filter((row) => !isChanged(row)), ...changed]);
			}
		},
		find: ({ since = '', until = '~' }: UsageDaysQuery): UsageRow[] =>
			[...days].flatMap(([sessionId, rows]) => {
				const { agent = '', projectId = '' } = sessions.get(sessionId) ?? {};
				const asked = rows.filter(({ day }) => since <= day && day <= until);
				return asked.map((row) => ({ ...structuredClone(row), sessionId, agent, projectId }));
			}),
	};
}

/** How far each runner's log was acknowledged. */
function createMarks(runners: ReadonlyMap<string, LogEntry[]>) {
	const marks = new Map<RunnerId, number>();
	const stateOf = (runnerId: RunnerId): OutboxState => ({
		flushedSeqNo: marks.get(runnerId) ?? 0,
		lastSeqNo: runners.get(runnerId)?.length ?? 0,
	});
	return {
		state: (runnerId: RunnerId) => ok(stateOf(runnerId)),
		readUnflushed({ runnerId, limit }: UnflushedQuery) {
			const { flushedSeqNo } = stateOf(runnerId);
			return ok((runners.get(runnerId) ?? []).slice(flushedSeqNo, flushedSeqNo + limit));
		},
		mark(runnerId: RunnerId, upToSeqNo: number): Result<OutboxState> {
			const advanced = advanceMark(stateOf(runnerId), upToSeqNo);
			if (advanced.ok) marks.set(runnerId, advanced.value.flushedSeqNo);
			return advanced;
		},
	};
}

function listOf(lists: Map<string, LogEntry[]>, key: string): LogEntry[] {
	const found = lists.get(key) ?? [];
	lists.set(key, found);
	return found;
}

function isAskedFor(row: SessionRow, { id, nativeId, projectId, unfinished }: SessionsQuery): boolean {
	if (unfinished && row.status === 'ended' && row.prompts === undefined) return false;
	if (id !== undefined && row.id !== id) return false;
	if (projectId !== undefined && row.projectId !== projectId) return false;
	return nativeId === undefined || row.nativeIds.some((native) => native.id === nativeId);
}

function newestFirst(a: SessionRow, b: SessionRow): number {
	return b.startedAt - a.startedAt;
}

/** The chains are computed anew: nothing in memory keeps their hashes. */
function anchorOf(runners: readonly [string, LogEntry[]][], counts?: readonly number[]): Anchor | null {
	const fold = createAnchorFold();
	const taken = runners
		.slice(0, counts?.length)
		.map(([runner, entries], at) => ({ runner, entries: entries.slice(0, counts?.[at]) }));
	if (counts?.some((count, at) => count > (taken[at]?.entries.length ?? 0))) return null;
	const heads = new Map<string, string>();
	for (const { runner, entries } of taken) {
		if (entries.length > 0) fold.begin(runner);
		for (const { stream, line } of entries) {
			const head = nextHash(heads.get(stream) ?? genesisHash(stream), line);
			heads.set(stream, head);
			fold.add(head);
		}
	}
	return { counts: taken.length === 0 ? [0] : taken.map(({ entries }) => entries.length), digest: fold.digest() };
}

function reportOf(stream: StreamId, entries: readonly LogEntry[]): StreamReport {
	const head = entries.reduce((hash, { line }) => nextHash(hash, line), genesisHash(stream));
	return { stream, events: entries.length, head, problems: [] };
}
