// The gate for every tool call of a driven Claude: rules first, then permission for calls that Claude asks about.
import type {
	CanUseTool,
	HookCallbackMatcher,
	HookEvent,
	PermissionResult,
	PermissionUpdate,
	SyncHookJSONOutput,
} from '@anthropic-ai/claude-agent-sdk';
import { isSameJson } from '@roost/core/feed/same-json';
import { type HookPayload, hookPayloads } from '@roost/core/runtime/normal-form/hook-payloads';
import { QUESTION_TOOL } from '@roost/core/runtime/normal-form/questions';
import { assertNever } from '@roost/protocol/assert-never';
import type { ToolInput } from '@roost/protocol/feed/base';
import { toHookSeconds } from '../../base/ask-timeouts.ts';
import { isJsonObject, type JsonObject, stringAt } from '../../base/json-object.ts';
import { HOOK_NAMES, type HookName } from '../../hooks/hook-names.ts';
import type { OpenCalls } from '../../live/turns.ts';
import type { HookVerdict } from '../../live/verdict.ts';
import { type ClaudeReporter, isAskedInPlan } from './permission-modes.ts';
import type { RunningCalls } from './tool-results.ts';

type Gate = ReturnType<typeof createGate>;

export function createGate(deps: {
	reporter: ClaudeReporter;
	calls: OpenCalls;
	running: RunningCalls;
	allowedTools: readonly string[] | undefined;
	/** A call was denied with a request to stop the run. */
	interrupt: () => void;
}) {
	const { reporter, calls, running } = deps;
	const reachable = deps.allowedTools && new Set([...deps.allowedTools.map(toHookName), QUESTION_TOOL]);

	/** Abandoned when the agent stops waiting; the result must not be an allow then. */
	function ask(hookName: 'PreToolUse' | 'PermissionRequest', payload: object, signal: AbortSignal): Promise<HookVerdict> {
		return new Promise((resolve) => {
			if (signal.aborted) return resolve(ABANDONED);
			const abandon = reporter.relayAsk(hookName, payload, resolve);
			signal.addEventListener('abort', () => {
				abandon();
				resolve(ABANDONED);
			});
		});
	}

	async function preToolUse(payload: JsonObject, signal: AbortSignal): Promise<SyncHookJSONOutput> {
		const tool = stringAt(payload, 'tool_name') ?? '';
		reporter.learn(payload);
		const call = hookPayloads.PreToolUse.safeParse(payload).data;
		if (call) calls.open(call);
		if (reachable && !reachable.has(tool)) {
			reporter.relay('PreToolUse', payload);
			return toHookOutput({ type: 'deny', message: `${tool} is not among the tools this session may use.` });
		}
		const verdict = await ask('PreToolUse', payload, signal);
		if (verdict.type === 'deny' && verdict.interrupt) deps.interrupt();
		const isNoObjection = verdict.type === 'allow' && reporter.mode() === 'plan' && !isAskedInPlan(tool);
		const answer: HookVerdict = isNoObjection ? { type: 'none' } : verdict;
		if (answer.type !== 'deny')
			running.release(stringAt(payload, 'tool_use_id') ?? '', answer.type === 'allow' ? answer.updatedInput : undefined);
		return toHookOutput(answer);
	}

	async function canUseTool(
		tool: string,
		input: JsonObject,
		{ signal, suggestions = [], toolUseID, agentID }: Parameters<CanUseTool>[2],
	): Promise<PermissionResult> {
		if (reporter.mode() === 'plan' && !isAskedInPlan(tool)) return { behavior: 'deny', message: PLAN_REASON };
		const payload: HookPayload<'PermissionRequest'> = {
			...calls.find(toolUseID),
			tool_name: tool,
			tool_input: input,
			tool_use_id: toolUseID,
			permission_suggestions: suggestions,
			...(agentID === undefined ? {} : { agent_id: agentID }),
		};
		const result = toPermissionResult(await ask('PermissionRequest', payload, signal), { input, suggestions });
		if (result.behavior === 'allow') running.release(toolUseID, result.updatedInput);
		return result;
	}

	return {
		/** A call in any mode. */
		preToolUse /** Not called for calls that the gate allowed. */,
		canUseTool,
	};
}

const ABANDONED: HookVerdict = { type: 'deny', message: 'The agent stopped waiting.' };
const PLAN_REASON = 'In plan mode nothing is executed: put it into the plan.';

/** The tool that starts a subagent has two names. */
function toHookName(tool: string): string {
	return tool === 'Task' ? 'Agent' : tool;
}

export function toHookOutput(verdict: HookVerdict): SyncHookJSONOutput {
	switch (verdict.type) {
		case 'none':
			return {};
		case 'allow':
			return preToolUse('allow', verdict.updatedInput === undefined ? {} : { updatedInput: verdict.updatedInput });
		case 'ask':
		case 'deny':
			return preToolUse(verdict.type, verdict.message === undefined ? {} : { permissionDecisionReason: verdict.message });
		default:
			return assertNever(verdict);
	}
}

function preToolUse(permissionDecision: 'allow' | 'deny' | 'ask', message: object): SyncHookJSONOutput {
	return { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, ...message } };
}

/** Granted permissions are limited to Claude's own suggestions for this call and to this session. */
export function toPermissionResult(
	verdict: HookVerdict,
	asked: { input: ToolInput; suggestions: readonly PermissionUpdate[] },
): PermissionResult {
	switch (verdict.type) {
		case 'allow': {
			const granted = asked.suggestions.filter((one) => verdict.updatedPermissions?.some((update) => isSameJson(update, one)));
			const updates = granted.map((update) => ({ ...update, destination: 'session' as const }));
			return {
				behavior: 'allow',
				updatedInput: verdict.updatedInput ?? asked.input,
				...(updates.length > 0 ? { updatedPermissions: updates } : {}),
			};
		}
		case 'deny':
			return { behavior: 'deny', message: verdict.message, ...(verdict.interrupt ? { interrupt: true } : {}) };
		case 'none':
		case 'ask':
			return { behavior: 'deny', message: 'This call was not approved.' };
		default:
			return assertNever(verdict);
	}
}

/** Not registered, because Claude waits for every registered hook. */
const NOT_REGISTERED: ReadonlySet<HookName> = new Set([
	// The stream contains the same.
	'PostToolUseFailure',
	'PostToolBatch',
	// Claude asks through a callback, which names the call.
	'PermissionRequest',
	// The stream contains the same text earlier.
	'MessageDisplay',
	// Such a hook replaces git.
	'WorktreeCreate',
]);

/** For these tools the stream lacks details of a subagent's call: the change of an edit, the id of a new todo. */
const RETURNS_MORE = 'Edit|MultiEdit|Write|NotebookEdit|TodoWrite|TaskCreate|TaskUpdate';

/** `observe` gets every other hook, in order, without delay. */
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
		// Fails closed.
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
