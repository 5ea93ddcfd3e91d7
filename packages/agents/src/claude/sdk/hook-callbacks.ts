// Claude's own hooks as callbacks: which are gated, which are reported as they come, and which are told from elsewhere.
import type { HookCallbackMatcher, HookEvent } from '@anthropic-ai/claude-agent-sdk';
import { toHookSeconds } from '../../base/ask-timeouts.ts';
import { isJsonObject, type JsonObject } from '../../base/json-object.ts';
import { HOOK_NAMES, type HookName } from '../../hooks/hook-names.ts';
import type { Gate } from './gate.ts';

/** Left out, each for its reason. Claude waits for every hook that is registered: one more for each call costs milliseconds. */
const NOT_REGISTERED: ReadonlySet<HookName> = new Set([
	// The stream has all that they say, and nobody waits for it.
	'PostToolUseFailure',
	'PostToolBatch',
	// Claude asks for permission by a callback of its own, which names the call.
	'PermissionRequest',
	// The stream has the same words, and sooner.
	'MessageDisplay',
	// Such a hook makes the worktree instead of git.
	'WorktreeCreate',
]);

/**
 * The stream has what a call returned, but of a subagent's only what its model was told. For these tools that is too little:
 * of an edit it leaves out what was changed, of an entry of a todo list the name that later calls know it by.
 */
const RETURNS_MORE = 'Edit|MultiEdit|Write|NotebookEdit|TodoWrite|TaskCreate|TaskUpdate';

/** `observe` is told of every other hook, in order, and holds nothing up. */
export function toHookCallbacks(deps: {
	gate: Gate;
	observe: (hookName: HookName, payload: JsonObject) => void;
	askMs: number;
}): Partial<Record<HookEvent, HookCallbackMatcher[]>> {
	const registered = HOOK_NAMES.filter((name) => !NOT_REGISTERED.has(name));
	return Object.fromEntries(registered.map((name) => [name, [toMatcher(name, deps)]]));
}

function toMatcher(name: HookName, { gate, observe, askMs }: Parameters<typeof toHookCallbacks>[0]): HookCallbackMatcher {
	const timeout = toHookSeconds(askMs);
	if (name === 'PreToolUse') {
		const pre: HookCallbackMatcher['hooks'][number] = async (input, _id, { signal }) =>
			await gate.preToolUse(toPayload(input), signal);
		// A gate that breaks stays shut.
		return { timeout, onFailure: 'block', hooks: [pre] };
	}
	const report: HookCallbackMatcher['hooks'][number] = async (input) => {
		observe(name, toPayload(input));
		return {};
	};
	return { timeout, hooks: [report], ...(name === 'PostToolUse' ? { matcher: RETURNS_MORE } : {}) };
}

function toPayload(input: unknown): JsonObject {
	return isJsonObject(input) ? { ...input } : { value: input };
}
