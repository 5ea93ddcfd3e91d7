// Claude, driven through its Agent SDK: one process per session, every call through Roost's gate.
import { randomUUID } from 'node:crypto';
import type { Query, SDKUserMessage, SettingSource } from '@anthropic-ai/claude-agent-sdk';
import type { DrivableAgent, DrivenAgent, DrivenRequest } from '@roost/core/runtime/connection';
import { realTimers } from '@roost/machine/timers';
import { DEFAULT_ASK_MS } from '../../base/ask-timeouts.ts';
import { type JsonObject, stringAt } from '../../base/json-object.ts';
import type { HookName } from '../../hooks/hook-names.ts';
import { type DriveDeps, sourceOf } from '../../live/live-agent.ts';
import { createOpenCalls } from '../../live/turns.ts';
import { createClaudeConnection } from './claude-connection.ts';
import { createClaudeTurns } from './claude-turns.ts';
import { createGate, toHookCallbacks } from './gate.ts';
import { refuseRequest, toOptions, writeMcpConfigFile } from './options.ts';
import { createMessageReader } from './parse-message.ts';
import { CLAUDE_SDK_CAPABILITIES, createClaudeReporter, mayBypass } from './permission-modes.ts';
import {
	createHasConversation,
	createHasPrompt,
	createInputQueue,
	createPrompts,
	type HasConversation,
	isUuid,
	type WritePrompt,
} from './prompts.ts';
import type { ReadSurroundings } from './read-surroundings.ts';
import { createClaudeProcess, NEVER_READY, NOT_READY, toExitReason } from './spawn-claude.ts';
import { createRunningCalls } from './tool-results.ts';
import type { UsedBefore } from './usage-tracker.ts';

/** `newId` makes UUIDs, which Claude requires. Without a command the program of the SDK is started. */
export type ClaudeAgentDeps = Omit<DriveDeps, 'command'> & {
	readSurroundings: ReadSurroundings;
	command?: DriveDeps['command'] | undefined;
	/** Private folder for files of one session. Created if missing. */
	privateDir: string;
	settingSources?: readonly SettingSource[] | undefined;
	/** Default limit of a session. */
	maxTurns?: number | undefined;
	askMs?: number | undefined;
	isRoot?: boolean | undefined;
};

export function createClaudeAgent(deps: ClaudeAgentDeps): DrivableAgent {
	const env = deps.env('');
	const hasConversation = createHasConversation(env);
	return {
		capabilities: CLAUDE_SDK_CAPABILITIES,
		refuse: (request) => deps.unavailable ?? refuseRequest(request, { bypassable: mayBypass(env, isRoot(deps)) }),
		open: (request) => openClaudeAgent(request, { ...deps, hasConversation }),
		hasPrompt: createHasPrompt(env),
	};
}

function isRoot(deps: Pick<ClaudeAgentDeps, 'isRoot'>): boolean {
	return deps.isRoot ?? process.getuid?.() === 0;
}

const MAX_INPUT = 100;
const IDLE_GRACE_MS = 3000;
const READY_MS = 60_000;

