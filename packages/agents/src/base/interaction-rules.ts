// For each hook: whether Roost holds it, for how long, and whether it can block.
import type { Interaction } from '@roost/core/runtime/event';
import type { HookName } from '@roost/core/runtime/normal-form/hook-payloads';

const DEFAULT_TIMEOUT_MS = 4000;
/** Until the ask sets its own timeout. */
const UNHELD_ASK_MS = 300_000;

const REPORT: Interaction = { expectsDecision: false, defaultTimeoutMs: DEFAULT_TIMEOUT_MS, canBlock: false };
const BLOCKABLE: Interaction = { expectsDecision: false, defaultTimeoutMs: DEFAULT_TIMEOUT_MS, canBlock: true };

/** Every other hook is a report. */
const RULES: Partial<Record<HookName, Interaction>> = {
	PermissionRequest: { expectsDecision: true, defaultTimeoutMs: UNHELD_ASK_MS, canBlock: true },
	PreToolUse: { expectsDecision: true, defaultTimeoutMs: DEFAULT_TIMEOUT_MS, canBlock: true },
	Stop: BLOCKABLE,
	SubagentStop: BLOCKABLE,
	UserPromptSubmit: BLOCKABLE,
};

const rules = new Map<string, Interaction>(Object.entries(RULES));

/** Unknown hooks are reports. */
export function getInteractionHints(hookName: string): Interaction {
	return { ...(rules.get(hookName) ?? REPORT) };
}
