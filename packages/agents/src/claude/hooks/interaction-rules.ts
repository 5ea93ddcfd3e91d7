// For each hook: does Roost keep it waiting, for how long, and could it block there at all.
import type { Interaction } from '@roost/core/runtime/event';
import { ASK_DEADLINE_MS } from '../../runtime-core.ts';
import type { HookName } from './hook-names.ts';

const DEFAULT_TIMEOUT_MS = 4000;

const REPORT: Interaction = { expectsDecision: false, defaultTimeoutMs: DEFAULT_TIMEOUT_MS, canBlock: false };
const BLOCKABLE: Interaction = { expectsDecision: false, defaultTimeoutMs: DEFAULT_TIMEOUT_MS, canBlock: true };

const RULES: Record<HookName, Interaction> = {
	PermissionRequest: { expectsDecision: true, defaultTimeoutMs: ASK_DEADLINE_MS, canBlock: true },
	PreToolUse: { expectsDecision: true, defaultTimeoutMs: DEFAULT_TIMEOUT_MS, canBlock: true },
	Stop: BLOCKABLE,
	SubagentStop: BLOCKABLE,
	UserPromptSubmit: BLOCKABLE,
	PostToolUse: REPORT,
	PostToolUseFailure: REPORT,
	PostToolBatch: REPORT,
	Notification: REPORT,
	UserPromptExpansion: REPORT,
	SessionStart: REPORT,
	SessionEnd: REPORT,
	StopFailure: REPORT,
	SubagentStart: REPORT,
	PreCompact: REPORT,
	PostCompact: REPORT,
	PreModelSwitch: REPORT,
	PostModelSwitch: REPORT,
	PermissionDenied: REPORT,
	Setup: REPORT,
	TeammateIdle: REPORT,
	TaskCreated: REPORT,
	TaskCompleted: REPORT,
	Elicitation: REPORT,
	ElicitationResult: REPORT,
	ConfigChange: REPORT,
	WorktreeCreate: REPORT,
	WorktreeRemove: REPORT,
	InstructionsLoaded: REPORT,
	CwdChanged: REPORT,
	FileChanged: REPORT,
	DirectoryAdded: REPORT,
	MessageDisplay: REPORT,
};

const rules = new Map<string, Interaction>(Object.entries(RULES));

/** A hook Roost does not know never waits. */
export function getInteractionHints(hookName: string): Interaction {
	return { ...(rules.get(hookName) ?? REPORT) };
}