function openClaudeAgent(request: DrivenRequest, deps: ClaudeAgentDeps & { hasConversation: HasConversation }): DrivenAgent {
	const { timers = realTimers, now = Date.now, newId = randomUUID } = deps;
	const { command, settingSources = [] } = deps;
	const maxTurns = request.maxTurns ?? deps.maxTurns;
	const env = deps.env(request.session ?? '');
	const settings = { env, executable: command?.[0], settingSources, maxTurns, bypassable: mayBypass(env, isRoot(deps)) };
	const nativeId = nativeIdOf(request, newId);
	const input = createInputQueue<SDKUserMessage>(MAX_INPUT);
	const started = Promise.withResolvers<Query | undefined>();
	const claude = createClaudeProcess({ timers, command, onSpawned: request.onSpawned });
	const reader = createMessageReader({ usedBefore: usedBefore(request.resume) });

	const reporter = createClaudeReporter({ request, nativeId, timers, now, newId, onStart: begin, onStop: shutDown });
	const calls = createOpenCalls();
	const running = createRunningCalls({ reporter, calls, now });
	const prompts = createPrompts(writeTo(input));
	const turns = createClaudeTurns({ reporter, calls, running, prompts, model: request.model, interrupt });
	const connection = createClaudeConnection({
		reporter,
		prompts,
		turns,
		query: () => started.promise,
		env,
		timers,
		bypassable: settings.bypassable,
		giveUp: finish,
		close: () => finish(),
	});
	const gate = createGate({ reporter, calls, running, allowedTools: request.allowedTools, interrupt });

	function interrupt(): void {
		void connection.abort();
	}

	let hasBegun = false;
	function begin(): void {
		if (hasBegun) return;
		hasBegun = true;
		reporter.report('SessionStart', {
			source: sourceOf(request),
			...(request.model === undefined ? {} : { model: request.model }),
		});
		const refusal = deps.unavailable ?? refuseRequest(request, settings);
		if (refusal === null) void run();
		else finish(refusal);
	}

	let isReady = false;
	/** Without a response to the first request the agent is unusable. */
	async function expectReady(messages: Pick<Query, 'initializationResult'>): Promise<void> {
		const forget = timers.after(READY_MS, () => finish(NOT_READY));
		try {
			await messages.initializationResult();
			isReady = true;
		} catch {
			// It has ended; the reader of its messages reports why.
		} finally {
			forget();
		}
	}

	let removeServers = () => {};
	/** Lives as long as the process; never throws. */
	async function run(): Promise<void> {
		try {
			const given = await deps.readSurroundings(request.cwd);
			if (reporter.runtime.getStatus() === 'stopped') return;
			for (const message of given.leftOut) reporter.report('Notification', { message, notification_type: 'left_out' });
			const hooks = toHookCallbacks({ gate, observe, askMs: deps.askMs ?? DEFAULT_ASK_MS });
			const { canUseTool } = gate;
			const begun = await toBegun(request, deps.hasConversation);
			const id = begun === request ? nativeId : newId();
			reporter.learn({ session_id: id });
			// Loaded on demand: a runner without Claude starts without it.
			const { query } = await import('@anthropic-ai/claude-agent-sdk');
			if (reporter.runtime.getStatus() === 'stopped') return;
			const servers = writeMcpConfigFile(deps.privateDir, given.mcpServers);
			if (!servers.ok) return finish(servers.error.message);
			removeServers = servers.value.remove;
			const options = toOptions(begun, { ...settings, mcpConfigPath: servers.value.path }, given.instructions, id);
			const messages = query({ prompt: input, options: { ...options, hooks, canUseTool, spawnClaudeCodeProcess: claude.spawn } });
			started.resolve(messages);
			void expectReady(messages);
			for await (const message of messages) for (const received of reader.read(message)) turns.receive(received);
			finish(isReady ? toExitReason(undefined, claude.complaint()) : NEVER_READY);
		} catch (error) {
			finish(toExitReason(error, claude.complaint()));
		}
	}

	/** Reports the rest of a subagent's calls before its end. */
	function observe(hookName: HookName, payload: JsonObject): void {
		const gone = hookName === 'SubagentStop' ? stringAt(payload, 'agent_id') : undefined;
		if (gone !== undefined) for (const received of reader.stopped(gone)) turns.receive(received);
		turns.observe(hookName, payload);
	}

	/** Once. Without a reason it was closed. */
	function finish(why?: string): void {
		if (reporter.runtime.getStatus() === 'stopped') return;
		const reported = turns.failure();
		const isNews = why !== undefined && (reported === undefined || !why.includes(reported));
		if (isNews) reporter.report('StopFailure', { error: 'agent_ended', last_assistant_message: why });
		reporter.report('SessionEnd', { reason: why === undefined ? 'other' : 'failed' });
		reporter.runtime.stop();
	}

	function shutDown(): void {
		input.end();
		removeServers();
		started.resolve(undefined);
		// Idle, it exits when its input ends; while working it would continue.
		const graceMs = turns.state().status === 'working' ? 0 : IDLE_GRACE_MS;
		void started.promise.then((running) => {
			running?.close();
			claude.end(graceMs);
		});
	}

	return { runtime: reporter.runtime, connection };
}

function nativeIdOf({ resume }: DrivenRequest, newId: () => string): string {
	if (!resume || resume.fork) return newId();
	return isUuid(resume.nativeId) ? resume.nativeId : '';
}

/** A session killed before its conversation was stored starts again, under a new id. */
async function toBegun(request: DrivenRequest, hasConversation: HasConversation): Promise<DrivenRequest> {
	const { resume } = request;
	if (!resume?.ifMissing || (await hasConversation(resume.nativeId))) return request;
	const { copyOf } = resume.ifMissing;
	return { ...request, resume: copyOf && { ...copyOf, fork: true } };
}

/** A fork is charged from its first message; only a resumed conversation includes earlier usage. */
function usedBefore(resume: DrivenRequest['resume']): UsedBefore {
	if (!resume) return 'nothing';
	return resume.unrecorded ? 'foreign' : 'own';
}

/** A steering prompt is taken between two steps of the turn. */
function writeTo(input: { push(message: SDKUserMessage): boolean }): WritePrompt {
	return (prompt, { uuid, steers }) =>
		input.push({
			type: 'user',
			message: { role: 'user', content: prompt.text },
			parent_tool_use_id: null,
			uuid,
			...(steers ? { priority: 'next' as const } : {}),
		});
}
