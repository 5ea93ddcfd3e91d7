// Tool calls: announced, done, failed, and batches that close them.
import { z } from 'zod';
import { feedKind, toolInput } from './base.ts';

const toolCall = {
	tool_name: z.string(),
	tool_input: toolInput,
	tool_use_id: z.string().optional(),
	/** The agent's own name for the tool, where it differs. */
	native_tool_name: z.string().optional(),
};

export const toolPre = feedKind('tool.pre', z.object(toolCall));

export const toolPost = feedKind(
	'tool.post',
	z.object({ ...toolCall, tool_response: z.unknown(), duration_ms: z.number().optional() }),
);

export const toolFailure = feedKind(
	'tool.failure',
	z.object({ ...toolCall, error: z.string(), is_interrupt: z.boolean().optional(), duration_ms: z.number().optional() }),
);

/** Transient: broadcast, never stored. */
export const toolDelta = feedKind('tool.delta', z.object({ tool_use_id: z.string().optional(), text: z.string() }));

export const toolBatch = feedKind(
	'tool.batch',
	z.object({
		tool_calls: z.array(z.object({ ...toolCall, tool_response: z.unknown().optional() })),
	}),
);
