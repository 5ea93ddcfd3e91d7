// Turns of a driven agent that takes one prompt at a time: one start and one end each, then the next prompt.
import type { ConnectionState, OutgoingPrompt } from '@roost/core/runtime/connection';
import { assertNever } from '@roost/protocol/assert-never';
import type { EventReporter } from './event-reporter.ts';
import type { MessageStream } from './message-stream.ts';
import type { OpenCalls } from './open-calls.ts';

export type TurnEnd =
	| { type: 'completed'; said?: string | undefined }
	| { type: 'interrupted' }
	/** `error` is a code, `why` a sentence. */
	| { type: 'failed'; error: string; why: string };

export type Turns = ReturnType<typeof createTurns>;

const MAX_WAITING = 100;

export function createTurns(deps: {
	reporter: Pick<EventReporter, 'report'>;
	calls: OpenCalls;
	said: MessageStream;
	/** Sends it to the agent, which may end the turn at any time. */
	send: (prompt: OutgoingPrompt) => void;
}) {
	const { reporter, calls, said } = deps;
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
		said.breakOff();
		for (const call of calls.drop(how.type === 'completed' ? 'main' : 'all'))
			reporter.report('PostToolUseFailure', { ...call, error: CUT_OFF, is_interrupt: how.type === 'interrupted' });
	}

	function tell(how: TurnEnd): void {
		switch (how.type) {
			case 'completed':
				reporter.report('Stop', { ...STOP, last_assistant_message: how.said ?? said.last() });
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
			tell(how);
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
