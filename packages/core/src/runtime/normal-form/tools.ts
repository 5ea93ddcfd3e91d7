// Payloads of tool calls: announced, done, failed, and the batch that closes them.
import { toolInput } from '@roost/protocol/feed/base';
import { z } from 'zod';
import { hookPayload, optionalText } from './common.ts';

const toolCall = {
	tool_name: z.string(),
	tool_input: toolInput,
	tool_use_id: optionalText,
	native_tool_name: optionalText,
	/** The agent itself waits no longer than this for a decision. */
	longest_ms: z.number().nullish(),
};

export const preToolUse = hookPayload(toolCall);

export const postToolUse = hookPayload({ ...toolCall, tool_response: z.unknown().optional(), duration_ms: z.number().nullish() });

export const postToolUseFailure = hookPayload({
	...toolCall,
	error: z.string(),
	is_interrupt: z.boolean().nullish(),
	duration_ms: z.number().nullish(),
});

const batchedCall = z.looseObject({ ...toolCall, tool_response: z.unknown().optional() });
export type BatchedCall = z.infer<typeof batchedCall>;

export const postToolBatch = hookPayload({ tool_calls: z.array(batchedCall) });

export const permissionRequest = hookPayload({ ...toolCall, permission_suggestions: z.array(z.unknown()).nullish() });

export const permissionDenied = hookPayload({ ...toolCall, reason: optionalText });
