// Tool calls in the stream: the result and duration of each, and the batch of a message when the agent continues.
import type { HookPayload } from '@roost/core/runtime/normal-form/hook-payloads';
import { type ToolInput, toolInput } from '@roost/protocol/feed/base';
import { z } from 'zod';
import type { JsonObject } from '../../base/json-object.ts';
import { createRecentIds } from '../../base/recent-ids.ts';
import type { OpenCalls } from '../../live/turns.ts';
import { textOf } from '../transcript/transcript-line.ts';
import type { ClaudeReporter } from './permission-modes.ts';

export type CallResult = ReturnType<typeof toResult>;

export type ToolNews = { type: 'result'; result: CallResult } | { type: 'batch'; payload: HookPayload<'PostToolBatch'> };

type Call = { tool_name: string; tool_input: ToolInput; tool_use_id: string; tool_response?: unknown };
type Whose = { agent_id?: string | undefined; agent_type?: string | undefined };
type Batch = { messageId: string; whose: Whose; calls: Map<string, Call> };

const MAX_AGENTS = 200;
const MAIN = '';

export function createToolResults() {
	/** By the call that started the agent. */
	const batches = new Map<string, Batch>();
	/** Compaction repeats messages that it keeps. */
	const known = createRecentIds(1000);

	function close(agent: string): ToolNews[] {
		const batch = batches.get(agent);
		batches.delete(agent);
		const answered = [...(batch?.calls.values() ?? [])].filter((call) => 'tool_response' in call);
		if (answered.length === 0) return [];
		return [{ type: 'batch', payload: { ...batch?.whose, tool_calls: answered } }];
	}

	function open(agent: string, messageId: string, whose: Whose): Batch {
		const batch = { messageId, whose, calls: new Map<string, Call>() };
		batches.set(agent, batch);
		const oldest = batches.size > MAX_AGENTS ? batches.keys().next().value : undefined;
		if (oldest !== undefined) batches.delete(oldest);
		return batch;
	}

	function answer(agent: string, { toolUseId }: CallResult, reported: unknown): void {
		const call = batches.get(agent)?.calls.get(toolUseId);
		if (call) call.tool_response = reported;
	}

	return {
		called(raw: JsonObject): ToolNews[] {
			const parsed = modelMessage.safeParse(raw).data;
			if (!parsed) return [];
			const { message, agent_id, subagent_type: agent_type } = parsed;
			const agent = parsed.parent_tool_use_id ?? MAIN;
			const before = batches.get(agent)?.messageId === message.id ? [] : close(agent);
			for (const { id, name, input } of message.content.flatMap((block) => callBlock.safeParse(block).data ?? [])) {
				if (known.has(id)) continue;
				known.add(id);
				const batch = batches.get(agent) ?? open(agent, message.id, agent === MAIN ? {} : { agent_id, agent_type });
				batch.calls.set(id, { tool_name: name, tool_input: input, tool_use_id: id });
			}
			return before;
		},
		returned(raw: JsonObject): ToolNews[] {
			const parsed = userMessage.safeParse(raw).data;
			if (!parsed) return [];
			const agent = parsed.parent_tool_use_id ?? MAIN;
			const blocks = parsed.message.content.flatMap((block) => resultBlock.safeParse(block).data ?? []);
			// The tool's result is beside the block, so it applies to a single one only.
			const own = blocks.length === 1 ? parsed.tool_use_result : undefined;
			const results = blocks.map((block) => toResult(block, own, parsed.tool_result_meta));
			for (const [at, result] of results.entries()) answer(agent, result, blocks[at]?.content ?? null);
			return results.map((result) => ({ type: 'result', result }));
		},
		/** The main agent requests the next message. */
		goesOn: () => close(MAIN),
		stopped(agentId: string): ToolNews[] {
			return [...batches].flatMap(([agent, batch]) => (batch.whose.agent_id === agentId ? close(agent) : []));
		},
		/** Interrupted calls are not a batch. */
		ended({ interrupted }: { interrupted: boolean }): ToolNews[] {
			const rest = close(MAIN);
			return interrupted ? [] : rest;
		},
	};
}

const blockList = z.array(z.looseObject({ type: z.string() })).catch([]);
const name = z.string().optional().catch(undefined);
const author = { parent_tool_use_id: z.string().nullish(), agent_id: name, subagent_type: name };

const modelMessage = z.looseObject({ ...author, message: z.looseObject({ id: z.string(), content: blockList }) });
const callBlock = z.looseObject({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: toolInput });

const resultMeta = z.array(z.looseObject({ id: z.string(), non_execution_kind: z.string().nullish() })).catch([]);
const userMessage = z.looseObject({
	...author,
	message: z.looseObject({ content: blockList }),
	tool_use_result: z.unknown().optional(),
	tool_result_meta: resultMeta.optional(),
});
const resultBlock = z.looseObject({
	type: z.literal('tool_result'),
	tool_use_id: z.string(),
	is_error: z.boolean().nullish(),
	content: z.union([z.string(), blockList]).nullish(),
});

/** The result of an interrupted call. */
const CUT_OFF = 'User rejected tool use';

function toResult(
	{ tool_use_id, is_error, content }: z.infer<typeof resultBlock>,
	own: unknown,
	meta: z.infer<typeof resultMeta> = [],
) {
	return {
		toolUseId: tool_use_id,
		/** False for a call that was denied or interrupted. */
		ran: own !== CUT_OFF && !meta.some(({ id, non_execution_kind }) => id === tool_use_id && non_execution_kind != null),
		failed: is_error === true,
		/** As given to the model. */
		text: typeof content === 'string' ? content : textOf(content ?? []),
		/** Result of the tool. For subagents only what the model was given. */
		response: own ?? content ?? null,
	};
}

export type RunningCalls = ReturnType<typeof createRunningCalls>;

const MAX_RUNNING = 1000;

export function createRunningCalls(deps: { reporter: Pick<ClaudeReporter, 'report'>; calls: OpenCalls; now: () => number }) {
	const { reporter, calls, now } = deps;
	const releasedAt = new Map<string, number>();

	/** Undefined where the start was not seen. */
	function takeDuration(toolUseId: string): number | undefined {
		const since = releasedAt.get(toolUseId);
		releasedAt.delete(toolUseId);
		return since === undefined ? undefined : Math.max(0, now() - since);
	}

	return {
		/** Allowed, possibly with a changed input. */
		release(toolUseId: string, input?: ToolInput): void {
			const call = calls.find(toolUseId);
			if (!call) return;
			if (input !== undefined) calls.open({ ...call, tool_input: input });
			releasedAt.set(toolUseId, now());
			const oldest = releasedAt.size > MAX_RUNNING ? releasedAt.keys().next().value : undefined;
			if (oldest !== undefined) releasedAt.delete(oldest);
		},
		/** A call that never ran is reported by its batch, as by Claude's hooks. */
		returned({ toolUseId, ran, failed, text, response }: CallResult): void {
			const call = calls.find(toolUseId);
			const duration_ms = takeDuration(toolUseId);
			if (!call || !ran) return;
			calls.observe('PostToolUse', call);
			if (failed) reporter.report('PostToolUseFailure', { ...call, error: text, is_interrupt: false, duration_ms });
			else reporter.report('PostToolUse', { ...call, tool_response: response, duration_ms });
		},
	};
}
