// The API over HTTP, typed: one method per route, every reply parsed, every failure a value.
import { type AnswerBody, type ApproveBody, type ApprovedAsk, approvedAsk } from '@roost/protocol/api/answers';
import { type AskDetail, askDetail } from '@roost/protocol/api/asks';
import { type DeciderBody, type DeciderJudged, deciderJudged } from '@roost/protocol/api/deciders';
import { type Device, device, devicesRevoked, ticketIssued } from '@roost/protocol/api/devices';
import { type DrivenSession, drivenSession } from '@roost/protocol/api/driving';
import {
	type LaunchBody,
	type LaunchDescribed,
	type LaunchEnded,
	type LaunchOpened,
	launchDescribed,
	launchEnded,
	launchOpened,
} from '@roost/protocol/api/launches';
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
import type { AskId, DeviceId, ProjectId, RuleId, SessionId } from '@roost/protocol/ids';
import type { Result } from '@roost/protocol/result';
import { type Rule, rule } from '@roost/protocol/rule';
import { type SessionRow, sessionRow } from '@roost/protocol/session-row';
import { type StoredLine, storedLine } from '@roost/protocol/stored-line';
import { z } from 'zod';
import { API, type ApiCall, type ApiDeps, createApiCall, nothing, type Reply } from './api-call.ts';
import { type CommandsApi, commandsApi, type McpApi, mcpApi, type PluginsApi, pluginsApi } from './claude-cli-api.ts';
import {
	type AgentsApi,
	agentsApi,
	type CourseApi,
	courseApi,
	type DrivingApi,
	drivingApi,
	type PromptsApi,
	promptsApi,
} from './driving-api.ts';
import { type McpTrustApi, mcpTrustApi } from './mcp-trust-api.ts';
import { createTerminalsApi, type TerminalsApi } from './terminals-api.ts';

export type ApiClient = {
	readonly record: RecordApi;
	readonly asks: AsksApi;
	readonly rules: RulesApi;
	readonly launches: LaunchesApi;
	readonly agents: AgentsApi;
	readonly driving: DrivingApi;
	readonly course: CourseApi;
	readonly prompts: PromptsApi;
	readonly shelf: ShelfApi;
	readonly plugins: PluginsApi;
	readonly mcp: McpApi;
	readonly commands: CommandsApi;
	readonly mcpTrust: McpTrustApi;
	readonly devices: DevicesApi;
	readonly terminals: TerminalsApi;
	readonly projects: ProjectsApi;
	/** What runs and what waits, in words that are safe to show. */
	overview(): Promise<Result<Overview>>;
	/** Makes a browser a device, once and soon: open `path` at the runner's address. */
	ticket(): Promise<Result<Ticket>>;
	/** Whether a runner answers at all; needs no credential. */
	health(): Promise<Result<void>>;
};

export type Ticket = z.infer<typeof ticketIssued>;

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
	/** With the file that it would change, while it is pending. */
	show(id: AskId): Promise<Result<AskDetail>>;
	/** The first answer wins; a later one fails with `conflict` and carries the winner. */
	approve(sessionId: SessionId, body: ApproveBody): Promise<Reply<ApprovedAsk>>;
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
	describe(launchId: string): Promise<Result<LaunchDescribed>>;
	end(launchId: string): Promise<Result<LaunchEnded>>;
	/** Whether this process belongs to an agent, before it decides something. */
	judge(body: DeciderBody): Promise<Result<DeciderJudged>>;
};

/** Browsers that may act for the user. */
export type DevicesApi = {
	list(): Promise<Result<Device[]>>;
	/** Ends its bearers and closes its sockets. */
	revoke(id: DeviceId): Promise<Result<void>>;
	/** Also voids links that were not used yet. */
	revokeAll(): Promise<Result<{ revoked: number }>>;
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
		agents: agentsApi(call),
		driving: drivingApi(call),
		course: courseApi(call),
		prompts: promptsApi(call),
		shelf: shelfApi(call),
		plugins: pluginsApi(call),
		mcp: mcpApi(call),
		commands: commandsApi(call),
		mcpTrust: mcpTrustApi(call),
		devices: devicesApi(call),
		terminals: createTerminalsApi(call),
		projects: projectsApi(call),
		overview: () => call({ method: 'GET', path: [...API, 'overview'] }, overview),
		ticket: () => call({ method: 'POST', path: [...API, 'tickets'] }, ticketIssued),
		health: () => call({ method: 'GET', path: ['healthz'] }, nothing),
	};
}

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
		show: (id) => call({ method: 'GET', path: [...API, 'asks', id] }, askDetail),
		approve: (id, body) => call({ method: 'POST', path: [...API, 'sessions', id, 'approve'], body }, approvedAsk),
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
		describe: (launchId) => call({ method: 'GET', path: [...API, 'launches', launchId] }, launchDescribed),
		judge: (body) => call({ method: 'POST', path: [...API, 'launches', 'decider'], body }, deciderJudged),
		end: (launchId) => call({ method: 'POST', path: [...API, 'launches', launchId, 'end'] }, launchEnded),
	};
}

function devicesApi(call: ApiCall): DevicesApi {
	const devices = [...API, 'devices'];
	return {
		list: () => call({ method: 'GET', path: devices }, z.array(device)),
		revoke: (id) => call({ method: 'DELETE', path: [...devices, id] }, nothing),
		revokeAll: () => call({ method: 'DELETE', path: devices }, devicesRevoked),
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
