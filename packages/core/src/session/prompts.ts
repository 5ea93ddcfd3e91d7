// Prompts on their way to an agent: the queue, the prompts it was sent but has not confirmed, and changes to both.
import { AppError } from '@roost/protocol/app-error';
import { assertNever } from '@roost/protocol/assert-never';
import type { FeedData, FeedEvent, FeedEventOf } from '@roost/protocol/feed/event';
import type { Review } from '@roost/protocol/feed/review';
import type { PromptId } from '@roost/protocol/ids';

export type Prompts = { waiting: readonly WaitingPrompt[]; sent: readonly WaitingPrompt[] };

export type WaitingPrompt = { id: PromptId; text: string; queuedAt: number; review?: Review | undefined };

export function createPrompts(): Prompts {
	return { waiting: [], sent: [] };
}

/** Updates of a prompt that is neither queued nor sent have no effect. */
export function foldPrompt(prompts: Prompts, { data, ts }: Pick<FeedEventOf<'prompt.update'>, 'data' | 'ts'>): void {
	const { prompt_id: id, text = '', review } = data;
	switch (data.state) {
		case 'queued':
			prompts.waiting = [...prompts.waiting, { id, text, queuedAt: ts, ...(review && { review }) }];
			break;
		case 'edited':
			prompts.waiting = prompts.waiting.map((prompt) => (prompt.id === id ? { id, text, queuedAt: prompt.queuedAt } : prompt));
			break;
		case 'moved':
			prompts.waiting = moved(prompts.waiting, id, data.position ?? 0);
			break;
		case 'sent':
		case 'steered':
			prompts.sent = [...prompts.sent, ...prompts.waiting.filter((prompt) => prompt.id === id)];
			prompts.waiting = without(prompts.waiting, id);
			break;
		case 'returned':
			prompts.waiting = [...prompts.sent.filter((prompt) => prompt.id === id), ...prompts.waiting];
			prompts.sent = without(prompts.sent, id);
			break;
		case 'arrived':
		case 'cancelled':
			prompts.waiting = without(prompts.waiting, id);
			prompts.sent = without(prompts.sent, id);
			break;
		default:
			assertNever(data.state);
	}
}

/** A queued prompt keeps its original text; facts hold it redacted. */
export function keepText(prompts: Prompts, id: PromptId, text: string): void {
	prompts.waiting = prompts.waiting.map((prompt) => (prompt.id === id ? { ...prompt, text } : prompt));
}

/** The agent confirmed that it got the prompt. */
export function acknowledgePrompt(prompts: Prompts, { data }: FeedEventOf<'user.prompt'>): void {
	if (data.prompt_id !== undefined) prompts.sent = without(prompts.sent, data.prompt_id);
}

/** The agent reports a review as plain text; the queue knows its comments. */
export function withReview({ waiting, sent }: Prompts, event: FeedEvent): FeedEvent {
	if (event.kind !== 'user.prompt' || event.data.prompt_id === undefined) return event;
	const { prompt_id } = event.data;
	const review = [...sent, ...waiting].find(({ id }) => id === prompt_id)?.review;
	return review ? { ...event, data: { ...event.data, review } } : event;
}

function moved(prompts: readonly WaitingPrompt[], id: PromptId, position: number): readonly WaitingPrompt[] {
	const rest = without(prompts, id);
	return rest.toSpliced(position, 0, ...prompts.filter((prompt) => prompt.id === id));
}

function without(prompts: readonly WaitingPrompt[], id: PromptId): readonly WaitingPrompt[] {
	return prompts.filter((prompt) => prompt.id !== id);
}

export type PromptChange = { id: PromptId } & (
	| { type: 'add'; text: string; review?: Review | undefined }
	| { type: 'edit'; text: string }
	| { type: 'move'; position: number }
	| { type: 'cancel'; reason: string }
	/** It is handed to the agent: to begin a run, or into the current one. */
	| { type: 'send' | 'steer' }
	/** For a sent prompt that the agent has not confirmed: it arrived after all, or it did not. */
	| { type: 'arrive' | 'return'; reason: string }
);

const MAX_WAITING = 50;

/** Null where the change is possible. */
export function refuseChange({ waiting, sent }: Prompts, { id, type }: PromptChange): AppError | null {
	if (type === 'add') {
		if (waiting.length < MAX_WAITING) return null;
		return new AppError('conflict', `${MAX_WAITING} prompts are queued already. Cancel one, or wait until one is sent.`);
	}
	const prompts = type === 'arrive' || type === 'return' ? sent : waiting;
	const isThere = prompts.some((prompt) => prompt.id === id);
	return isThere ? null : new AppError('not_found', 'This prompt was already sent or cancelled.');
}

const STATES = {
	add: 'queued',
	edit: 'edited',
	move: 'moved',
	cancel: 'cancelled',
	send: 'sent',
	steer: 'steered',
	arrive: 'arrived',
	return: 'returned',
} as const;

export function toPromptUpdate({ id, type, ...details }: PromptChange): FeedData<'prompt.update'> {
	return { prompt_id: id, state: STATES[type], ...details };
}
