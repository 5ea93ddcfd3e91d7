// The port of the record: an append-only log of streams and the tables derived from it.
import type { RuleCheck } from '@roost/core/rules/rule-facts';
import type { UsageRow } from '@roost/core/usage/group-usage';
import type { QueuedPrompt } from '@roost/protocol/api/driving';
import type { AskRow, AskState } from '@roost/protocol/ask';
import type { FeedEvent } from '@roost/protocol/feed/event';
import type { AskId, ProjectId, RuleId, RunnerId, SessionId, StreamId } from '@roost/protocol/ids';
import type { LogCursor } from '@roost/protocol/log-cursor';
import type { LogEntry } from '@roost/protocol/log-entry';
import type { Result } from '@roost/protocol/result';
import type { Rule } from '@roost/protocol/rule';
import type { SessionRow } from '@roost/protocol/session-row';
import type { Anchor } from './anchor.ts';

export type Store = AsyncDisposable & {
	/** Resolves when the events are on disk. A failure changes nothing. */
	append(request: AppendRequest): Promise<Result<AppendReceipt>>;
	/** Stored lines in order, as the bytes that were written. */
	read(query: ReadQuery): Result<LogEntry[]>;
	/** Of the newest line; 0 where there is none. */
	lastOffset(stream: StreamId): Result<number>;
	/** The chain of a stream up to and including this line; undefined for an unknown line. */
	hashAt(stream: StreamId, offset: number): Result<string | undefined>;
	/** Newest first. */
	sessions(query?: SessionsQuery): Result<SessionRow[]>;
	/** The projects of sessions and rules, oldest first. */
	projects(query?: ProjectsQuery): Result<ProjectRow[]>;
	/** Oldest first. */
	asks(query?: AsksQuery): Result<AskRow[]>;
	/** Oldest first. */
	rules(): Result<Rule[]>;
	/** Undefined for an unknown command. */
	receipt(id: string): Result<Receipt | undefined>;
	/** Newest hits first. */
	search(query: SearchQuery): Result<SearchHit[]>;
	/** Number of events that are not indexed yet. */
	searchLag(): Result<number>;
	/** Token usage of each session by day and model. */
	usage(query?: UsageDaysQuery): Result<UsageRow[]>;
	/** The rows that these events of the runner changed last: applied page by page, they make the tables. */
	rowsChanged(query: ChangesQuery): Result<ChangedRows>;
	/** Recomputes the hash chains and compares them with the heads stored outside the database. */
	verify(stream?: StreamId): Result<VerifyReport>;
	/** Compares every table with its facts: one sentence for each row that differs. */
	verifyTables(): Result<string[]>;
	/** The rules that are confirmed by facts, and how the stored rows differ. */
	checkedRules(): Result<RuleCheck>;
	/** The current epoch of the log. */
	epoch(): Result<number>;
	/**
	 * For a log that was restored from an older state; `why` is stored with it. The new epoch is higher than the current one and
	 * than `known`, the highest that a reader has seen. Nothing counts as acknowledged in it.
	 */
	openEpoch(why: string, at: number, known?: number): Promise<Result<number>>;
	/** One head over the whole log, or over this number of events of each runner; null where there are fewer. */
	anchor(counts?: readonly number[]): Result<Anchor | null>;
	readonly outbox: Outbox;
	close(): Promise<void>;
};

export type AppendRequest = {
	stream: StreamId;
	sessionId: SessionId;
	projectId: ProjectId;
	runnerId: RunnerId;
	receivedAt: number;
	events: readonly FeedEvent[];
	/** Written in the same transaction. */
	session?: SessionRow;
	/** In the same transaction. A decided ask accepts only the same row again: anything else is a `conflict`. */
	asks?: readonly AskRow[];
	rules?: RuleChanges;
	/** Results of the commands that caused these events, in the same transaction. */
	receipts?: readonly Receipt[];
};

