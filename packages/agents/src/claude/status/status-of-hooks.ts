// What the hooks of a claude say about what it is doing, one after the other.
import type { RuntimeEvent } from '@roost/core/runtime/event';
import { z } from 'zod';
import type { AgentActivity, StatusEvidence } from '../../base/status-source.ts';

type Said = { status: AgentActivity; waitingFor?: string };

const BUSY: Said = { status: 'busy' };
const IDLE: Said = { status: 'idle' };
const ASKED: Said = { status: 'waiting', waitingFor: 'permission prompt' };
const QUESTIONED: Said = { status: 'waiting', waitingFor: 'input needed' };

const BY_HOOK: Readonly<Record<string, Said>> = {
	SessionStart: IDLE,
	UserPromptSubmit: BUSY,
	UserPromptExpansion: BUSY,
	PreToolUse: BUSY,
	PostToolUse: BUSY,
	PostToolUseFailure: BUSY,
	PostToolBatch: BUSY,
	PermissionDenied: BUSY,
	SubagentStart: BUSY,
	PreCompact: BUSY,
	ElicitationResult: BUSY,
	PermissionRequest: ASKED,
	Elicitation: QUESTIONED,
};

const BY_NOTICE: Readonly<Record<string, Said>> = {
	permission_prompt: ASKED,
	agent_needs_input: QUESTIONED,
	idle_prompt: IDLE,
};

const notice = z.object({ notification_type: z.string() });
const start = z.object({ source: z.string() });
const stop = z.object({ background_tasks: z.array(z.unknown()) });

/** Folds the next event in. Hooks that say nothing about it, unknown ones too, leave what was; after the end nothing is known. */
export function foldHookStatus(before: StatusEvidence | null, event: RuntimeEvent): StatusEvidence | null {
	if (event.hookName === 'SessionEnd') return null;
	const said = sayingOf(event);
	return said ? { ...said, at: event.timestamp } : before;
}

/** What it does while a hook of its own waits to hear what Roost says. */
export function statusWhileAsked({ toolName, timestamp }: RuntimeEvent): StatusEvidence {
	return { ...(toolName === QUESTION_TOOL ? QUESTIONED : ASKED), at: timestamp };
}

const QUESTION_TOOL = 'AskUserQuestion';

function sayingOf(event: RuntimeEvent): Said | undefined {
	if (event.hookName === 'Notification') {
		const parsed = notice.safeParse(event.payload);
		return parsed.success ? own(BY_NOTICE, parsed.data.notification_type) : undefined;
	}
	// A start in the midst of work: the turn that made room goes on.
	if (event.hookName === 'SessionStart' && start.safeParse(event.payload).data?.source === 'compact') return undefined;
	if (event.hookName === 'PermissionRequest' && event.toolName === QUESTION_TOOL) return QUESTIONED;
	if (event.hookName === 'Stop' || event.hookName === 'StopFailure') return sayingOfStop(event);
	return own(BY_HOOK, event.hookName);
}

/** A subagent that stops leaves the others at work, and so does a turn whose tasks go on in the background. */
function sayingOfStop({ agentId, payload }: RuntimeEvent): Said | undefined {
	if (agentId !== undefined) return undefined;
	const tasks = stop.safeParse(payload).data?.background_tasks ?? [];
	return tasks.length > 0 ? BUSY : IDLE;
}

/** Hook names are open: one called `constructor` must find nothing. */
function own(table: Readonly<Record<string, Said>>, key: string): Said | undefined {
	return Object.hasOwn(table, key) ? table[key] : undefined;
}
