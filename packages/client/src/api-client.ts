// The API over HTTP, typed: one method per route, every reply parsed, every failure a value.
import { type AgentRow, agentRow, type ProveAgents } from '@roost/protocol/api/agents';
import type { AnswerBody, ApproveBody } from '@roost/protocol/api/answers';
import { type DeciderBody, type DeciderJudged, deciderJudged } from '@roost/protocol/api/deciders';
import {
	type Adjustment,
	type CreateSession,
	type DrivenSession,
	drivenSession,
	type PromptTaken,
	promptTaken,
	type QueuedPrompt,
	queuedPrompt,
	type SessionDetail,
	sessionDetail,
} from '@roost/protocol/api/driving';
import { type LaunchBody, type LaunchEnded, type LaunchOpened, launchEnded, launchOpened } from '@roost/protocol/api/launches';
import { type Overview, overview } from '@roost/protocol/api/overview';
import {
	type FoundProjectId,
	type PastEventsPage,
	type PastSessionList,
	type ProjectList,
	pastEventsPage,
	pastSessionList,
	projectList,
} from '@roost/protocol/api/projects';
import {
	type RuleBody,
	type RuleHistory,
	type RuleHistoryBody,
	type RuleTestBody,
	type RuleTestResult,
	ruleHistory,
	ruleTestResult,
} from '@roost/protocol/api/rules';
import { type SearchFound, searchFound } from '@roost/protocol/api/search';
import { type UsageQuery, type UsageReport, usageReport } from '@roost/protocol/api/usage';
import { type AskRow, askRow } from '@roost/protocol/ask';
import type { ProjectId, PromptId, RuleId, SessionId } from '@roost/protocol/ids';
import type { Result } from '@roost/protocol/result';
import { type Rule, rule } from '@roost/protocol/rule';
import { type DriveMode, type SessionRow, sessionRow } from '@roost/protocol/session-row';
import { type StoredLine, storedLine } from '@roost/protocol/stored-line';
import { z } from 'zod';
import { type ApiCall, type ApiDeps, createApiCall, type Reply } from './api-call.ts';
import { type CommandsApi, commandsApi, type McpApi, mcpApi, type PluginsApi, pluginsApi } from './claude-cli-api.ts';
import { type McpTrustApi, mcpTrustApi } from './mcp-trust-api.ts';
import { createTerminalsApi, type TerminalsApi } from './terminals-api.ts';

export type ApiClient = {
	readonly record: RecordApi;
	readonly asks: AsksApi;
	readonly rules: RulesApi;
	readonly launches: LaunchesApi;
	readonly driving: DrivingApi;
	readonly prompts: PromptsApi;
	readonly shelf: ShelfApi;
	readonly plugins: PluginsApi;
	readonly mcp: McpApi;
	readonly commands: CommandsApi;
	readonly mcpTrust: McpTrustApi;
	readonly terminals: TerminalsApi;
	readonly projects: ProjectsApi;
	/** What runs and what waits, in words that are safe to show. */
	overview(): Promise<Result<Overview>>;
	/** Logs a browser in, once and soon: open `path` at the runner's address. */
	ticket(): Promise<Result<Ticket>>;
	/** Whether a runner answers at all; needs no credential. */
	health(): Promise<Result<void>>;
};

export type Ticket = z.infer<typeof ticket>;

export type RecordApi = {
	sessions(query?: { projectId?: ProjectId }): Promise<Result<SessionRow[]>>;
	session(id: SessionId): Promise<Result<SessionRow>>;
	/** One page, by offset: what comes after `after`. */
	events(id: SessionId, page?: { after?: number; limit?: number }): Promise<Result<StoredLine[]>>;
	/** Events of all sessions that have these words, the newest first. */
	search(query: { words: string; limit?: number }): Promise<Result<SearchFound>>;
	/** What sessions used, and what it is likely to cost; by day unless it is said. */
	usage(query?: Partial<UsageQuery>): Promise<Result<UsageReport>>;
};

export type AsksApi = {
	/** Pending ones, oldest first; with `all`, the recently decided too. */
	list(query?: { all?: boolean }): Promise<Result<AskRow[]>>;
	/** The first answer wins; a later one fails with `conflict` and carries the winner. */
	approve(sessionId: SessionId, body: ApproveBody): Promise<Reply<AskRow>>;
	answer(sessionId: SessionId, body: AnswerBody): Promise<Reply<AskRow>>;
};

export type RulesApi = {
	list(): Promise<Result<Rule[]>>;
	add(body: RuleBody): Promise<Result<Rule>>;
	remove(id: RuleId): Promise<Result<void>>;
	/** What the rules say to a call, without making it. */
	test(body: RuleTestBody): Promise<Result<RuleTestResult>>;
	/** Which past calls a rule would have matched, and what it would have changed. */
	history(body: RuleHistoryBody): Promise<Result<RuleHistory>>;
};

