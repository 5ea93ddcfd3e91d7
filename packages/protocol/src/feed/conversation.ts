// Prompts, messages and token usage.
import { z } from 'zod';
import { eventId, promptId } from '../ids.ts';
import { feedKind } from './base.ts';
import { review } from './review.ts';

/** Every token is in exactly one field: `input_tokens` were neither read from nor written to a cache. */
export const tokenUsage = z.object({
	input_tokens: z.number(),
	output_tokens: z.number(),
	cache_read_tokens: z.number(),
	cache_write_tokens: z.number(),
	/** A part of `output_tokens`, where the agent reports it. */
	reasoning_tokens: z.number().optional(),
});
export type TokenUsage = z.infer<typeof tokenUsage>;

export const conversationKinds = [
	feedKind('user.prompt', {
		prompt: z.string(),
		cwd: z.string(),
		permission_mode: z.string().optional(),
		/** Of a prompt that Roost sent: the agent has it now. */
		prompt_id: promptId.optional(),
		/** Of a prompt that is a review: its comments, which `prompt` has as text. */
		review: review.optional(),
	}),
	feedKind('prompt.expansion', {
		expansion_type: z.string().optional(),
		command_name: z.string().optional(),
		command_args: z.string().optional(),
		command_source: z.string().optional(),
		prompt: z.string().optional(),
	}),
	feedKind('agent.message', {
		text: z.string(),
		message_id: z.string().optional(),
		/** The agent's own id of it, where that is known: a fork may end with it. */
		native_id: z.string().optional(),
		model: z.string().optional(),
		/** The call that this message announces, where the call was reported first. */
		announces: eventId.optional(),
	}),
	/** Transient: broadcast, never stored. */
	feedKind('agent.delta', { text: z.string(), message_id: z.string().optional() }),
	/** Transient unless final. */
	feedKind('message.display', {
		delta: z.string(),
		final: z.boolean(),
		index: z.number().optional(),
		message_id: z.string().optional(),
		turn_id: z.string().optional(),
	}),
	feedKind('usage.update', {
		/** Totals of the session so far, not an increment; without usage from before it was recorded, or of the session it was forked from. */
		total: tokenUsage,
		by_model: z.record(z.string(), tokenUsage),
		cost_usd_estimate: z.number().optional(),
		/** The date of the price table the estimate used. */
		prices_as_of: z.string().optional(),
	}),
] as const;
