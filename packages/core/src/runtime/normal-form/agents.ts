// Payloads of subagents, teammates and tasks.
import { z } from 'zod';
import { hookPayload, optionalText } from './common.ts';

export const subagentStart = hookPayload({ agent_id: z.string(), agent_type: z.string() });

export const subagentStop = hookPayload({
	agent_id: z.string(),
	agent_type: z.string(),
	stop_hook_active: z.boolean(),
	agent_transcript_path: optionalText,
	last_assistant_message: optionalText,
});

export const teammateIdle = hookPayload({ teammate_name: optionalText, team_name: optionalText });

/** TaskCreated and TaskCompleted alike. */
export const task = hookPayload({
	task_id: z.string(),
	task_subject: optionalText,
	task_description: optionalText,
	teammate_name: optionalText,
	team_name: optionalText,
});
