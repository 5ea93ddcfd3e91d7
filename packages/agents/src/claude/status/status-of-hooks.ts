// What the hooks of a claude say about what it is doing, one after the other.
import type { RuntimeEvent } from '@roost/core/runtime/event';
import { z } from 'zod';
import type { ClaudeActivity, StatusEvidence } from './claude-status.ts';

type Said = { status: ClaudeActivity; waitingFor?: string };

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
	Stop: IDLE,
	StopFailure: IDLE,
};

const BY_NOTICE: Readonly<Record<string, Said>> = {
	permission_prompt: ASKED,
	agent_needs_input: QUESTIONED,
	idle_prompt: IDLE,
};

const notice = z.object({ notification_type: z.string() });
const start = z.object({ source: z.string() });

/** Folds the next event in. Hooks that say nothing about it, unknown ones too, leave what was; after the end nothing is known. */
export function foldHookStatus(before: StatusEvidence | null, event: RuntimeEvent): StatusEvidence | null {
	if (event.hookName === 'SessionEnd') return null;
	const said = sayingOf(event);
	return said ? { ...said, at: event.timestamp } : before;
}

function sayingOf(event: RuntimeEvent): Said | undefined {
	if (event.hookName === 'Notification') {
		const parsed = notice.safeParse(event.payload);
		return parsed.success ? own(BY_NOTICE, parsed.data.notification_type) : undefined;
	}
	// A start in the midst of work: the turn that made room goes on.
	if (event.hookName === 'SessionStart' && start.safeParse(event.payload).data?.source === 'compact') return undefined;
	if (event.hookName === 'PermissionRequest' && event.toolName === 'AskUserQuestion') return QUESTIONED;
	return own(BY_HOOK, event.hookName);
}

/** Hook names are open: one called `constructor` must find nothing. */
function own(table: Readonly<Record<string, Said>>, key: string): Said | undefined {
	return Object.hasOwn(table, key) ? table[key] : undefined;
}
