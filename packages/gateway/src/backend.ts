// The port the API is served over: a runner implements it for its own sessions, a hub for those of many runners.
import type { AnswerBody, ApproveBody } from '@roost/protocol/api/answers';
import type { DeciderBody, DeciderJudged } from '@roost/protocol/api/deciders';
import type { CreateSession, DrivenSession, Driving, PromptTaken, QueuedPrompt } from '@roost/protocol/api/driving';
import type { LaunchBody, LaunchEnded, LaunchOpened } from '@roost/protocol/api/launches';
import type { FoundProjectId, PastEventsPage, PastSessionList, ProjectList } from '@roost/protocol/api/projects';
import type { RuleBody, RuleHistory, RuleHistoryBody, RuleTestBody, RuleTestResult } from '@roost/protocol/api/rules';
import type { SearchHit } from '@roost/protocol/api/search';
import type { AskRow, Principal } from '@roost/protocol/ask';
import type { FeedEvent } from '@roost/protocol/feed/event';
import type { ProjectId, PromptId, RuleId, RunnerId, SessionId, StreamId } from '@roost/protocol/ids';
import type { LogEntry } from '@roost/protocol/log-entry';
import type { Result } from '@roost/protocol/result';
import type { Rule } from '@roost/protocol/rule';
import type { SessionRow } from '@roost/protocol/session-row';

export type Backend = {
	readonly runner: { id: RunnerId; name: string; version: string };
	readonly record: StoredRecord;
	readonly asks: AskDesk;
	readonly rules: RuleBook;
	readonly launches: LaunchDesk;
	readonly driving: DrivingDesk;
	readonly prompts: PromptBook;
	readonly projects: ProjectDesk;
	/** Told after every commit, in order. Returns the unsubscribe function. */
	onTold(handler: (told: BackendTold) => void): () => void;
};

/** Reading what is stored. */
export type StoredRecord = {
	sessions(query: { id?: SessionId; projectId?: ProjectId }): Result<SessionRow[]>;
	/** Stored lines as bytes, by offset of one stream or by seqNo over all. */
	read(query: { stream: StreamId; after: number; limit: number } | { afterSeqNo: number; limit: number }): Result<LogEntry[]>;
	/** Events that have these words, the newest first; what was recorded a moment ago may be missing. */
	search(query: { words: string; limit: number }): Result<SearchHit[]>;
};

export type AskDesk = {
	/** Pending ones, oldest first; with `all`, the recently decided too. */
	list(query: { all?: boolean }): AskRow[];
	/** The first answer wins; every later one is a `conflict` that carries the winner. */
	approve(sessionId: SessionId, body: ApproveBody, by: Principal): Promise<Result<AskRow>>;
	answer(sessionId: SessionId, body: AnswerBody, by: Principal): Promise<Result<AskRow>>;
};

export type RuleBook = {
	list(): Rule[];
	add(body: RuleBody, by: Principal): Promise<Result<Rule>>;
	remove(id: RuleId, by: Principal): Promise<Result<void>>;
	test(body: RuleTestBody): Result<RuleTestResult>;
	/** Which past calls a rule would have matched, and what it would have changed. */
	history(body: RuleHistoryBody): Promise<Result<RuleHistory>>;
};

export type LaunchDesk = {
	open(body: LaunchBody): Promise<Result<LaunchOpened>>;
	end(launchId: string): Promise<Result<LaunchEnded>>;
	/** Whether a process that wants to decide belongs to an agent. */
	judge(body: DeciderBody): Result<DeciderJudged>;
};

/** Sessions whose agents Roost runs itself. One that is only observed is a `conflict` that says why. */
export type DrivingDesk = {
	create(body: CreateSession): Promise<Result<DrivenSession>>;
	/** Waits in the queue while the agent is busy; a session whose agent is gone goes on first. */
	message(id: SessionId, text: string): Promise<Result<PromptTaken>>;
	interrupt(id: SessionId): Promise<Result<DrivenSession>>;
	/** A past session goes on. */
	resume(id: SessionId): Promise<Result<DrivenSession>>;
	/** A copy of it goes on, as a session of its own. */
	fork(id: SessionId): Promise<Result<DrivenSession>>;
	end(id: SessionId): Promise<Result<DrivenSession>>;
	describe(session: SessionRow): Driving;
};

/** Prompts that wait for their agents. */
export type PromptBook = {
	/** Sessions for which something waits. */
	all(): PromptsTold[];
	list(id: SessionId): readonly QueuedPrompt[];
	edit(id: SessionId, prompt: PromptId, text: string): Result<QueuedPrompt>;
	cancel(id: SessionId, prompt: PromptId): Result<void>;
};

/** Projects on the machine, and the past sessions of each. */
export type ProjectDesk = {
	/** As they were found last. */
	list(): ProjectList;
	/** Begins a new look unless one is under way, and says how far it is. */
	scan(): ProjectList;
	pastSessions(id: FoundProjectId): Promise<Result<PastSessionList>>;
	/** A past session as a feed, read and not recorded. */
	pastEvents(id: FoundProjectId, nativeId: string, page: { after: number; limit: number }): Promise<Result<PastEventsPage>>;
};

/** All that waits there now; it may be nothing. */
export type PromptsTold = { sessionId: SessionId; prompts: readonly QueuedPrompt[] };

export type BackendTold = {
	/** Stored lines, in seqNo order. */
	entries: readonly LogEntry[];
	/** Events that are broadcast and never stored. */
	deltas: readonly FeedEvent[];
	asks: readonly AskRow[];
	prompts: readonly PromptsTold[];
};
