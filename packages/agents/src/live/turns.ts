// Turns of a driven agent that takes one prompt at a time, with the message and the tool calls in progress.
import type { ConnectionState, OutgoingPrompt } from '@roost/core/runtime/connection';
import type { HookPayload } from '@roost/core/runtime/normal-form/hook-payloads';
import { assertNever } from '@roost/protocol/assert-never';
import { isJsonObject, type JsonObject, stringAt } from '../base/json-object.ts';
import type { EventReporter } from './event-reporter.ts';

export type TurnEnd =
	| { type: 'completed'; text?: string | undefined }
	| { type: 'interrupted' }
	/** `error` is a code, `why` a sentence. */
	| { type: 'failed'; error: string; why: string };

export type Turns = ReturnType<typeof createTurns>;

const MAX_WAITING = 100;

export function createTurns(deps: {
	reporter: Pick<EventReporter, 'report'>;
	calls: OpenCalls;
	messages: MessageStream;
	/** Sends it to the agent, which may end the turn at any time. */
	send: (prompt: OutgoingPrompt) => void;
}) {
	const { reporter, calls, messages } = deps;
	const waiting: OutgoingPrompt[] = [];
	let isOpen = false;
	let isRunning = false;
	let count = 0;
	let failure: string | undefined;

	function begin(prompt: OutgoingPrompt): void {
		isRunning = true;
		count++;
		failure = undefined;
		reporter.report('UserPromptSubmit', { prompt: prompt.text, sent_as: prompt.id });
		deps.send(prompt);
	}

	function beginNext(): void {
		const next = isOpen && !isRunning ? waiting.shift() : undefined;
		if (next) begin(next);
	}

	function isBusy(): boolean {
		return isRunning || waiting.length > 0;
	}

	/** An interrupt or a failure leaves calls and messages unfinished; subagents may outlive a completed turn. */
	function closeOpen(how: TurnEnd): void {
		messages.breakOff();
		for (const call of calls.drop(how.type === 'completed' ? 'main' : 'all'))
			reporter.report('PostToolUseFailure', { ...call, error: CUT_OFF, is_interrupt: how.type === 'interrupted' });
	}

	function report(how: TurnEnd): void {
		switch (how.type) {
			case 'completed':
				reporter.report('Stop', { ...STOP, last_assistant_message: how.text ?? messages.last() });
				break;
			case 'interrupted':
				reporter.report('Stop', { ...STOP, interrupted: true });
				break;
			case 'failed':
				failure = how.why;
				reporter.report('StopFailure', { error: how.error, last_assistant_message: how.why });
				break;
			default:
				assertNever(how);
		}
	}

	return {
		/** Starts at once if the agent is ready and idle, else waits. False where too many wait. */
		take(prompt: OutgoingPrompt): boolean {
			if (isOpen && !isRunning) begin(prompt);
			else if (waiting.length < MAX_WAITING) waiting.push(prompt);
			else return false;
			return true;
		},
		/** The agent is ready: waiting prompts start. */
		open(): void {
			isOpen = true;
			beginNext();
		},
		/** No further turns start. */
		close(): void {
			isOpen = false;
			waiting.length = 0;
		},
		steered(prompt: OutgoingPrompt): void {
			reporter.report('UserPromptSubmit', { prompt: prompt.text, sent_as: prompt.id, steers: true });
		},
		/** Reported once for each turn; ignored without a turn. */
		end(how: TurnEnd): void {
			if (!isRunning) return;
			closeOpen(how);
			isRunning = false;
			report(how);
			beginNext();
		},
		/** Whether a turn runs or waits for the agent to be ready. */
		isBusy,
		state(): ConnectionState {
			const currentTool = calls.current();
			const status = isBusy() ? 'working' : failure === undefined ? 'idle' : 'error';
			return { status, ...(isRunning && currentTool !== undefined ? { currentTool } : {}) };
		},
		/** How many turns have begun. */
		count: () => count,
		/** Why the last turn failed. */
		failure: () => failure,
	};
}

const STOP = { stop_hook_active: false };
const CUT_OFF = 'The turn ended before this call did.';

export type MessageStream = ReturnType<typeof createMessageStream>;

export function createMessageStream(reporter: Pick<EventReporter, 'report'>) {
	let open: { id: string; pieces: number; text: string } | undefined;
	let last: string | undefined;

	function show(id: string, index: number, delta: string, final: boolean, nativeId?: string): void {
		const native = nativeId === undefined ? {} : { native_id: nativeId };
		reporter.report('MessageDisplay', { message_id: id, index, delta, final, ...native });
	}

	function close(nativeId?: string): void {
		if (!open) return;
		show(open.id, open.pieces, '', true, nativeId);
		last = open.text;
		open = undefined;
	}

	return {
		/** Ends the previous message. */
		add(messageId: string, delta: string): void {
			if (delta === '') return;
			if (open?.id !== messageId) close();
			open ??= { id: messageId, pieces: 0, text: '' };
			show(messageId, open.pieces, delta, false);
			open.pieces++;
			open.text += delta;
		},
		/** Shows the whole message where no piece was seen. `nativeId` is the agent's own id. */
		finish(messageId: string, whole?: string, nativeId?: string) {
			if (open?.id === messageId) return close(nativeId);
			if (whole === undefined || whole === '') return;
			close();
			show(messageId, 0, whole, true, nativeId);
			last = whole;
		},
		/** Ends an unfinished message. */
		breakOff: () => close(),
		last: () => last,
	};
}

export type OpenCall = HookPayload<'PreToolUse'>;

export type OpenCalls = ReturnType<typeof createOpenCalls>;

const MAX_CALLS = 1000;

export function createOpenCalls() {
	const calls = new Map<string, OpenCall>();
	const isMain = (call: OpenCall) => typeof call.agent_id !== 'string';

	return {
		open(call: OpenCall): void {
			const id = call.tool_use_id;
			if (typeof id !== 'string') return;
			calls.set(id, call);
			const oldest = calls.size > MAX_CALLS ? calls.keys().next().value : undefined;
			if (oldest !== undefined) calls.delete(oldest);
		},
		find: (toolUseId: string) => calls.get(toolUseId),
		/** Removes calls that a hook reports as ended. */
		observe(hookName: string, payload: JsonObject): void {
			for (const id of endedBy(hookName, payload)) calls.delete(id);
		},
		/** Removes calls that will not end by themselves; calls of subagents may outlive a turn. */
		drop(whose: 'main' | 'all'): OpenCall[] {
			const dropped = [...calls].filter(([, call]) => whose === 'all' || isMain(call));
			for (const [id] of dropped) calls.delete(id);
			return dropped.map(([, call]) => call);
		},
		/** The tool of the main agent, else of a subagent. */
		current(): string | undefined {
			const open = [...calls.values()];
			const one = open.findLast(isMain) ?? open.at(-1);
			return one?.tool_name;
		},
	};
}

function endedBy(hookName: string, payload: JsonObject): string[] {
	const toId = (call: unknown) => (isJsonObject(call) ? stringAt(call, 'tool_use_id') : undefined);
	const isOne = hookName === 'PostToolUse' || hookName === 'PostToolUseFailure';
	const ended = isOne ? [payload] : hookName === 'PostToolBatch' && Array.isArray(payload.tool_calls) ? payload.tool_calls : [];
	return ended.map(toId).filter((id) => id !== undefined);
}
