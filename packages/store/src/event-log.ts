// Writes the log: assigns each event its place, line and hash, in one transaction per group.
import type { DatabaseSync } from 'node:sqlite';
import type { AppError } from '@roost/protocol/app-error';
import type { RunnerId, StreamId } from '@roost/protocol/ids';
import type { LogEntry } from '@roost/protocol/log-entry';
import { err, ok, type Result } from '@roost/protocol/result';
import type { SessionRow } from '@roost/protocol/session-row';
import type { AskTable } from './ask-table.ts';
import { conflictOf } from './compare-and-set.ts';
import { genesisHash, nextHash } from './hash-chain.ts';
import type { Head } from './heads-file.ts';
import { lastPosition, seqNoOf, toPosition } from './position.ts';
import { type PreparedAppend, toLine } from './prepared-append.ts';
import type { ProjectTable } from './project-table.ts';
import type { QueueTable } from './queue-table.ts';
import type { ReceiptTable } from './receipt-table.ts';
import { duplicateEvent } from './refusals.ts';
import { numberOf, textOf } from './row-values.ts';
import type { RuleTable } from './rule-table.ts';
import type { SessionTable } from './session-table.ts';
import type { AppendReceipt } from './store.ts';
import { isConstraintError, toStoreError } from './store-error.ts';
import { inTransaction } from './transaction.ts';
import type { UsageTable } from './usage-table.ts';

export type EventLog = {
	/** One result per request, in order. Acknowledged requests are on disk when this returns. */
	commit(group: readonly PreparedAppend[]): Result<AppendReceipt>[];
};

type Deps = { db: DatabaseSync; path: string; tables: Tables; onCommit: (heads: Head[]) => void };
type Tables = {
	sessions: SessionTable;
	projects: ProjectTable;
	asks: AskTable;
	rules: RuleTable;
	usage: UsageTable;
	queues: QueueTable;
	receipts: ReceiptTable;
};
type RefusalOf = (prepared: PreparedAppend) => AppError | undefined;

export function createEventLog({ db, path, tables, onCommit }: Deps): EventLog {
	const { sessions, projects, asks, rules, usage, queues, receipts } = tables;
	const places = createPlaces(db);
	const isKnown = db.prepare('SELECT 1 FROM events WHERE event_id = ?');
	const insert = db.prepare('INSERT INTO events (position, stream_no, offset, event_id, hash, line) VALUES (?, ?, ?, ?, ?, ?)');

	// Duplicate events are rare: the first attempt relies on the unique index, and only its failure makes the second one check first.
	function commit(group: readonly PreparedAppend[]): Result<AppendReceipt>[] {
		try {
			return writeGroup(group, conflict);
		} catch (cause) {
			places.forget();
			return isConstraintError(cause) ? commitCarefully(group) : failAll(group, cause);
		}
	}

	function commitCarefully(group: readonly PreparedAppend[]): Result<AppendReceipt>[] {
		try {
			return writeGroup(group, (prepared) => conflict(prepared) ?? repetition(prepared));
		} catch (cause) {
			places.forget();
			return failAll(group, cause);
		}
	}

	function conflict(prepared: PreparedAppend): AppError | undefined {
		return conflictOf(prepared, { ask: asks.kept, rule: rules.kept });
	}

	function repetition({ events }: PreparedAppend): AppError | undefined {
		const repeated = events.find(({ id }) => isKnown.get(id) !== undefined);
		return repeated === undefined ? undefined : duplicateEvent(repeated.id);
	}

	function writeGroup(group: readonly PreparedAppend[], refusalOf: RefusalOf) {
		const rows = new Map<string, { row: SessionRow; position: number }>();
		const touched = new Set<StreamId>();
		const results = inTransaction(db, 'write', () => {
			const outcomes = group.map((prepared): Result<AppendReceipt> => {
				const refusal = refusalOf(prepared);
				if (refusal !== undefined) return err(refusal);
				const { stream, session, sessionId, runnerId } = prepared.request;
				const position = places.changeOf(runnerId, prepared.events.length);
				if (prepared.events.length > 0) touched.add(stream);
				if (session !== undefined) rows.set(session.id, { row: session, position });
				for (const ask of prepared.asks) asks.save(ask, position);
				rules.change(prepared.rules);
				keepProjects(prepared);
				usage.count(sessionId, prepared.usage, position);
				queues.fold(sessionId, prepared.prompts, position);
				for (const receipt of prepared.request.receipts ?? []) receipts.save(receipt);
				return ok(write(prepared));
			});
			for (const { row, position } of rows.values()) sessions.save(row, position);
			return outcomes;
		});
		onCommit([...touched].map((stream) => places.headOf(stream)));
		return results;
	}

	function keepProjects({ request, rules: { add } }: PreparedAppend): void {
		const { session, receivedAt } = request;
		if (session !== undefined) projects.save(session.projectId, session.projectPath, receivedAt);
		for (const { row } of add) if (row.projectPath !== undefined) projects.save(row.scopeId, row.projectPath, receivedAt);
	}

	function write(prepared: PreparedAppend): AppendReceipt {
		const { stream, runnerId } = prepared.request;
		const inStream = places.ofStream(stream);
		const inRunner = places.ofRunner(runnerId);
		const receipt = { firstOffset: inStream.offset + 1, firstSeqNo: inRunner.seqNo + 1 };
		const entries = prepared.events.map((event): LogEntry => {
			const offset = ++inStream.offset;
			const seqNo = ++inRunner.seqNo;
			const line = toLine(prepared, event, seqNo, offset);
			inStream.hash = nextHash(inStream.hash, line);
			insert.run(toPosition(inRunner.no, seqNo), inStream.no, offset, event.id, inStream.hash, line);
			return { seqNo, offset, stream, line };
		});
		return { ...receipt, entries };
	}

	function failAll(group: readonly PreparedAppend[], cause: unknown): Result<AppendReceipt>[] {
		const error = toStoreError(cause, path);
		return group.map(() => err(error));
	}

	return { commit };
}

