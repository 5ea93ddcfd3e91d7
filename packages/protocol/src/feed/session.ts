// Sessions and runs: beginnings, ends, and what a session was in sum.
import { z } from 'zod';
import { promptId } from '../ids.ts';
import { nativeIdReason } from '../session-row.ts';
import { feedKind } from './base.ts';

export const sessionStart = feedKind(
	'session.start',
	z.object({
		source: z.enum(['startup', 'resume', 'clear', 'compact', 'fork']),
		model: z.string().optional(),
		agent_type: z.string().optional(),
		/** Roost observes its agent, and lets nothing run without a decision. */
		gate: z.literal('enforce').optional(),
	}),
);

export const sessionEnd = feedKind('session.end', z.object({ reason: z.string() }));

export const sessionNative = feedKind(
	'session.native',
	z.object({ agent: z.string(), native_id: z.string(), reason: nativeIdReason, parent_native_id: z.string().optional() }),
);

export const sessionSummary = feedKind(
	'session.summary',
	z.object({
		last_assistant_text: z.string().optional(),
		last_assistant_at: z.number().optional(),
		messages: z.number(),
		tool_calls: z.number(),
		error: z.string().optional(),
	}),
);

export const runCounters = z.object({
	tool_uses: z.number(),
	tool_failures: z.number(),
	permission_requests: z.number(),
	blocks: z.number(),
});
export type RunCounters = z.infer<typeof runCounters>;

export const runTrigger = z.object({
	type: z.enum(['user_prompt_submit', 'resume', 'other']),
	request_id: z.string().optional(),
	prompt_preview: z.string().optional(),
	/** Where Roost sent that prompt: when this run ends, it is answered. */
	prompt_id: promptId.optional(),
});
export type RunTrigger = z.infer<typeof runTrigger>;

export const runStart = feedKind('run.start', z.object({ trigger: runTrigger }));

export const runEnd = feedKind(
	'run.end',
	z.object({
		status: z.enum(['completed', 'failed', 'aborted']),
		counters: runCounters,
		reason: z.string().optional(),
		/** Nobody stopped it: its agent, or the runner, was gone in the middle of it. */
		agent_gone: z.literal(true).optional(),
	}),
);
