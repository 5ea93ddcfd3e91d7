// Payloads of what changes around an agent: context, settings, files, worktrees, models, notices.
import { z } from 'zod';
import { hookPayload, optionalText } from './common.ts';

const compactTrigger = z.enum(['manual', 'auto']);

export const notification = hookPayload({ message: z.string(), title: optionalText, notification_type: optionalText });

export const preCompact = hookPayload({ trigger: compactTrigger, custom_instructions: optionalText });

export const postCompact = hookPayload({ trigger: compactTrigger, compact_summary: optionalText });

/** PreModelSwitch and PostModelSwitch alike. */
export const modelSwitch = hookPayload({ from_model: optionalText, to_model: optionalText, source: optionalText });

export const elicitation = hookPayload({
	mcp_server_name: z.string(),
	message: z.string(),
	mode: optionalText,
	requested_schema: z.unknown().optional(),
});

export const elicitationResult = hookPayload({
	mcp_server_name: z.string(),
	action: z.string(),
	mode: optionalText,
	content: z.unknown().optional(),
});

export const configChange = hookPayload({ source: z.string(), file_path: optionalText });

export const worktreeCreate = hookPayload({ name: z.string() });

export const worktreeRemove = hookPayload({ worktree_path: z.string() });

export const instructionsLoaded = hookPayload({
	file_path: z.string(),
	memory_type: optionalText,
	load_reason: optionalText,
	trigger_file_path: optionalText,
});

export const cwdChanged = hookPayload({ old_cwd: z.string(), new_cwd: z.string() });

export const fileChanged = hookPayload({ file_path: z.string(), event: optionalText });

export const directoryAdded = hookPayload({ directory: z.string(), source: optionalText });