type StreamPlace = { no: number; offset: number; hash: string };
type RunnerPlace = { no: number; seqNo: number };

/** The last place of each stream and runner, cached because there is one writer, and reloaded after a failure. */
function createPlaces(db: DatabaseSync) {
	const streams = new Map<StreamId, StreamPlace>();
	const runners = new Map<RunnerId, RunnerPlace>();
	const lastOfStream = db.prepare('SELECT offset, hash FROM events WHERE stream_no = ? ORDER BY offset DESC LIMIT 1');
	const lastOfRunner = db.prepare('SELECT position FROM events WHERE position BETWEEN ? AND ? ORDER BY position DESC LIMIT 1');
	const streamNo = createNumbering(db, 'streams', 'stream_no', 'stream');
	const runnerNo = createNumbering(db, 'runners', 'runner_no', 'runner');

	function loadStream(stream: StreamId): StreamPlace {
		const no = streamNo(stream);
		const last = lastOfStream.get(no);
		if (last === undefined) return { no, offset: 0, hash: genesisHash(stream) };
		return { no, offset: numberOf(last, 'offset'), hash: textOf(last, 'hash') };
	}

	function loadRunner(runner: RunnerId): RunnerPlace {
		const no = runnerNo(runner);
		const last = lastOfRunner.get(toPosition(no, 1), lastPosition(no));
		return { no, seqNo: last === undefined ? 0 : seqNoOf(numberOf(last, 'position')) };
	}

	return {
		ofStream: (stream: StreamId) => remember(streams, stream, loadStream),
		ofRunner: (runner: RunnerId) => remember(runners, runner, loadRunner),
		/** The position of a row change: that of its last event, or of the next event if it has none. */
		changeOf(runner: RunnerId, events: number): number {
			const { no, seqNo } = remember(runners, runner, loadRunner);
			return toPosition(no, seqNo + Math.max(1, events));
		},
		headOf(stream: StreamId): Head {
			const { offset, hash } = remember(streams, stream, loadStream);
			return { stream, offset, hash };
		},
		forget() {
			streams.clear();
			runners.clear();
		},
	};
}

function remember<K, V>(known: Map<K, V>, key: K, load: (key: K) => V): V {
	const found = known.get(key);
	if (found !== undefined) return found;
	const loaded = load(key);
	known.set(key, loaded);
	return loaded;
}

/** Assigns each name a number from 0 on first use. */
function createNumbering(db: DatabaseSync, table: string, number: string, name: string): (value: string) => number {
	const find = db.prepare(`SELECT ${number} FROM ${table} WHERE ${name} = ?`);
	const add = db.prepare(`INSERT INTO ${table} (${number}, ${name}) SELECT coalesce(max(${number}) + 1, 0), ? FROM ${table}`);
	return (value) => {
		if (find.get(value) === undefined) add.run(value);
		return numberOf(find.get(value) ?? {}, number);
	};
}
