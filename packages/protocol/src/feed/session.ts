// Sessions and runs: start, end, summary, settings, and the prompts that Roost sends.
import { z } from 'zod';
import { commandProof } from '../hub/command-proof.ts';
import { promptId } from '../ids.ts';
import { drive, nativeIdReason } from '../session-row.ts';
import { feedKind } from './base.ts';
import { review } from './review.ts';

const runCounters = z.object({
	tool_uses: z.number(),
	tool_failures: z.number(),
	permission_requests: z.number(),
	blocks: z.number(),
});
export type RunCounters = z.infer<typeof runCounters>;

const runTrigger = z.object({
	type: z.enum(['user_prompt_submit', 'resume', 'other']),
	request_id: z.string().optional(),
	prompt_preview: z.string().optional(),
	/** Of a prompt that Roost sent: it is answered when this run ends. */
	prompt_id: promptId.optional(),
});
export type RunTrigger = z.infer<typeof runTrigger>;

export const sessionKinds = [
	feedKind('session.start', {
		source: z.enum(['startup', 'resume', 'clear', 'compact', 'fork']),
		model: z.string().optional(),
		agent_type: z.string().optional(),
		/** Roost observes its agent, and blocks every call that was not allowed. */
		gate: z.literal('enforce').optional(),
	}),
	feedKind('session.end', { reason: z.string() }),
	feedKind('session.native', {
		agent: z.string(),
		native_id: z.string(),
		reason: nativeIdReason,
		parent_native_id: z.string().optional(),
	}),
	feedKind('session.summary', {
		last_assistant_text: z.string().optional(),
		last_assistant_at: z.number().optional(),
		messages: z.number(),
		tool_calls: z.number(),
		error: z.string().optional(),
	}),
	feedKind('run.start', { trigger: runTrigger }),
	feedKind('run.end', {
		status: z.enum(['completed', 'failed', 'aborted']),
		counters: runCounters,
		reason: z.string().optional(),
		/** It was not stopped: its agent, or the runner, exited during the run. */
		agent_gone: z.literal(true).optional(),
	}),
	/** How it is driven from now on. */
	feedKind('session.drive', drive.shape),
	feedKind('session.renamed', { title: z.string() }),
	feedKind('session.archived', { archived: z.boolean() }),
	/**
	 * The state of a prompt on its way to the agent. The agent confirms it with a `user.prompt` of this id;
	 * `arrived` stands for a confirmation that was lost, where the agent's conversation holds the prompt.
	 */
	feedKind('prompt.update', {
		prompt_id: promptId,
		state: z.enum(['queued', 'edited', 'moved', 'sent', 'steered', 'arrived', 'returned', 'cancelled']),
		/** Where it is new. */
		text: z.string().optional(),
		/** Of a queued review; an edited one is a plain prompt. */
		review: review.optional(),
		/** Its place in the queue, from 0, where it was moved. */
		position: z.number().int().nonnegative().optional(),
		reason: z.string().optional(),
		/** For a text that came through a hub: the signature of the device that wrote it. */
		signed: commandProof.optional(),
	}),
] as const;