export type LaunchesApi = {
	open(body: LaunchBody): Promise<Result<LaunchOpened>>;
	end(launchId: string): Promise<Result<LaunchEnded>>;
	/** Whether this process belongs to an agent, before it decides something. */
	judge(body: DeciderBody): Promise<Result<DeciderJudged>>;
};

/** Each command has an id that its caller made: said again with the same one, it does nothing twice. */
export type DrivingApi = {
	/** Those that Roost knows: which are there, and what it can do with each. */
	agents(): Promise<Result<AgentRow[]>>;
	/** Starts each agent that is here; its progress says how far it is. */
	proveAgents(commandId: string, body: ProveAgents): Promise<Result<AgentRow[]>>;
	create(commandId: string, body: CreateSession): Promise<Result<DrivenSession>>;
	/** Waits in the queue while the agent is busy. */
	message(commandId: string, id: SessionId, text: string): Promise<Result<PromptTaken>>;
	interrupt(commandId: string, id: SessionId): Promise<Result<DrivenSession>>;
	resume(commandId: string, id: SessionId): Promise<Result<DrivenSession>>;
	/** A copy of it, or of its first part, as a session of its own. */
	fork(commandId: string, id: SessionId, upTo?: string): Promise<Result<DrivenSession>>;
	/** Another model or permission mode, from now on. */
	adjust(commandId: string, id: SessionId, adjustment: Adjustment): Promise<Result<DrivenSession>>;
	/** Into a terminal, or back into Roost's hands. */
	switchMode(commandId: string, id: SessionId, mode: DriveMode): Promise<Result<DrivenSession>>;
	end(commandId: string, id: SessionId): Promise<Result<DrivenSession>>;
	/** Whether a session takes prompts, and if not, why. */
	describe(id: SessionId): Promise<Result<SessionDetail>>;
};

/** Prompts that wait for an agent. */
export type PromptsApi = {
	list(id: SessionId): Promise<Result<QueuedPrompt[]>>;
	edit(commandId: string, id: SessionId, prompt: PromptId, text: string): Promise<Result<QueuedPrompt>>;
	move(commandId: string, id: SessionId, prompt: PromptId, to: number): Promise<Result<void>>;
	cancel(commandId: string, id: SessionId, prompt: PromptId): Promise<Result<void>>;
	/** Into the run that is under way, instead of after it. */
	sendNow(commandId: string, id: SessionId, prompt: PromptId): Promise<Result<void>>;
};

/** What people do to a session in their lists. */
export type ShelfApi = {
	rename(commandId: string, id: SessionId, title: string): Promise<Result<DrivenSession>>;
	archive(commandId: string, id: SessionId, archived: boolean): Promise<Result<DrivenSession>>;
};

/** Projects on the runner's machine, and the past sessions of each. */
export type ProjectsApi = {
	/** As they were found last, and how far a look that is under way has come. */
	list(): Promise<Result<ProjectList>>;
	/** Begins a new look, or joins the one that is under way; does not wait for it. */
	scan(): Promise<Result<ProjectList>>;
	sessions(id: FoundProjectId): Promise<Result<PastSessionList>>;
	/** A past session to be read: one page of its feed, by offset. */
	events(id: FoundProjectId, nativeId: string, page?: { after?: number; limit?: number }): Promise<Result<PastEventsPage>>;
};

export function createApiClient(deps: ApiDeps): ApiClient {
	const call = createApiCall(deps);
	return {
		record: recordApi(call),
		asks: asksApi(call),
		rules: rulesApi(call),
		launches: launchesApi(call),
		driving: drivingApi(call),
		prompts: promptsApi(call),
		shelf: shelfApi(call),
		plugins: pluginsApi(call),
		mcp: mcpApi(call),
		commands: commandsApi(call),
		mcpTrust: mcpTrustApi(call),
		terminals: createTerminalsApi(call),
		projects: projectsApi(call),
		overview: () => call({ method: 'GET', path: [...API, 'overview'] }, overview),
		ticket: () => call({ method: 'POST', path: [...API, 'tickets'] }, ticket),
		health: () => call({ method: 'GET', path: ['healthz'] }, nothing),
	};
}

const API = ['api', 'v1'] as const;

const ticket = z.object({ ticket: z.string(), path: z.string(), expiresAt: z.number() });

/** Where only the status counts. */
const nothing = z.unknown().transform(() => undefined);

function recordApi(call: ApiCall): RecordApi {
	return {
		sessions: (query = {}) => call({ method: 'GET', path: [...API, 'sessions'], query }, z.array(sessionRow)),
		session: (id) => call({ method: 'GET', path: [...API, 'sessions', id] }, sessionRow),
		events: (id, page = {}) =>
			call({ method: 'GET', path: [...API, 'sessions', id, 'events'], query: page }, z.array(storedLine)),
		search: (query) => call({ method: 'GET', path: [...API, 'search'], query }, searchFound),
		usage: (query = {}) => call({ method: 'GET', path: [...API, 'usage'], query }, usageReport),
	};
}

