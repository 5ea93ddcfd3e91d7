// Driving agents over HTTP. Each command has an id that its caller made: said again with the same one, it does nothing twice.
import { type AgentRow, agentRow, type ProveAgents } from '@roost/protocol/api/agents';
import {
	type Adjustment,
	type CreateSession,
	type DrivenSession,
	drivenSession,
	modelNames,
	type PromptTaken,
	promptTaken,
	type QueuedPrompt,
	queuedPrompt,
	type SessionDetail,
	sessionDetail,
} from '@roost/protocol/api/driving';
import type { PromptId, SessionId } from '@roost/protocol/ids';
import type { Result } from '@roost/protocol/result';
import type { DriveMode } from '@roost/protocol/session-row';
import { z } from 'zod';
import { API, type ApiCall, nothing } from './api-call.ts';

/** The agents that Roost knows. */
export type AgentsApi = {
	/** Which are here, and what Roost can do with each. */
	list(): Promise<Result<AgentRow[]>>;
	/** Starts each agent that is here, to see its guard fire; its progress says how far it is. */
	prove(commandId: string, body: ProveAgents): Promise<Result<AgentRow[]>>;
};

export type DrivingApi = {
	create(commandId: string, body: CreateSession): Promise<Result<DrivenSession>>;
	/** Waits in the queue while the agent is busy. */
	message(commandId: string, id: SessionId, text: string): Promise<Result<PromptTaken>>;
	interrupt(commandId: string, id: SessionId): Promise<Result<DrivenSession>>;
	resume(commandId: string, id: SessionId): Promise<Result<DrivenSession>>;
	end(commandId: string, id: SessionId): Promise<Result<DrivenSession>>;
	/** Whether a session takes prompts, and if not, why. */
	describe(id: SessionId): Promise<Result<SessionDetail>>;
};

/** How, where and in which copy a session goes on. */
export type CourseApi = {
	/** A copy of it, or of its first part, as a session of its own. */
	fork(commandId: string, id: SessionId, upTo?: string): Promise<Result<DrivenSession>>;
	/** Another model or permission mode, from now on. */
	adjust(commandId: string, id: SessionId, adjustment: Adjustment): Promise<Result<DrivenSession>>;
	/** Into a terminal, or back into Roost's hands. */
	switchMode(commandId: string, id: SessionId, mode: DriveMode, recording?: boolean): Promise<Result<DrivenSession>>;
	/** Those that its agent offers; none where it does not tell, or is gone. */
	models(id: SessionId): Promise<Result<string[]>>;
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

export function agentsApi(call: ApiCall): AgentsApi {
	return {
		list: () => call({ method: 'GET', path: [...API, 'agents'] }, z.array(agentRow)),
		prove: (commandId, body) =>
			call({ method: 'POST', path: [...API, 'agents', 'prove'], body: { ...body, commandId } }, z.array(agentRow)),
	};
}

export function drivingApi(call: ApiCall): DrivingApi {
	const command = (name: string) => (commandId: string, id: SessionId) =>
		call({ method: 'POST', path: [...API, 'sessions', id, name], body: { commandId } }, drivenSession);
	return {
		create: (commandId, body) =>
			call({ method: 'POST', path: [...API, 'sessions'], body: { ...body, commandId } }, drivenSession),
		message: (commandId, id, text) =>
			call({ method: 'POST', path: [...API, 'sessions', id, 'messages'], body: { commandId, text } }, promptTaken),
		interrupt: command('interrupt'),
		resume: command('resume'),
		end: command('end'),
		describe: (id) => call({ method: 'GET', path: [...API, 'sessions', id] }, sessionDetail),
	};
}

export function courseApi(call: ApiCall): CourseApi {
	const ofSession = (id: SessionId, name: string, body: object) =>
		call({ method: 'POST', path: [...API, 'sessions', id, name], body }, drivenSession);
	return {
		fork: (commandId, id, upTo) => ofSession(id, 'fork', { commandId, upTo }),
		adjust: (commandId, id, adjustment) => ofSession(id, 'settings', { ...adjustment, commandId }),
		models: (id) => call({ method: 'GET', path: [...API, 'sessions', id, 'models'] }, modelNames),
		switchMode: (commandId, id, mode, recording) => ofSession(id, 'mode', { commandId, mode, recording }),
	};
}

export function promptsApi(call: ApiCall): PromptsApi {
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
