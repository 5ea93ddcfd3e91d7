// Every tool call of a driven Claude passes here: first the gate itself, then, for what Claude would not do by itself, permission.
import type { CanUseTool, PermissionResult, SyncHookJSONOutput } from '@anthropic-ai/claude-agent-sdk';
import { type HookName, type HookPayload, hookPayloads } from '@roost/core/runtime/normal-form/hook-payloads';
import { QUESTION_TOOL } from '@roost/core/runtime/normal-form/questions';
import { type JsonObject, stringAt } from '../../base/json-object.ts';
import type { OpenCalls } from '../../live/open-calls.ts';
import type { SayableVerdict } from '../../live/verdict.ts';
import type { ClaudeReporter } from './claude-reporter.ts';
import { toHookOutput, toPermissionResult } from './gate-verdict.ts';
import { isAskedInPlan } from './permission-modes.ts';
import type { RunningCalls } from './running-calls.ts';

export type Gate = {
	/** A call is about to be made, in whatever mode. */
	preToolUse(payload: JsonObject, signal: AbortSignal): Promise<SyncHookJSONOutput>;
	/** What the gate let pass and Claude does not do unasked. A call that the gate allowed never comes here. */
	readonly canUseTool: CanUseTool;
};

export function createGate(deps: {
	reporter: ClaudeReporter;
	calls: OpenCalls;
	running: RunningCalls;
	allowedTools: readonly string[] | undefined;
	/** Somebody refused a call and wants the whole run to stop. */
	interrupt: () => void;
}): Gate {
	const { reporter, calls, running } = deps;
	const reachable = deps.allowedTools && new Set([...deps.allowedTools.map(toHookName), QUESTION_TOOL]);

	/** Gives up where the agent does: then the answer is of no consequence, and must be no allow. */
	function ask(hookName: HookName, payload: object, signal: AbortSignal): Promise<SayableVerdict> {
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
		const answer: SayableVerdict = isNoObjection ? { type: 'none' } : verdict;
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

	return { preToolUse, canUseTool };
}

const ABANDONED: SayableVerdict = { type: 'deny', message: 'The agent stopped waiting.' };
const PLAN_REASON = 'In plan mode nothing is executed: put it into the plan.';

/** The tool that starts a subagent is listed under one name and called by another. */
function toHookName(tool: string): string {
	return tool === 'Task' ? 'Agent' : tool;
}
