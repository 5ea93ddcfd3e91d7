// Sessions that Roost drives: how, by which prompts, and what people call them.
import { z } from 'zod';
import { promptId } from '../ids.ts';
import { drive } from '../session-row.ts';
import { feedKind } from './base.ts';

/** How it is driven from now on. */
export const sessionDrive = feedKind('session.drive', drive);

export const sessionRenamed = feedKind('session.renamed', z.object({ title: z.string() }));

export const sessionArchived = feedKind('session.archived', z.object({ archived: z.boolean() }));

/**
 * What becomes of a prompt on its way to the agent. That the agent has it is its own word: a `user.prompt` with this id;
 * `arrived` stands for it where that word was lost and the agent's conversation holds the prompt.
 */
export const promptUpdate = feedKind(
	'prompt.update',
	z.object({
		prompt_id: promptId,
		state: z.enum(['queued', 'edited', 'moved', 'sent', 'steered', 'arrived', 'returned', 'cancelled']),
		/** What it says, where that is new. */
		text: z.string().optional(),
		/** Its place among those that wait, from 0, where it was moved. */
		position: z.number().int().nonnegative().optional(),
		reason: z.string().optional(),
	}),
);
