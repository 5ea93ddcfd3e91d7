// Turns of a driven Claude: combines SDK messages and hooks into one start and one end each.
import type { ConnectionState } from '@roost/core/runtime/connection';
import { assertNever } from '@roost/protocol/assert-never';
import { type JsonObject, stringAt } from '../../base/json-object.ts';
import type { HookName } from '../../hooks/hook-names.ts';
import type { OpenCalls, TurnEnd } from '../../live/turns.ts';
import type { ParsedMessage } from './parse-message.ts';
import type { ClaudeReporter } from './permission-modes.ts';
import type { Prompts, WrittenPrompt } from './prompts.ts';
import type { RunningCalls } from './tool-results.ts';

export type ClaudeTurns = ReturnType<typeof createClaudeTurns>;

export function createClaudeTurns(deps: {
	reporter: ClaudeReporter;
	calls: OpenCalls;
	running: RunningCalls;
	prompts: Prompts;
	model: string | undefined;
	interrupt: () => void;
}) {
	const { reporter, calls, prompts } = deps;
	let model = deps.model;
	let inTurn = false;
	let hasBegun = false;
	let interruptIsDue = false;
	/** Claude prompts itself when a background task ends. */
	let isItsOwn = false;
	let failure: string | undefined;
	let background: readonly unknown[] = [];
	/** Claude's stop hook of this turn. */
	let stopPayload: JsonObject = {};

	function begin(now: string | undefined): void {
		inTurn = true;
		hasBegun = true;
		failure = undefined;
		if (now !== undefined && now !== model) {
			reporter.report('PostModelSwitch', { from_model: model ?? 'default', to_model: now, source: 'startup' });
			model = now;
		}
		if (interruptIsDue) deps.interrupt();
		interruptIsDue = false;
	}

	/** `reported`: Claude's own payload. */
	function reportPrompt({ id, text, steers }: WrittenPrompt, reported: JsonObject = {}): void {
		inTurn = true;
		failure = undefined;
		reporter.relay('UserPromptSubmit', { ...reported, prompt: text, sent_as: id, ...(steers ? { steers } : {}) });
	}

	function receivePrompt(payload: JsonObject): void {
		const { prompt, isNews } = prompts.reported(stringAt(payload, 'prompt') ?? '');
		if (prompt && isNews) reportPrompt(prompt, payload);
		if (prompt) return;
		isItsOwn = true;
		reporter.relay('UserPromptSubmit', payload);
	}

	function end(how: TurnEnd): void {
		closeCalls(how);
		const silent = prompts.ended(how.type === 'completed' && !isItsOwn);
		if (silent) reportPrompt(silent);
		inTurn = false;
		hasBegun = false;
		interruptIsDue = false;
		isItsOwn = false;
		failure = how.type === 'failed' ? how.why : undefined;
		reportEnd(how);
		stopPayload = {};
		prompts.next();
	}

	/** An interrupt leaves calls open. */
	function closeCalls(how: TurnEnd): void {
		const is_interrupt = how.type === 'interrupted';
		for (const call of calls.drop(is_interrupt ? 'all' : 'main'))
			reporter.report('PostToolUseFailure', { ...call, error: 'The turn ended before this call did.', is_interrupt });
	}

	function reportEnd(how: TurnEnd): void {
		switch (how.type) {
			case 'completed':
				reporter.relay('Stop', { ...STOP, last_assistant_message: how.text, background_tasks: background, ...stopPayload });
				break;
			case 'interrupted':
				reporter.report('Stop', { ...STOP, background_tasks: [], interrupted: true });
				break;
			case 'failed': {
				const named = stringAt(stopPayload, 'error');
				const error = named === undefined || named === 'unknown' ? how.error : named;
				reporter.report('StopFailure', { error, last_assistant_message: how.why });
				break;
			}
			default:
				assertNever(how);
		}
	}

	function receive(received: ParsedMessage): void {
		switch (received.type) {
			case 'report':
				calls.observe(received.hookName, received.payload);
				reporter.report(received.hookName, received.payload);
				break;
			case 'unknown':
				reporter.relay(received.name, received.payload);
				break;
			case 'begun':
				begin(received.model);
				break;
			case 'taken': {
				const prompt = prompts.taken(received.uuid);
				if (prompt) reportPrompt(prompt);
				break;
			}
			case 'background':
				background = received.tasks;
				break;
			case 'result':
				deps.running.returned(received.result);
				break;
			case 'ended':
				end(received.end);
				break;
			default:
				assertNever(received);
		}
	}

	function observe(hookName: HookName, payload: JsonObject): void {
		reporter.learn(payload);
		calls.observe(hookName, payload);
		if (hookName === 'PostModelSwitch') model = stringAt(payload, 'to_model') ?? model;
		if (hookName === 'UserPromptSubmit') receivePrompt(payload);
		// The result has the same content, and comes also without a hook.
		else if (isOwnStop(hookName, payload)) stopPayload = payload;
		// The end of the process is reported elsewhere.
		else if (hookName !== 'SessionEnd' || payload.reason === 'clear') reporter.relay(hookName, payload);
	}

	return {
		/** A message of the SDK. */
		receive,
		/** A hook other than the gate. */
		observe,
		state(): ConnectionState {
			const currentTool = calls.current();
			const isWorking = inTurn || prompts.isBusy();
			const status = isWorking ? 'working' : failure === undefined ? 'idle' : 'error';
			return { status, ...(isWorking && currentTool !== undefined ? { currentTool } : {}) };
		},
		/** Whether there is something to interrupt, and whether Claude started on it. */
		running(): 'idle' | 'written' | 'turn' | 'background' {
			if (hasBegun) return 'turn';
			if (inTurn || prompts.isBusy()) return 'written';
			return background.length > 0 ? 'background' : 'idle';
		},
		/** Interrupts when Claude starts on the prompt: earlier it would have no effect. */
		interruptSoon(): void {
			interruptIsDue = true;
		},
		/** Only background tasks ran, and they were ended. */
		backgroundEnded(): void {
			background = [];
			end({ type: 'interrupted' });
		},
		failure: () => failure,
	};
}

const STOP = { stop_hook_active: false };

function isOwnStop(hookName: HookName, payload: JsonObject): boolean {
	return (hookName === 'Stop' || hookName === 'StopFailure') && stringAt(payload, 'agent_id') === undefined;
}
