// Tracks one run in the feed of its session: start, denials, final response and end.
import { ROOT_AGENT } from '@roost/core/feed/entities';
import { TURN_LIMIT } from '@roost/core/runtime/normal-form/hook-payloads';
import type { FeedEvent } from '@roost/protocol/feed/event';
import type { EventId, PromptId, RunId } from '@roost/protocol/ids';

type RunTracker = {
	/** Events from the prompt on, in order. */
	observe(event: FeedEvent): void;
	hasBegun(): boolean;
	has(event: EventId): boolean;
	over(): RunOver | undefined;
};

export type RunOver = {
	status: 'completed' | 'failed' | 'aborted';
	reason?: string | undefined;
	/** The final response. */
	text: string;
	atTurnLimit: boolean;
	/** A request was denied or unanswered, and no tool call has succeeded since. */
	refused: boolean;
};

/** The run started by this prompt, or else the first run. */
export function createRunTracker(prompt?: PromptId): RunTracker {
	let run: RunId | undefined;
	let text = '';
	let refused = false;
	let atTurnLimit = false;
	let trouble: string | undefined;
	let over: RunOver | undefined;

	function end(status: RunOver['status'], reason: string | undefined): void {
		over ??= { status, reason: reason ?? trouble, text, atTurnLimit, refused };
	}

	function observeRun(event: FeedEvent): void {
		switch (event.kind) {
			case 'agent.message':
				if (event.actor_id === ROOT_AGENT) text = event.data.text;
				break;
			case 'permission.decision':
				if (event.data.ask_id && event.data.decision_type === 'deny') refused = true;
				break;
			case 'question.answer':
				if (event.data.ask_id && Object.keys(event.data.answers).length === 0) refused = true;
				break;
			case 'stop.failure':
				if (event.actor_id === ROOT_AGENT) atTurnLimit = event.data.error === TURN_LIMIT;
				break;
			case 'tool.post':
				refused = false;
				break;
			case 'run.end':
				end(event.data.status, event.data.reason);
				break;
		}
	}

	return {
		observe(event) {
			if (event.kind === 'runtime.error') trouble = event.data.message;
			if (event.kind === 'stop.failure' && run === undefined) trouble = event.data.last_assistant_message ?? event.data.error;
			if (event.kind === 'user.prompt' && (prompt === undefined || event.data.prompt_id === prompt)) run ??= event.run_id;
			if (run !== undefined && event.run_id === run) observeRun(event);
			// A started run ends with an event of its own.
			if (event.kind === 'session.end' && run === undefined) {
				end('aborted', trouble ?? `its session ended (${event.data.reason}) before it began`);
			}
		},
		hasBegun: () => run !== undefined,
		has: (event) => run !== undefined && event.startsWith(`${run}:`),
		over: () => over,
	};
}
