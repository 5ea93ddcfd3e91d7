// The port the API is served over: a runner implements it for its own sessions, a hub for those of many runners.
import type { AgentStatus } from '@roost/protocol/api/agent-status';
import type { AgentRow, ProveAgents } from '@roost/protocol/api/agents';
import type { AnswerBody, ApproveBody, ApprovedAsk } from '@roost/protocol/api/answers';
import type { AskDetail } from '@roost/protocol/api/asks';
import type { CommandOutput } from '@roost/protocol/api/claude-commands';
import type { DeciderBody, DeciderJudged } from '@roost/protocol/api/deciders';
import type { Device } from '@roost/protocol/api/devices';
import type { Adjustment, CreateSession, DrivenSession, Driving, PromptTaken, QueuedPrompt } from '@roost/protocol/api/driving';
import type { EnforcedLaunch, LaunchBody, LaunchDescribed, LaunchEnded, LaunchOpened } from '@roost/protocol/api/launches';
import type { AddServer, McpServerDetail, McpServerList, RemoveServer } from '@roost/protocol/api/mcp';
import type { McpTrusted, ProjectMcp, TrustMcpBody, UntrustMcpBody } from '@roost/protocol/api/mcp-trust';
import type { MarketplaceChange, MarketplaceList, PluginChange, PluginList } from '@roost/protocol/api/plugins';
import type { FoundProjectId, PastEventsPage, PastSessionList, ProjectList } from '@roost/protocol/api/projects';
import type { RuleBody, RuleHistory, RuleHistoryBody, RuleTestBody, RuleTestResult } from '@roost/protocol/api/rules';
import type { SearchFound } from '@roost/protocol/api/search';
import type { AttachTerminal, OpenTerminal, TerminalRow, TerminalServerFrame } from '@roost/protocol/api/terminals';
import type { UsageQuery, UsageReport } from '@roost/protocol/api/usage';
import type { AskRow, Principal } from '@roost/protocol/ask';
import type { FeedEvent } from '@roost/protocol/feed/event';
import type {
	AskId,
	DeviceId,
	ProjectId,
	PromptId,
	RuleId,
	RunnerId,
	SessionId,
	StreamId,
	TerminalId,
} from '@roost/protocol/ids';
import type { LogEntry } from '@roost/protocol/log-entry';
import type { Result } from '@roost/protocol/result';
import type { Rule } from '@roost/protocol/rule';
import type { DriveMode, SessionRow } from '@roost/protocol/session-row';

export type Backend = {
	readonly runner: { id: RunnerId; name: string; version: string };
	readonly record: StoredRecord;
	readonly asks: AskDesk;
	readonly rules: RuleBook;
	readonly launches: LaunchDesk;
	readonly agents: AgentDesk;
	readonly driving: DrivingDesk;
	readonly course: CourseDesk;
	readonly prompts: PromptBook;
	readonly shelf: SessionShelf;
	readonly plugins: PluginDesk;
	readonly mcp: McpDesk;
	readonly mcpTrust: McpTrustDesk;
	readonly devices: DeviceBook;
	readonly terminals: TerminalDesk;
	readonly projects: ProjectDesk;
	/** What its agent does right now; undefined where it has ended, or where nothing can be known of its kind. */
	statusOf(session: SessionRow): Promise<AgentStatus | undefined>;
	/** Told after every commit, in order. Returns the unsubscribe function. */
	onTold(handler: (told: BackendTold) => void): () => void;
};

/** Reading what is stored. */
export type StoredRecord = {
	sessions(query: { id?: SessionId; projectId?: ProjectId }): Result<SessionRow[]>;
	/** Stored lines as bytes, by offset of one stream or by seqNo over all. */
	read(query: { stream: StreamId; after: number; limit: number } | { afterSeqNo: number; limit: number }): Result<LogEntry[]>;
	/** Events that have these words, the newest first; it says how many it could not look at yet. */
	search(query: { words: string; limit: number }): Result<SearchFound>;
	/** What sessions used on these days, and what it is likely to cost. */
	usage(query: UsageQuery): Result<UsageReport>;
};

export type AskDesk = {
	/** Pending ones, oldest first; with `all`, the recently decided too. */
	list(query: { all?: boolean }): AskRow[];
	/** One of them, with the file that it would change. */
	show(id: AskId): Promise<Result<AskDetail>>;
	/** The first answer wins; every later one is a `conflict` that carries the winner. */
	approve(sessionId: SessionId, body: ApproveBody, by: Principal): Promise<Result<ApprovedAsk>>;
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
	describe(launchId: string): Result<LaunchDescribed>;
	end(launchId: string): Promise<Result<LaunchEnded>>;
	/** Agents at work whose calls are blocked while no runner is up. */
	enforced(): readonly EnforcedLaunch[];
	/** Whether a process that wants to decide belongs to an agent. */
	judge(body: DeciderBody): Promise<Result<DeciderJudged>>;
};

/** The agents on the machine: those that can be started here, and those that are known and cannot. */
export type AgentDesk = {
	/** Their programs are asked for their versions where that was not done yet. */
	list(): Promise<readonly AgentRow[]>;
	/** Starts each agent that is here, to see whether its guard fires, and lists them all. */
	prove(body: ProveAgents, tell: OnLine): Promise<readonly AgentRow[]>;
};

