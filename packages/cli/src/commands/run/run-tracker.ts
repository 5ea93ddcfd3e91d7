// The course of one run, folded from its session's feed: when it began, what was refused, what the agent said last, how it ended.
import { ROOT_AGENT } from '@roost/core/feed/entities';
import { TURN_LIMIT } from '@roost/core/runtime/normal-form/stops';
import type { FeedEvent } from '@roost/protocol/feed/event';
import type { EventId, PromptId, RunId } from '@roost/protocol/ids';

type RunTracker = {
	/** Facts of the session from where the prompt was sent, in order. */
	observe(event: FeedEvent): void;
	/** Whether the agent has the prompt. */
	hasBegun(): boolean;
	/** Whether that event belongs to this run. */
	has(event: EventId): boolean;
	over(): RunOver | undefined;
};

export type RunOver = {
	status: 'completed' | 'failed' | 'aborted';
	reason?: string | undefined;
	/** What the agent said last. */
	text: string;
	/** It was stopped by its limit of model calls. */
	atTurnLimit: boolean;
	/** An ask of it was denied or unanswered, and nothing the agent tried since then worked. */
	refused: boolean;
};

/** With the id of a prompt the run is the one it begins; else it is the first one. */
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
			// A run that is under way is ended by a fact of its own.
			if (event.kind === 'session.end' && run === undefined) {
				end('aborted', trouble ?? `its session ended (${event.data.reason}) before it began`);
			}
		},
		hasBegun: () => run !== undefined,
		has: (event) => run !== undefined && event.startsWith(`${run}:`),
		over: () => over,
	};
}
