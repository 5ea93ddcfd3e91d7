// The status of a claude: from its status file, else its hooks, else its screen.
import type { RuntimeEvent } from '@roost/core/runtime/event';
import type { AgentStatus } from '@roost/protocol/api/agent-status';
import { z } from 'zod';
import type { AgentActivity, StatusEvidence, StatusSources } from '../../base/status-source.ts';

/** The screen changes shortly after the hook. */
const SCREEN_LAG_MS = 1_000;

/** The file of a live process wins at any age: Claude writes it at every change. Without it hooks count, unless a later screen contradicts them. */
export function toClaudeStatus({ file, hooks, screen }: StatusSources, now: number): AgentStatus {
	if (file) return toStatus('file', file);
	if (hooks && screen && screen.status !== hooks.status && screen.at - hooks.at > SCREEN_LAG_MS)
		return toStatus('screen', screen);
	if (hooks) return toStatus('hooks', hooks);
	if (screen) return toStatus('screen', screen);
	return { status: 'unknown', source: 'none', asOf: now };
}

function toStatus(source: 'file' | 'hooks' | 'screen', { status, waitingFor, at }: StatusEvidence): AgentStatus {
	return { status, ...(waitingFor === undefined ? {} : { waitingFor }), source, asOf: at };
}

type Activity = { status: AgentActivity; waitingFor?: string };

const BUSY: Activity = { status: 'busy' };
const IDLE: Activity = { status: 'idle' };
const ASKED: Activity = { status: 'waiting', waitingFor: 'permission prompt' };
const QUESTIONED: Activity = { status: 'waiting', waitingFor: 'input needed' };

const BY_HOOK: Readonly<Record<string, Activity>> = {
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

const BY_NOTICE: Readonly<Record<string, Activity>> = {
	permission_prompt: ASKED,
	agent_needs_input: QUESTIONED,
	idle_prompt: IDLE,
};

const notice = z.object({ notification_type: z.string() });
const start = z.object({ source: z.string() });
const stop = z.object({ background_tasks: z.array(z.unknown()) });

/** Hooks without a status keep the previous one; after the end the status is unknown. */
export function foldHookStatus(before: StatusEvidence | null, event: RuntimeEvent): StatusEvidence | null {
	if (event.hookName === 'SessionEnd') return null;
	const message = sayingOf(event);
	return message ? { ...message, at: event.timestamp } : before;
}

/** While a hook of it waits for Roost. */
export function statusWhileAsked({ toolName, timestamp }: RuntimeEvent): StatusEvidence {
	return { ...(toolName === QUESTION_TOOL ? QUESTIONED : ASKED), at: timestamp };
}

const QUESTION_TOOL = 'AskUserQuestion';

function sayingOf(event: RuntimeEvent): Activity | undefined {
	if (event.hookName === 'Notification') {
		const parsed = notice.safeParse(event.payload);
		return parsed.success ? own(BY_NOTICE, parsed.data.notification_type) : undefined;
	}
	// The start after a compaction: the turn continues.
	if (event.hookName === 'SessionStart' && start.safeParse(event.payload).data?.source === 'compact') return undefined;
	if (event.hookName === 'PermissionRequest' && event.toolName === QUESTION_TOOL) return QUESTIONED;
	if (event.hookName === 'Stop' || event.hookName === 'StopFailure') return sayingOfStop(event);
	return own(BY_HOOK, event.hookName);
}

/** Other agents and background tasks continue. */
function sayingOfStop({ agentId, payload }: RuntimeEvent): Activity | undefined {
	if (agentId !== undefined) return undefined;
	const tasks = stop.safeParse(payload).data?.background_tasks ?? [];
	return tasks.length > 0 ? BUSY : IDLE;
}

/** Hook names are open: `constructor` must not match. */
function own(table: Readonly<Record<string, Activity>>, key: string): Activity | undefined {
	return Object.hasOwn(table, key) ? table[key] : undefined;
}

type ScreenStatus = { status: AgentActivity | 'unknown'; waitingFor?: string };

const RULE = /^\s*[─▔╌]{20,}/;
const PROMPT = /^❯/;
const CHOICE = /^\s*❯ (\d+\. )?\S/;
const DIALOG_FOOTER = /\b(Esc to cancel|Enter to confirm|Enter to select)\b/;
/** Proceed, create, make this edit …; not the question about an API key at start-up. */
const ASKS_PERMISSION = /^\s*Do you want to (?!use this API key)/;
const WORKING_FOOTER = /\besc to interrupt\b/;
const READY_FOOTER = /\? for shortcuts|\(shift\+tab to cycle\)|^\s*[⏸⏵]+ .+ on\b/;
/** "✶ Considering… (1s · ↓ 14 tokens)" */
const SPINNER = /^\s*[^\w\s] \S.*… \(\d/;
const SPINNER_LINES = 6;

/** Only the lowest lines count: above is the conversation. A prompt stands between two rules with a footer; a dialog has a selected row. */
export function statusOfScreen(screen: readonly string[]): ScreenStatus {
	const lines = screen.map((line) => line.trimEnd()).filter((line) => line !== '');
	const footer = lines.at(-1) ?? '';
	if (DIALOG_FOOTER.test(footer)) return statusOfDialog(lines);
	const prompt = findPrompt(lines);
	if (prompt === undefined) return hasChoiceBelowRule(lines) ? statusOfDialog(lines) : { status: 'unknown' };
	const isWorking = WORKING_FOOTER.test(footer) || lines.slice(Math.max(prompt - SPINNER_LINES, 0), prompt).some(isSpinner);
	if (isWorking) return { status: 'busy' };
	return READY_FOOTER.test(footer) ? { status: 'idle' } : { status: 'unknown' };
}

function statusOfDialog(lines: readonly string[]): ScreenStatus {
	const isPermission = lines.slice(lines.findLastIndex(isRule)).some((line) => ASKS_PERMISSION.test(line));
	return { status: 'waiting', waitingFor: isPermission ? 'permission prompt' : 'input needed' };
}

/** Index of the rule above the prompt; undefined without a prompt. */
function findPrompt(lines: readonly string[]): number | undefined {
	const below = lines.findLastIndex(isRule);
	const above = lines.slice(0, Math.max(below, 0)).findLastIndex(isRule);
	const isPrompt = above >= 0 && PROMPT.test(lines[above + 1] ?? '') && below < lines.length - 1;
	return isPrompt ? above : undefined;
}

/** Some dialogs have no footer. Shell output after Claude's end is not indented. */
function hasChoiceBelowRule(lines: readonly string[]): boolean {
	const rule = lines.findLastIndex(isRule);
	return rule >= 0 && /^\s/.test(lines.at(-1) ?? '') && lines.slice(rule).some((line) => CHOICE.test(line));
}

function isRule(line: string): boolean {
	return RULE.test(line);
}

function isSpinner(line: string): boolean {
	return SPINNER.test(line);
}
