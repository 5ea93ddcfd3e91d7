// Prompts on their way to an agent: those that wait, in order, and those it was sent but has not yet spoken of.
import { assertNever } from '@roost/protocol/assert-never';
import type { FeedEventOf } from '@roost/protocol/feed/event';
import type { PromptId } from '@roost/protocol/ids';

export type Prompts = { waiting: readonly WaitingPrompt[]; sent: readonly WaitingPrompt[] };

export type WaitingPrompt = { id: PromptId; text: string; queuedAt: number };

export function createPrompts(): Prompts {
	return { waiting: [], sent: [] };
}

/** What is known of a prompt that nobody waits for any more is nothing: late news of it change nothing. */
export function foldPrompt(prompts: Prompts, { data, ts }: Pick<FeedEventOf<'prompt.update'>, 'data' | 'ts'>): void {
	const { prompt_id: id, text = '' } = data;
	switch (data.state) {
		case 'queued':
			prompts.waiting = [...prompts.waiting, { id, text, queuedAt: ts }];
			break;
		case 'edited':
			prompts.waiting = prompts.waiting.map((prompt) => (prompt.id === id ? { ...prompt, text } : prompt));
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

/** A prompt that waits is kept as it was written: facts have it without its secrets. */
export function keepText(prompts: Prompts, id: PromptId, text: string): void {
	prompts.waiting = prompts.waiting.map((prompt) => (prompt.id === id ? { ...prompt, text } : prompt));
}

/** The agent itself says that it has it. */
export function acknowledgePrompt(prompts: Prompts, { data }: FeedEventOf<'user.prompt'>): void {
	if (data.prompt_id !== undefined) prompts.sent = without(prompts.sent, data.prompt_id);
}

function moved(prompts: readonly WaitingPrompt[], id: PromptId, position: number): readonly WaitingPrompt[] {
	const rest = without(prompts, id);
	return [...rest.slice(0, position), ...prompts.filter((prompt) => prompt.id === id), ...rest.slice(position)];
}

function without(prompts: readonly WaitingPrompt[], id: PromptId): readonly WaitingPrompt[] {
	return prompts.filter((prompt) => prompt.id !== id);
}
