// Prompts that wait for one session's agent: in order, few enough to look through, each to be changed or taken back.
import type { QueuedPrompt } from '@roost/protocol/api/driving';
import { AppError } from '@roost/protocol/app-error';
import type { PromptId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';

export type PromptQueue = {
	list(): readonly QueuedPrompt[];
	add(text: string): Result<QueuedPrompt>;
	edit(id: PromptId, text: string): Result<QueuedPrompt>;
	cancel(id: PromptId): Result<void>;
	/** The next one, which waits no longer. */
	take(): QueuedPrompt | undefined;
	clear(): void;
};

/** More than anybody plans ahead. */
const MOST_QUEUED = 50;

/** `onChange` is told what waits now. */
export function createPromptQueue(deps: {
	newId: () => PromptId;
	now: () => number;
	onChange: (prompts: readonly QueuedPrompt[]) => void;
}): PromptQueue {
	let prompts: readonly QueuedPrompt[] = [];

	function change(next: readonly QueuedPrompt[]): void {
		prompts = next;
		deps.onChange(prompts);
	}

	return {
		list: () => prompts,
		add(text) {
			if (prompts.length >= MOST_QUEUED)
				return err(new AppError('conflict', `${MOST_QUEUED} prompts wait already: cancel one, or wait until one is sent.`));
			const prompt = { id: deps.newId(), text, queuedAt: deps.now() };
			change([...prompts, prompt]);
			return ok(prompt);
		},
		edit(id, text) {
			const known = prompts.find((prompt) => prompt.id === id);
			if (!known) return err(isGone());
			const edited = { ...known, text };
			change(prompts.map((prompt) => (prompt.id === id ? edited : prompt)));
			return ok(edited);
		},
		cancel(id) {
			if (!prompts.some((prompt) => prompt.id === id)) return err(isGone());
			change(prompts.filter((prompt) => prompt.id !== id));
			return ok(undefined);
		},
		take() {
			const [next, ...rest] = prompts;
			if (next) change(rest);
			return next;
		},
		clear() {
			if (prompts.length > 0) change([]);
		},
	};
}

function isGone(): AppError {
	return new AppError('not_found', 'This prompt no longer waits: it was sent or cancelled.');
}
