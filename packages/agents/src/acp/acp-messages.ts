// What Roost reads and answers of the Agent Client Protocol. Lenient: tolerates unknown and missing fields.
import { addUsage, mergeUsage, type UsageByModel, zeroUsage } from '@roost/core/usage/tally';
import type { TokenUsage } from '@roost/protocol/feed/conversation';
import { z } from 'zod';
import { toReasoning } from '../base/transcripts.ts';
import type { GateVerdict } from '../live/gate.ts';

const count = z
	.number()
	.nonnegative()
	.nullish()
	.catch(null)
	.transform((tokens) => tokens ?? 0);

export const nativeUsage = z.object({
	inputTokens: count,
	outputTokens: count,
	totalTokens: count,
	thoughtTokens: count,
	cachedReadTokens: count,
	cachedWriteTokens: count,
});
type NativeUsage = z.infer<typeof nativeUsage>;

export type AcpUsage = { add(model: string, native: NativeUsage): UsageByModel };

/** `counts`: whether the numbers are of the turn or the session; the protocol leaves it open. */
export function createAcpUsage(counts: 'turn' | 'session'): AcpUsage {
	const byModel = new Map<string, TokenUsage>();
	let sum = zeroUsage();
	return {
		add(model, native) {
			const reported = toUsage(native);
			const more = counts === 'turn' ? reported : mergeUsage((now, then) => Math.max(now - then, 0), reported, sum);
			sum = reported;
			byModel.set(model, addUsage(byModel.get(model) ?? zeroUsage(), more));
			return Object.fromEntries(byModel);
		},
	};
}

/** Converts to one field per token, with thoughts as part of the output. The total shows how the agent counts. */
export function toUsage(native: NativeUsage): TokenUsage {
	const { inputTokens, outputTokens, totalTokens, thoughtTokens, cachedReadTokens, cachedWriteTokens } = native;
	const cached = cachedReadTokens + cachedWriteTokens;
	const rest = totalTokens - inputTokens - outputTokens;
	const isCacheInside = rest === 0 || (rest === thoughtTokens && rest !== cached);
	const isThoughtApart = thoughtTokens > 0 && (rest === thoughtTokens || rest === cached + thoughtTokens);
	return {
		input_tokens: isCacheInside ? Math.max(inputTokens - cached, 0) : inputTokens,
		output_tokens: isThoughtApart ? outputTokens + thoughtTokens : outputTokens,
		cache_read_tokens: cachedReadTokens,
		cache_write_tokens: cachedWriteTokens,
		...toReasoning(thoughtTokens),
	};
}

const text = z.string().optional().catch(undefined);
const anything = z.unknown().optional();
const offered = anything.transform((value) => typeof value === 'object' && value !== null);

export const initialized = z.object({
	protocolVersion: z.number(),
	agentInfo: z.object({ name: z.string(), title: text, version: text }).nullish().catch(null),
	agentCapabilities: z
		.object({
			loadSession: z.boolean().catch(false).default(false),
			sessionCapabilities: z
				.object({ resume: offered, fork: offered })
				.catch({ resume: false, fork: false })
				.default({ resume: false, fork: false }),
		})
		.default({ loadSession: false, sessionCapabilities: { resume: false, fork: false } }),
	authMethods: z
		.array(z.object({ name: z.string(), description: z.string().nullish() }))
		.catch([])
		.default([]),
});
export type Initialized = z.infer<typeof initialized>;

const configOption = z.object({
	id: z.string(),
	category: text,
	currentValue: anything,
	options: z
		.array(z.object({ value: z.string() }))
		.catch([])
		.default([]),
});

/** The response to a new or resumed session; only a new one has an id. */
export const session = z.object({
	sessionId: text,
	modes: z
		.object({ currentModeId: z.string(), availableModes: z.array(z.object({ id: z.string() })) })
		.nullish()
		.catch(null),
	models: z
		.object({ currentModelId: text, availableModels: z.array(z.object({ modelId: z.string() })) })
		.nullish()
		.catch(null),
	configOptions: z.array(configOption).nullish().catch(null),
});
export type AcpSession = z.infer<typeof session>;

const block = z.object({ type: z.string(), text });

const toolContent = z.union([
	z.object({ type: z.literal('content'), content: block }),
	z.object({ type: z.literal('diff'), path: z.string(), oldText: z.string().nullish(), newText: z.string() }),
	z.object({ type: z.string() }),
]);
export type ToolContent = z.infer<typeof toolContent>;

/** A tool call in a start, an update or a permission request: missing fields keep their value. */
export const toolCall = z.object({
	toolCallId: z.string(),
	title: text,
	kind: text,
	status: text,
	name: text,
	rawInput: z.record(z.string(), z.unknown()).optional().catch(undefined),
	rawOutput: anything,
	content: z.array(toolContent).optional().catch(undefined),
	locations: z
		.array(z.object({ path: z.string() }))
		.optional()
		.catch(undefined),
});
export type ToolCallNews = z.infer<typeof toolCall>;

export const permissionRequest = z.object({
	toolCall,
	options: z.array(z.object({ optionId: z.string(), kind: z.string() })),
});
type PermissionOption = z.infer<typeof permissionRequest>['options'][number];

export const planned = z.object({ entries: z.array(z.object({ content: z.string(), status: z.string().catch('pending') })) });

export const update = z.object({
	sessionId: z.string(),
	update: z.looseObject({ sessionUpdate: z.string(), content: anything }),
});
export type AcpUpdate = z.infer<typeof update>['update'];

export const spoken = block;

export const promptAnswer = z.object({ stopReason: z.string(), usage: nativeUsage.nullish().catch(null) });

export type PermissionAnswer = { outcome: { outcome: 'selected'; optionId: string } | { outcome: 'cancelled' } };

export const CANCELLED: PermissionAnswer = { outcome: { outcome: 'cancelled' } };

/** `unsaid`: why the answer differs from the decision. */
export function answerPermission(
	verdict: GateVerdict,
	options: readonly PermissionOption[],
): { answer: PermissionAnswer; refusal?: string } {
	if (verdict.type === 'deny') return { answer: refuse(options) };
	if (verdict.updatedInput)
		return { answer: refuse(options), refusal: 'This agent takes no changed input: the call was refused.' };
	const once = select(options, 'allow_once');
	if (once) return { answer: once };
	return { answer: refuse(options), refusal: 'This agent offers no one-time permission: the call was refused.' };
}

function refuse(options: readonly PermissionOption[]): PermissionAnswer {
	return select(options, 'reject_once') ?? select(options, 'reject_always') ?? CANCELLED;
}

function select(options: readonly PermissionOption[], kind: string): PermissionAnswer | undefined {
	const option = options.find((each) => each.kind === kind);
	return option && { outcome: { outcome: 'selected', optionId: option.optionId } };
}
