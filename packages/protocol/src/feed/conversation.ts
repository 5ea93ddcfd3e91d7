// What people and agents say to each other, and what it cost.
import { z } from 'zod';
import { eventId, promptId } from '../ids.ts';
import { feedKind } from './base.ts';

export const userPrompt = feedKind(
	'user.prompt',
	z.object({
		prompt: z.string(),
		cwd: z.string(),
		permission_mode: z.string().optional(),
		/** Where Roost sent it: the agent has it now. */
		prompt_id: promptId.optional(),
	}),
);

export const promptExpansion = feedKind(
	'prompt.expansion',
	z.object({
		expansion_type: z.string().optional(),
		command_name: z.string().optional(),
		command_args: z.string().optional(),
		command_source: z.string().optional(),
		prompt: z.string().optional(),
	}),
);

export const agentMessage = feedKind(
	'agent.message',
	z.object({
		text: z.string(),
		message_id: z.string().optional(),
		/** The agent's own id of it, where that is known: a fork may end with it. */
		native_id: z.string().optional(),
		model: z.string().optional(),
		/** It came after a call that it announces: it was said before that one. */
		announces: eventId.optional(),
	}),
);

/** Transient: broadcast, never stored. */
export const agentDelta = feedKind('agent.delta', z.object({ text: z.string(), message_id: z.string().optional() }));

/** Transient unless final. */
export const messageDisplay = feedKind(
	'message.display',
	z.object({
		delta: z.string(),
		final: z.boolean(),
		index: z.number().optional(),
		message_id: z.string().optional(),
		turn_id: z.string().optional(),
	}),
);

/** Every token is in exactly one field: `input_tokens` were neither read from nor written to a cache. */
export const tokenUsage = z.object({
	input_tokens: z.number(),
	output_tokens: z.number(),
	cache_read_tokens: z.number(),
	cache_write_tokens: z.number(),
	/** A part of `output_tokens`, where the agent says it. */
	reasoning_tokens: z.number().optional(),
});
export type TokenUsage = z.infer<typeof tokenUsage>;

export const usageUpdate = feedKind(
	'usage.update',
	z.object({
		/** Totals of the session so far, not an increment; what was used before it was on record, or where it was forked from, is not in it. */
		total: tokenUsage,
		by_model: z.record(z.string(), tokenUsage),
		cost_usd_estimate: z.number().optional(),
		/** The date of the price table the estimate used. */
		prices_as_of: z.string().optional(),
	}),
);
