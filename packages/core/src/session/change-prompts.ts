// What may be done to the prompts of a session, and the fact that each becomes.
import { AppError } from '@roost/protocol/app-error';
import { assertNever } from '@roost/protocol/assert-never';
import type { FeedData } from '@roost/protocol/feed/event';
import type { PromptId } from '@roost/protocol/ids';
import type { Prompts } from './prompts.ts';

export type PromptChange = { id: PromptId } & (
	| { type: 'add'; text: string }
	| { type: 'edit'; text: string }
	| { type: 'move'; to: number }
	| { type: 'cancel'; reason: string }
	/** It is handed to the agent: to begin a run, or into the one that is under way. */
	| { type: 'send' }
	| { type: 'steer' }
	/** Of one that was sent, where the agent's word is missing: it has it after all, or it never got it. */
	| { type: 'arrive'; reason: string }
	| { type: 'return'; reason: string }
);

/** More than anybody plans ahead. */
export const MOST_WAITING = 50;

/** Null where it may be done. */
export function refuseChange({ waiting, sent }: Prompts, change: PromptChange): AppError | null {
	const { id, type } = change;
	switch (type) {
		case 'add':
			if (waiting.length < MOST_WAITING) return null;
			return new AppError('conflict', `${MOST_WAITING} prompts wait already: cancel one, or wait until one is sent.`);
		case 'edit':
		case 'move':
		case 'send':
		case 'steer':
		case 'cancel':
			return waiting.some((prompt) => prompt.id === id) ? null : isGone();
		case 'arrive':
		case 'return':
			return sent.some((prompt) => prompt.id === id) ? null : isGone();
		default:
			return assertNever(type);
	}
}

function isGone(): AppError {
	return new AppError('not_found', 'This prompt was already sent or cancelled.');
}

export function toPromptUpdate(change: PromptChange): FeedData<'prompt.update'> {
	const { id: prompt_id, type } = change;
	switch (type) {
		case 'add':
			return { prompt_id, state: 'queued', text: change.text };
		case 'edit':
			return { prompt_id, state: 'edited', text: change.text };
		case 'move':
			return { prompt_id, state: 'moved', position: change.to };
		case 'cancel':
			return { prompt_id, state: 'cancelled', reason: change.reason };
		case 'send':
			return { prompt_id, state: 'sent' };
		case 'steer':
			return { prompt_id, state: 'steered' };
		case 'arrive':
			return { prompt_id, state: 'arrived', reason: change.reason };
		case 'return':
			return { prompt_id, state: 'returned', reason: change.reason };
		default:
			return assertNever(type);
	}
}
