// For each hook: does Roost keep it waiting, for how long, and could it block there at all.
import type { Interaction } from '@roost/core/runtime/event';
import type { HookName } from '@roost/core/runtime/normal-form/hook-payloads';

const DEFAULT_TIMEOUT_MS = 4000;
/** Until Roost says how long its ask may wait. */
const UNHELD_ASK_MS = 300_000;

const REPORT: Interaction = { expectsDecision: false, defaultTimeoutMs: DEFAULT_TIMEOUT_MS, canBlock: false };
const BLOCKABLE: Interaction = { expectsDecision: false, defaultTimeoutMs: DEFAULT_TIMEOUT_MS, canBlock: true };

/** What Roost has a say in; every other hook is a report. */
const RULES: Partial<Record<HookName, Interaction>> = {
	PermissionRequest: { expectsDecision: true, defaultTimeoutMs: UNHELD_ASK_MS, canBlock: true },
	PreToolUse: { expectsDecision: true, defaultTimeoutMs: DEFAULT_TIMEOUT_MS, canBlock: true },
	Stop: BLOCKABLE,
	SubagentStop: BLOCKABLE,
	UserPromptSubmit: BLOCKABLE,
};

const rules = new Map<string, Interaction>(Object.entries(RULES));

/** A hook Roost does not know never waits. */
export function getInteractionHints(hookName: string): Interaction {
	return { ...(rules.get(hookName) ?? REPORT) };
}
