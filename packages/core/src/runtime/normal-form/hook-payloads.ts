// The normal form: every hook Roost knows, and the schema of its payload. Unknown fields pass, so that a newer agent stays readable.
import { toolInput } from '@roost/protocol/feed/base';
import { tokenUsage } from '@roost/protocol/feed/conversation';
import { nativeIdReason } from '@roost/protocol/session-row';
import { z } from 'zod';
import { RUNTIME_ERROR, RUNTIME_STATUS, USAGE_REPORT } from '../event.ts';

/** Agents send null for a field without a value. */
const optionalText = z.string().nullish();
const optionalNumber = z.number().nullish();
const optionalFlag = z.boolean().nullish();

const common = z.looseObject({
	hook_event_name: optionalText,
	session_id: optionalText,
	transcript_path: optionalText,
	cwd: optionalText,
	prompt_id: optionalText,
	permission_mode: optionalText,
	agent_id: optionalText,
	agent_type: optionalText,
});

function hookPayload<S extends z.ZodRawShape>(shape: S) {
	return common.extend(shape);
}

const toolCall = {
	tool_name: z.string(),
	tool_input: toolInput,
	tool_use_id: optionalText,
	native_tool_name: optionalText,
	/** The longest time the agent itself waits for a decision. */
	longest_ms: optionalNumber,
};

const task = hookPayload({
	task_id: z.string(),
	task_subject: optionalText,
	task_description: optionalText,
	teammate_name: optionalText,
	team_name: optionalText,
});

const modelSwitch = hookPayload({ from_model: optionalText, to_model: optionalText, source: optionalText });
const compactTrigger = z.enum(['manual', 'auto']);

/** The `error` of a turn that reached its limit of model calls. */
export const TURN_LIMIT = 'max_turns';

export const hookPayloads = {
	SessionStart: hookPayload({ source: nativeIdReason, model: optionalText }),
	SessionEnd: hookPayload({ reason: z.string() }),
	Setup: hookPayload({ trigger: z.string() }),
	UserPromptSubmit: hookPayload({
		prompt: z.string(),
		/** Roost's own id of the prompt, where Roost sent it. */
		sent_as: optionalText,
		/** It was sent into the current run, and takes part in it. */
		steers: optionalFlag,
		/** Not written by the user: a background task ended, and the agent resumes by itself. */
		task_notification: z.object({ message: z.string(), tool_use_id: optionalText }).nullish(),
	}),
	UserPromptExpansion: hookPayload({
		expansion_type: optionalText,
		command_name: optionalText,
		command_args: optionalText,
		command_source: optionalText,
		prompt: optionalText,
	}),
	MessageDisplay: hookPayload({
		delta: z.string(),
		final: z.boolean(),
		index: optionalNumber,
		message_id: optionalText,
		/** The agent's own id of the message. */
		native_id: optionalText,
		turn_id: optionalText,
	}),
	PreToolUse: hookPayload(toolCall),
	PostToolUse: hookPayload({ ...toolCall, tool_response: z.unknown().optional(), duration_ms: optionalNumber }),
	PostToolUseFailure: hookPayload({ ...toolCall, error: z.string(), is_interrupt: optionalFlag, duration_ms: optionalNumber }),
	PostToolBatch: hookPayload({ tool_calls: z.array(z.looseObject({ ...toolCall, tool_response: z.unknown().optional() })) }),
	PermissionRequest: hookPayload({ ...toolCall, permission_suggestions: z.array(z.unknown()).nullish() }),
	PermissionDenied: hookPayload({ ...toolCall, reason: optionalText }),
	Stop: hookPayload({
		stop_hook_active: z.boolean(),
		last_assistant_message: optionalText,
		background_tasks: z.array(z.unknown()).nullish(),
		/** The user interrupted it; many agents report nothing then. */
		interrupted: optionalFlag,
	}),
	StopFailure: hookPayload({ error: z.string(), last_assistant_message: optionalText }),
	SubagentStart: hookPayload({ agent_id: z.string(), agent_type: z.string() }),
	SubagentStop: hookPayload({
		agent_id: z.string(),
		agent_type: z.string(),
		stop_hook_active: z.boolean(),
		agent_transcript_path: optionalText,
		last_assistant_message: optionalText,
	}),
	TeammateIdle: hookPayload({ teammate_name: optionalText, team_name: optionalText }),
	TaskCreated: task,
	TaskCompleted: task,
	Notification: hookPayload({ message: z.string(), title: optionalText, notification_type: optionalText }),
	PreCompact: hookPayload({ trigger: compactTrigger, custom_instructions: optionalText }),
	PostCompact: hookPayload({ trigger: compactTrigger, compact_summary: optionalText }),
	PreModelSwitch: modelSwitch,
	PostModelSwitch: modelSwitch,
	Elicitation: hookPayload({
		mcp_server_name: z.string(),
		message: z.string(),
		mode: optionalText,
		requested_schema: z.unknown().optional(),
	}),
	ElicitationResult: hookPayload({
		mcp_server_name: z.string(),
		action: z.string(),
		mode: optionalText,
		content: z.unknown().optional(),
	}),
	ConfigChange: hookPayload({ source: z.string(), file_path: optionalText }),
	WorktreeCreate: hookPayload({ name: z.string() }),
	WorktreeRemove: hookPayload({ worktree_path: z.string() }),
	InstructionsLoaded: hookPayload({
		file_path: z.string(),
		memory_type: optionalText,
		load_reason: optionalText,
		trigger_file_path: optionalText,
	}),
	CwdChanged: hookPayload({ old_cwd: z.string(), new_cwd: z.string() }),
	FileChanged: hookPayload({ file_path: z.string(), event: optionalText }),
	DirectoryAdded: hookPayload({ directory: z.string(), source: optionalText }),
	[RUNTIME_ERROR]: hookPayload({ code: z.string(), message: z.string(), detail: optionalText }),
	[RUNTIME_STATUS]: hookPayload({ status: z.enum(['connected', 'gap', 'degraded']), reason: optionalText }),
	/** Totals of the session, each model message counted once; the usage of a conversation it was forked from is not included. */
	[USAGE_REPORT]: hookPayload({ by_model: z.record(z.string(), tokenUsage) }),
};

export type HookName = keyof typeof hookPayloads;

/** The fields Roost knows of a payload. Agents may send more; adapters may not. */
export type HookPayload<Name extends HookName> = OwnFields<z.infer<(typeof hookPayloads)[Name]>>;

type OwnFields<T> = { [K in keyof T as string extends K ? never : K]: T[K] };

/** Rejects fields that the normal form does not have, also those of a spread object. */
export type Exactly<Payload, Name extends HookName> = Payload & {
	[Key in Exclude<keyof Payload, keyof HookPayload<Name>>]?: never;
};

export function isHookName(name: string): name is HookName {
	return Object.hasOwn(hookPayloads, name);
}
