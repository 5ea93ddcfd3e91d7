// Announced tool calls that have not ended; an interrupt closes them from here.
import type { HookPayload } from '@roost/core/runtime/normal-form/hook-payloads';
import { isJsonObject, type JsonObject, stringAt } from '../base/json-object.ts';

export type OpenCall = HookPayload<'PreToolUse'>;

export type OpenCalls = ReturnType<typeof createOpenCalls>;

const MAX_CALLS = 1000;

export function createOpenCalls() {
	const calls = new Map<string, OpenCall>();
	const isMain = (call: OpenCall) => typeof call.agent_id !== 'string';

	return {
		open(call: OpenCall): void {
			const id = call.tool_use_id;
			if (typeof id !== 'string') return;
			calls.set(id, call);
			const oldest = calls.size > MAX_CALLS ? calls.keys().next().value : undefined;
			if (oldest !== undefined) calls.delete(oldest);
		},
		find: (toolUseId: string) => calls.get(toolUseId),
		/** Removes calls that a hook reports as ended. */
		observe(hookName: string, payload: JsonObject): void {
			for (const id of endedBy(hookName, payload)) calls.delete(id);
		},
		/** Removes calls that will not end by themselves; calls of subagents may outlive a turn. */
		drop(whose: 'main' | 'all'): OpenCall[] {
			const dropped = [...calls].filter(([, call]) => whose === 'all' || isMain(call));
			for (const [id] of dropped) calls.delete(id);
			return dropped.map(([, call]) => call);
		},
		/** The tool of the main agent, else of a subagent. */
		current(): string | undefined {
			const open = [...calls.values()];
			const one = open.findLast(isMain) ?? open.at(-1);
			return one?.tool_name;
		},
	};
}

function endedBy(hookName: string, payload: JsonObject): string[] {
	const toId = (call: unknown) => (isJsonObject(call) ? stringAt(call, 'tool_use_id') : undefined);
	const isOne = hookName === 'PostToolUse' || hookName === 'PostToolUseFailure';
	const ended = isOne ? [payload] : hookName === 'PostToolBatch' && Array.isArray(payload.tool_calls) ? payload.tool_calls : [];
	return ended.map(toId).filter((id) => id !== undefined);
}
