// Usage of a session by model, from what an ACP agent reports at the end of a turn.
import { addUsage, mergeUsage, type UsageByModel, zeroUsage } from '@roost/core/usage/tally';
import type { TokenUsage } from '@roost/protocol/feed/conversation';
import { z } from 'zod';
import { toReasoning } from '../base/usage.ts';

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
			const told = toUsage(native);
			const more = counts === 'turn' ? told : mergeUsage((now, then) => Math.max(now - then, 0), told, sum);
			sum = told;
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
