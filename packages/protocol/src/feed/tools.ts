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

export const toolKinds = [
	feedKind('tool.pre', toolCall),
	feedKind('tool.post', { ...toolCall, tool_response: z.unknown(), duration_ms: z.number().optional() }),
	feedKind('tool.failure', {
		...toolCall,
		error: z.string(),
		is_interrupt: z.boolean().optional(),
		duration_ms: z.number().optional(),
	}),
	/** Transient: broadcast, never stored. */
	feedKind('tool.delta', { tool_use_id: z.string().optional(), text: z.string() }),
	feedKind('tool.batch', { tool_calls: z.array(z.object({ ...toolCall, tool_response: z.unknown().optional() })) }),
] as const;
