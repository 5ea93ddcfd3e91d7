// Payloads of the conversation: prompts, what they expand to, and what the agent shows.
import { z } from 'zod';
import { hookPayload, optionalText } from './common.ts';

/**
 * `sent_as`: Roost's own id of the prompt, where Roost sent it.
 * `task_notification`: nobody wrote it; a task in the background ended, and the agent goes on by itself.
 */
export const userPromptSubmit = hookPayload({
	prompt: z.string(),
	sent_as: optionalText,
	/** It was sent into the run that is under way, and takes part in it. */
	steers: z.boolean().nullish(),
	task_notification: z.object({ message: z.string(), tool_use_id: optionalText }).nullish(),
});

export const userPromptExpansion = hookPayload({
	expansion_type: optionalText,
	command_name: optionalText,
	command_args: optionalText,
	command_source: optionalText,
	prompt: optionalText,
});

export const messageDisplay = hookPayload({
	delta: z.string(),
	final: z.boolean(),
	index: z.number().nullish(),
	message_id: optionalText,
	/** The id under which the agent itself keeps the message. */
	native_id: optionalText,
	turn_id: optionalText,
});