function asksApi(call: ApiCall): AsksApi {
	return {
		list: ({ all } = {}) =>
			call({ method: 'GET', path: [...API, 'asks'], query: { all: all ? 'true' : undefined } }, z.array(askRow)),
		approve: (id, body) => call({ method: 'POST', path: [...API, 'sessions', id, 'approve'], body }, askRow),
		answer: (id, body) => call({ method: 'POST', path: [...API, 'sessions', id, 'answer'], body }, askRow),
	};
}

function rulesApi(call: ApiCall): RulesApi {
	return {
		list: () => call({ method: 'GET', path: [...API, 'rules'] }, z.array(rule)),
		add: (body) => call({ method: 'POST', path: [...API, 'rules'], body }, rule),
		remove: (id) => call({ method: 'DELETE', path: [...API, 'rules', id] }, nothing),
		test: (body) => call({ method: 'POST', path: [...API, 'rules', 'test'], body }, ruleTestResult),
		history: (body) => call({ method: 'POST', path: [...API, 'rules', 'history'], body }, ruleHistory),
	};
}

function launchesApi(call: ApiCall): LaunchesApi {
	return {
		open: (body) => call({ method: 'POST', path: [...API, 'launches'], body }, launchOpened),
		judge: (body) => call({ method: 'POST', path: [...API, 'launches', 'decider'], body }, deciderJudged),
		end: (launchId) => call({ method: 'POST', path: [...API, 'launches', launchId, 'end'] }, launchEnded),
	};
}

function drivingApi(call: ApiCall): DrivingApi {
	const command = (name: string) => (commandId: string, id: SessionId) =>
		call({ method: 'POST', path: [...API, 'sessions', id, name], body: { commandId } }, drivenSession);
	return {
		agents: () => call({ method: 'GET', path: [...API, 'agents'] }, z.array(agentRow)),
		proveAgents: (commandId, body) =>
			call({ method: 'POST', path: [...API, 'agents', 'prove'], body: { ...body, commandId } }, z.array(agentRow)),
		create: (commandId, body) =>
			call({ method: 'POST', path: [...API, 'sessions'], body: { ...body, commandId } }, drivenSession),
		message: (commandId, id, text) =>
			call({ method: 'POST', path: [...API, 'sessions', id, 'messages'], body: { commandId, text } }, promptTaken),
		interrupt: command('interrupt'),
		resume: command('resume'),
		fork: (commandId, id, upTo) =>
			call({ method: 'POST', path: [...API, 'sessions', id, 'fork'], body: { commandId, upTo } }, drivenSession),
		adjust: (commandId, id, adjustment) =>
			call({ method: 'POST', path: [...API, 'sessions', id, 'settings'], body: { ...adjustment, commandId } }, drivenSession),
		switchMode: (commandId, id, mode) =>
			call({ method: 'POST', path: [...API, 'sessions', id, 'mode'], body: { commandId, mode } }, drivenSession),
		end: command('end'),
		describe: (id) => call({ method: 'GET', path: [...API, 'sessions', id] }, sessionDetail),
	};
}

function promptsApi(call: ApiCall): PromptsApi {
	const queue = (id: SessionId) => [...API, 'sessions', id, 'queue'];
	return {
		list: (id) => call({ method: 'GET', path: queue(id) }, z.array(queuedPrompt)),
		edit: (commandId, id, prompt, text) =>
			call({ method: 'PATCH', path: [...queue(id), prompt], body: { commandId, text } }, queuedPrompt),
		cancel: (commandId, id, prompt) => call({ method: 'DELETE', path: [...queue(id), prompt], query: { commandId } }, nothing),
		move: (commandId, id, prompt, to) =>
			call({ method: 'POST', path: [...queue(id), prompt, 'move'], body: { commandId, to } }, nothing),
		sendNow: (commandId, id, prompt) =>
			call({ method: 'POST', path: [...queue(id), prompt, 'now'], body: { commandId } }, nothing),
	};
}

function shelfApi(call: ApiCall): ShelfApi {
	const ofSession = (id: SessionId, name: string, body: object) =>
		call({ method: 'POST', path: [...API, 'sessions', id, name], body }, drivenSession);
	return {
		rename: (commandId, id, title) => ofSession(id, 'rename', { commandId, title }),
		archive: (commandId, id, archived) => ofSession(id, 'archive', { commandId, archived }),
	};
}

function projectsApi(call: ApiCall): ProjectsApi {
	const projects = [...API, 'projects'];
	return {
		list: () => call({ method: 'GET', path: projects }, projectList),
		scan: () => call({ method: 'POST', path: [...projects, 'scan'] }, projectList),
		sessions: (id) => call({ method: 'GET', path: [...projects, id, 'sessions'] }, pastSessionList),
		events: (id, nativeId, page = {}) =>
			call({ method: 'GET', path: [...projects, id, 'sessions', nativeId, 'events'], query: page }, pastEventsPage),
	};
}
