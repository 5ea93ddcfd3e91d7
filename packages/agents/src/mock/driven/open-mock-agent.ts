// A scripted agent that takes prompts: it streams, asks, fails, and can be stopped, resumed and forked.
import { randomUUID } from 'node:crypto';
import type { Connection, DrivableAgent, DrivenAgent, DrivenRequest, OutgoingPrompt } from '@roost/core/runtime/connection';
import type { RuntimeDecision } from '@roost/core/runtime/decision';
import type { HookName, HookPayload } from '@roost/core/runtime/normal-form/hook-payloads';
import type { Runtime } from '@roost/core/runtime/runtime';
import { realTimers, type Timers } from '@roost/machine/timers';
import { ok } from '@roost/protocol/result';
import { drivenCapabilities } from '../../base/capabilities.ts';
import { createRuntimeCore } from '../../base/runtime-core.ts';
import { sourceOf } from '../../live/live-agent.ts';
import { type EventParts, fillDefaults } from '../fill-defaults.ts';
import { type PlayedTurn, playTurn, type TurnEnd } from './play-turn.ts';
import { type MockStep, turnFor } from './turns.ts';

export type MockAgentOptions = {
	timers?: Timers;
	now?: () => number;
	/** Unique across agents. */
	newId?: () => string;
	/** 2 plays twice as fast. */
	speed?: number;
	turns?: (prompt: string) => readonly MockStep[];
	/** Reported at the start; by default a session start. */
	opening?: readonly EventParts[];
};

export function mockAgent(options: MockAgentOptions = {}): DrivableAgent {
	// It keeps no conversation.
	const hasPrompt: DrivableAgent['hasPrompt'] = async () => ok(false);
	return { capabilities: DRIVEN_MOCK, refuse: () => null, open: (request) => openMockAgent(request, options), hasPrompt };
}

export function openMockAgent(request: DrivenRequest, options: MockAgentOptions = {}): DrivenAgent {
	const { timers = realTimers, now = Date.now, newId = randomUUID, speed = 1, turns = turnFor } = options;
	const after: Timers['after'] = (ms, run) => timers.after(ms / speed, run);
	let hasBegun = false;

	function begin(): void {
		if (hasBegun) return;
		hasBegun = true;
		if (options.opening) playOpening(reporter, after, options.opening);
		else reporter.report('SessionStart', { source: sourceOf(request), model: request.model ?? MODEL });
	}

	const reporter = createEventReporter({ request, timers, now, newId, onStart: begin, onStop: () => work.drop() });
	const work = createWork({ reporter, play: (prompt, ended) => playTurn(turns(prompt), { ...reporter, after, newId }, ended) });
	return { runtime: reporter.runtime, connection: createConnection(reporter, work, request.model ?? MODEL) };
}

const MODEL = 'scripted';

function playOpening(reporter: MockReporter, after: Timers['after'], [first, ...rest]: readonly EventParts[]): void {
	if (!first) return;
	after(0, () => {
		reporter.emit(first);
		playOpening(reporter, after, rest);
	});
}

type Work = ReturnType<typeof createWork>;

function createWork(deps: { reporter: MockReporter; play: (prompt: string, ended: (end: TurnEnd) => void) => PlayedTurn }) {
	const { reporter } = deps;
	const waiting: OutgoingPrompt[] = [];
	let turn: PlayedTurn | undefined;
	let failed = false;

	function take(prompt: OutgoingPrompt): void {
		if (reporter.runtime.getStatus() === 'stopped') return;
		if (turn) return void waiting.push(prompt);
		failed = false;
		reporter.report('UserPromptSubmit', { prompt: prompt.text, sent_as: prompt.id });
		turn = deps.play(prompt.text, stop);
	}

	function stop(end: TurnEnd): void {
		turn = undefined;
		failed = end.type === 'failed';
		if (end.type === 'failed') reporter.report('StopFailure', { error: end.error, last_assistant_message: end.error });
		else reporter.report('Stop', stopPayload(end));
		const next = waiting.shift();
		if (next !== undefined) take(next);
	}

	function drop(): void {
		turn?.interrupt();
		turn = undefined;
	}

	return {
		/** Queued while it works. */
		take,
		interrupt(): void {
			if (!turn) return;
			drop();
			stop({ type: 'interrupted' });
		},
		/** Ends without a report. */
		drop,
		state(): Awaited<ReturnType<Connection['getState']>> {
			const currentTool = turn?.currentTool();
			return { status: turn ? 'working' : failed ? 'error' : 'idle', ...(currentTool ? { currentTool } : {}) };
		},
	};
}

function stopPayload(end: Exclude<TurnEnd, { type: 'failed' }>): HookPayload<'Stop'> {
	const common = { stop_hook_active: false, background_tasks: [] };
	return end.type === 'interrupted' ? { ...common, interrupted: true } : { ...common, last_assistant_message: end.text };
}

function createConnection(reporter: MockReporter, work: Work, firstModel: string): Connection {
	let model = firstModel;
	return {
		sendPrompt: async (prompt) => work.take(prompt),
		followUp: async (prompt) => work.take(prompt),
		abort: async () => work.interrupt(),
		getState: async () => work.state(),
		models: async () => null,
		async control(command) {
			if (command.type === 'permission-mode') return reporter.setMode(command.mode);
			if (command.type === 'steer') return work.take(command.prompt);
			reporter.report('PostModelSwitch', { from_model: model, to_model: command.model, source: 'user' });
			model = command.model;
		},
		close() {
			if (reporter.runtime.getStatus() === 'stopped') return;
			work.drop();
			reporter.report('SessionEnd', { reason: 'other' });
			reporter.runtime.stop();
		},
	};
}

export type MockReporter = {
	readonly runtime: Runtime;
	report<Name extends HookName>(hookName: Name, payload: HookPayload<Name>): void;
	/** The answer may come at once; the returned function abandons the request. */
	ask<Name extends HookName>(hookName: Name, payload: HookPayload<Name>, answer: (decision: RuntimeDecision) => void): () => void;
	emit(event: EventParts): void;
	setMode(mode: string): void;
};

const DRIVEN_MOCK = drivenCapabilities('mock', { questionHook: 'PreToolUse' });

function createEventReporter(deps: {
	request: DrivenRequest;
	timers: Timers;
	now: () => number;
	newId: () => string;
	onStart: () => void;
	onStop: () => void;
}): MockReporter {
	const { request, now, newId } = deps;
	const core = createRuntimeCore({ ...deps, capabilities: DRIVEN_MOCK, gate: request.gate });
	const nativeId = request.resume && !request.resume.fork ? request.resume.nativeId : newId();
	const context = { cwd: request.cwd, transcriptPath: '', permissionMode: request.permissionMode ?? 'default' };

	function offer(part: EventParts, answer: (decision: RuntimeDecision) => void): () => void {
		const reported = { sessionId: nativeId, context: { ...context }, ...part };
		const event = fillDefaults(reported, { id: newId(), timestamp: now() });
		const offered = core.offer(event, answer);
		if (offered.ok) return offered.value.abandon;
		core.report({ code: offered.error.code, message: offered.error.message, detail: event.id });
		return () => {};
	}

	return {
		runtime: core.runtime,
		report: (hookName, payload) => void offer({ hookName, payload }, () => {}),
		ask: (hookName, payload, answer) => offer({ hookName, payload }, answer),
		emit: (event) => void offer(event, () => {}),
		setMode(mode) {
			context.permissionMode = mode;
		},
	};
}
