// The port of the record: an append-only log of streams and the tables that go with it.
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
	/** Resolves when the events are on disk. A failure leaves the log as it was. */
	append(request: AppendRequest): Promise<Result<AppendReceipt>>;
	/** Stored lines as the bytes that were written, in order; nothing is parsed again. */
	read(query: ReadQuery): Result<LogEntry[]>;
	sessions(query?: SessionsQuery): Result<SessionRow[]>;
	/** Those that sessions and rules are of, oldest first. */
	projects(query?: ProjectsQuery): Result<ProjectRow[]>;
	/** Oldest first. */
	asks(query?: AsksQuery): Result<AskRow[]>;
	/** Oldest first. */
	rules(): Result<Rule[]>;
	/** Undefined where no such command was carried out. */
	receipt(id: string): Result<Receipt | undefined>;
	/** Newest hits first. */
	search(query: SearchQuery): Result<SearchHit[]>;
	/** How many events the index does not have yet. */
	searchLag(): Result<number>;
	/** What each session used by day and model: as many rows as there are, however long the log is. */
	usage(query?: UsageDaysQuery): Result<UsageRow[]>;
	/** The rows whose last change is one of those events of the runner: applied page by page, they are the tables. */
	rowsChanged(query: ChangesQuery): Result<ChangedRows>;
	/** Recomputes the hash chains and compares them with the heads kept outside the database. */
	verify(stream?: StreamId): Result<VerifyReport>;
	/** Compares every table with the facts it is made from: one sentence for each row that differs. */
	verifyTables(): Result<string[]>;
	/** The rules that facts explain: what applies, and how the kept rows differ. */
	checkedRules(): Result<RuleCheck>;
	/** Which log this is, of those that a runner had: places of another epoch mean other lines. */
	epoch(): Result<number>;
	/** For a log that was restored from an older state; `why` is kept with it. Nothing counts as acknowledged in the new epoch. */
	openEpoch(why: string, at: number): Promise<Result<number>>;
	/** One head over the whole log, or over so many events of each runner; null where there are fewer. */
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
	/** Written in the same transaction, so that the list and the log never disagree. */
	session?: SessionRow;
	/** In the same transaction. A decided ask takes nothing but the same row again: anything else is a `conflict`. */
	asks?: readonly AskRow[];
	rules?: RuleChanges;
	/** Of the commands that these events come from, in the same transaction. */
	receipts?: readonly Receipt[];
};

/** What became of a command. Kept for days, so that a repeat of it is answered and not carried out again. */
export type Receipt = {
	/** The command's own id. */
	id: string;
	/** Of the whole command. */
	hash: string;
	/** Unix milliseconds. */
	at: number;
	/** JSON; null while it is not known. */
	result: string | null;
};

/**
 * In the same transaction, removals first; one that is not there is as good as removed.
 * A kept rule takes nothing but the same row again: anything else is a `conflict`.
 */
export type RuleChanges = { add?: readonly Rule[]; remove?: readonly RuleId[] };

/** The places the events got: contiguous in the stream and in the runner. */
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
	/** Those that have not ended, or for whose agents prompts wait. */
	unfinished?: boolean;
};

export type ProjectsQuery = { id?: ProjectId; path?: string };

/** Kept from the first session or rule of a project on. */
export type ProjectRow = { id: ProjectId; path: string; createdAt: number };

export type AsksQuery = { id?: AskId; sessionId?: SessionId; state?: AskState; limit?: number };

export type SearchQuery = {
	words: string;
	limit: number;
	sessionId?: SessionId;
	/** Of what is not indexed yet, at most so many events are looked at, newest first; without it all are. */
	unindexed?: number;
};

/** Days as `YYYY-MM-DD`; both are part of it. */
export type UsageDaysQuery = { since?: string | undefined; until?: string | undefined };

/** Events of one runner, by seqNo: those after `after`, up to and with `upTo`. */
export type ChangesQuery = { runnerId: RunnerId; after: number; upTo: number };

/** Each in the order of its last change. No row is ever removed: a queue without prompts is an empty one. */
export type ChangedRows = { sessions: SessionRow[]; asks: AskRow[]; queues: PromptQueue[]; usage: UsageRow[] };

/** The prompts that wait for the agent of a session, as the facts have them: without secrets. */
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
 * The log as what a hub still has to be sent: an event is in it from its own transaction until it is acknowledged.
 * The log keeps everything, and nothing else that is read depends on what was acknowledged.
 */
export type Outbox = {
	state(runnerId: RunnerId): Result<OutboxState>;
	/** By seqNo, from the first that is not acknowledged. */
	readUnflushed(query: UnflushedQuery): Result<LogEntry[]>;
	/** Resolves when it is on disk. A late acknowledgement changes nothing; one of another epoch, or of events that are not stored, is refused. */
	markFlushed(upTo: LogCursor): Promise<Result<OutboxState>>;
};

/** Everything up to `flushedSeqNo` was acknowledged; what is behind it, up to `lastSeqNo`, was not. */
export type OutboxState = { flushedSeqNo: number; lastSeqNo: number };

export type UnflushedQuery = { runnerId: RunnerId; limit: number };

export type VerifyReport = {
	streams: StreamReport[];
	/** What is wrong with the record as a whole, in one sentence each. */
	problems: string[];
	intact: boolean;
};

export type StreamReport = {
	stream: StreamId;
	events: number;
	head: string;
	/** What is wrong, in one sentence each; empty when the chain is intact. */
	problems: string[];
};