/** The result of a command. Stored for days, so that a repeat is answered and not run again. */
export type Receipt = {
	/** The command's own id. */
	id: string;
	/** Of the whole command. */
	hash: string;
	/** Unix milliseconds. */
	at: number;
	/** JSON; null while the command runs. */
	result: string | null;
};

/**
 * In the same transaction, removals first; removing an unknown rule does nothing.
 * A stored rule accepts only the same row again: anything else is a `conflict`.
 */
export type RuleChanges = { add?: readonly Rule[]; remove?: readonly RuleId[] };

/** The places of the events: contiguous in the stream and in the runner. */
export type AppendReceipt = { firstOffset: number; firstSeqNo: number; entries: LogEntry[] };

/** Of one stream; or of all, of one runner or of every runner that wrote here. */
export type ReadQuery =
	| { stream: StreamId; after: number; limit: number }
	| { runnerId?: RunnerId; afterSeqNo: number; limit: number };

export type SessionsQuery = {
	id?: SessionId;
	nativeId?: string;
	projectId?: ProjectId;
	projectPath?: string;
	/** Sessions that have not ended, or have queued prompts. */
	unfinished?: boolean;
	status?: SessionRow['status'] | undefined;
	archived?: boolean | undefined;
	/** Those that are listed after this one; none where it is unknown. */
	after?: SessionId | undefined;
	limit?: number | undefined;
};

export type ProjectsQuery = { id?: ProjectId; path?: string };

/** Stored with the first session or rule of a project. */
export type ProjectRow = { id: ProjectId; path: string; createdAt: number };

export type AsksQuery = { id?: AskId; sessionId?: SessionId; state?: AskState; limit?: number };

export type SearchQuery = {
	words: string;
	limit: number;
	sessionId?: SessionId;
	/** How many events that are not indexed yet are searched, newest first; without it all are. */
	unindexed?: number;
};

/** Days as `YYYY-MM-DD`; both are included. */
export type UsageDaysQuery = { since?: string | undefined; until?: string | undefined };

/** Events of one runner, by seqNo: after `after`, up to and including `upTo`. */
export type ChangesQuery = { runnerId: RunnerId; after: number; upTo: number };

/** Each in the order of its last change. No row is ever removed: a queue without prompts is empty. */
export type ChangedRows = { sessions: SessionRow[]; asks: AskRow[]; queues: PromptQueue[]; usage: UsageRow[] };

/** The queued prompts of a session, redacted like the facts. */
export type PromptQueue = { sessionId: SessionId; prompts: readonly QueuedPrompt[] };

export type SearchHit = {
	sessionId: SessionId;
	stream: StreamId;
	offset: number;
	ts: number;
	kind: string;
	title: string;
	excerpt: string;
};

/**
 * The part of the log that a hub has not acknowledged yet: an event is in it from its own transaction on.
 * The log itself keeps everything; no other query depends on acknowledgements.
 */
export type Outbox = {
	state(runnerId: RunnerId): Result<OutboxState>;
	/** By seqNo, from the first unacknowledged event. */
	readUnflushed(query: UnflushedQuery): Result<LogEntry[]>;
	/** Resolves when it is on disk. A late acknowledgement changes nothing; one for another epoch, or past the end of the log, is refused. */
	markFlushed(upTo: LogCursor): Promise<Result<OutboxState>>;
};

/** Acknowledged up to `flushedSeqNo`; the log ends at `lastSeqNo`. */
export type OutboxState = { flushedSeqNo: number; lastSeqNo: number };

export type UnflushedQuery = { runnerId: RunnerId; limit: number };

export type VerifyReport = {
	streams: StreamReport[];
	/** Problems of the record as a whole, one sentence each. */
	problems: string[];
	intact: boolean;
};

export type StreamReport = {
	stream: StreamId;
	events: number;
	head: string;
	/** One sentence each; empty if the chain is intact. */
	problems: string[];
};