/** Sessions whose agents Roost runs itself. One that is only observed is a `conflict` that says why. */
export type DrivingDesk = {
	create(body: CreateSession): Promise<Result<DrivenSession>>;
	/** Waits in the queue while the agent is busy; a session whose agent is gone goes on first. */
	message(id: SessionId, text: string): Promise<Result<PromptTaken>>;
	interrupt(id: SessionId): Promise<Result<DrivenSession>>;
	/** A past session goes on. */
	resume(id: SessionId): Promise<Result<DrivenSession>>;
	end(id: SessionId): Promise<Result<DrivenSession>>;
	describe(session: SessionRow): Driving;
};

/** Of such a session: how, where and in which copy it goes on. */
export type CourseDesk = {
	/** A copy of it goes on, as a session of its own. */
	fork(id: SessionId, upTo?: string): Promise<Result<DrivenSession>>;
	/** The models that its agent says it has; none where it does not tell, or is gone. */
	models(id: SessionId): Promise<Result<readonly string[]>>;
	/** Another model or permission mode from now on, also when the session goes on later. */
	adjust(id: SessionId, adjustment: Adjustment): Promise<Result<DrivenSession>>;
	/** Into a terminal, or back into Roost's hands; the conversation is the same. */
	switchMode(id: SessionId, mode: DriveMode, recording?: boolean): Promise<Result<DrivenSession>>;
};

/** What people do to a session in their lists; any session, driven or not. */
export type SessionShelf = {
	rename(id: SessionId, title: string): Promise<Result<DrivenSession>>;
	archive(id: SessionId, archived: boolean): Promise<Result<DrivenSession>>;
};

/** Prompts that wait for their agents. */
export type PromptBook = {
	/** Sessions for which something waits. */
	all(): PromptsTold[];
	list(id: SessionId): readonly QueuedPrompt[];
	edit(id: SessionId, prompt: PromptId, text: string): Promise<Result<QueuedPrompt>>;
	move(id: SessionId, prompt: PromptId, to: number): Promise<Result<void>>;
	cancel(id: SessionId, prompt: PromptId): Promise<Result<void>>;
	/** Into the run that is under way, instead of after it. */
	sendNow(id: SessionId, prompt: PromptId): Promise<Result<void>>;
};

/** Told of each line that a long command says while it runs. */
type OnLine = (line: string) => void;

/** Plugins of Claude. They run with the rights of the user: only people add them. */
export type PluginDesk = {
	list(query: { project: string; available: boolean }): Promise<Result<PluginList>>;
	marketplaces(query: { project: string }): Promise<Result<MarketplaceList>>;
	change(change: PluginChange, onLine?: OnLine): Promise<Result<CommandOutput>>;
	changeMarketplace(change: MarketplaceChange, onLine?: OnLine): Promise<Result<CommandOutput>>;
};

/** MCP servers of Claude, which run with the rights of the user too. */
export type McpDesk = {
	/** Asks every server how it is. */
	list(query: { project: string }): Promise<Result<McpServerList>>;
	get(query: { project: string; name: string }): Promise<Result<McpServerDetail>>;
	add(server: AddServer): Promise<Result<CommandOutput>>;
	remove(server: RemoveServer): Promise<Result<CommandOutput>>;
	/** Says where to log in, then waits until somebody has. */
	logIn(server: { project: string; name: string }, onLine?: OnLine): Promise<Result<CommandOutput>>;
};

/** MCP servers that projects bring: none is started before somebody trusted it. */
export type McpTrustDesk = {
	/** Of the project that a folder belongs to. */
	list(folder: string): Promise<Result<ProjectMcp>>;
	/** A server that changed since it was shown is a `conflict`. */
	trust(body: TrustMcpBody, by: Principal): Promise<Result<McpTrusted>>;
	untrust(body: UntrustMcpBody, by: Principal): Promise<Result<McpTrusted>>;
};

/** Browsers that may act for the user, each by a key of its own. */
export type DeviceBook = {
	/** Oldest first. */
	list(): Device[];
	find(id: DeviceId): Device | undefined;
	/** Resolves when it is on record; a key that is known already keeps its device. */
	register(body: { name: string; origin: string; publicKey: string }, by: Principal): Promise<Result<Device>>;
	/** It logged in. */
	noteSeen(id: DeviceId): void;
	/** It is gone from the moment of the call, also where that cannot be recorded. */
	revoke(id: DeviceId, by: Principal): Promise<Result<void>>;
};

/** Programs that run in terminals of this runner. */
export type TerminalDesk = {
	/** Also those that ended a moment ago. */
	list(): TerminalRow[];
	open(body: OpenTerminal): Promise<Result<TerminalRow>>;
	/** The program ends, with everything it started. */
	close(id: TerminalId): Promise<Result<void>>;
	/** A new viewer: it is told everything through its sink, from a snapshot on. */
	attach(id: TerminalId, request: AttachTerminal, sink: TerminalSink): Result<TerminalViewer>;
};

/** Frames and bytes go to the viewer in the order they are given in. */
export type TerminalSink = {
	frame(frame: TerminalServerFrame): void;
	bytes(bytes: Uint8Array): void;
	/** After the last frame. */
	end(): void;
};

export type TerminalViewer = {
	/** It has shown everything up to there. */
	ack(position: number): void;
	input(bytes: Uint8Array): void;
	resize(size: { cols: number; rows: number }): void;
	/** Control, whoever has it. */
	take(): void;
	/** It is gone; what it controlled stays its own for a moment, unless it left by itself. */
	leave(how: 'lost' | 'left'): void;
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
