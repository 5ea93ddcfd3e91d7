// Usage of a session by model. Codex reports the total of each thread, over all models.
import { addUsage, mergeUsage, type UsageByModel, zeroUsage } from '@roost/core/usage/tally';
import type { TokenUsage } from '@roost/protocol/feed/conversation';
import { toReasoning } from '../../base/usage.ts';
import type { NativeUsage } from './protocol.ts';

/** A forked or resumed thread starts with a foreign total: of the first report only the last call counts. */
export function createUsageTracker() {
	const byModel = new Map<string, TokenUsage>();
	const sums = new Map<string, TokenUsage>();

	return {
		/** Usage of the session before this process. */
		startFrom(before: UsageByModel): void {
			for (const [model, usage] of Object.entries(before)) byModel.set(model, addUsage(byModel.get(model) ?? zeroUsage(), usage));
		},
		/** The initial total of a thread. */
		begin(threadId: string, total: NativeUsage): void {
			sums.set(threadId, toUsage(total));
		},
		/** The increase since the last total counts for that model. */
		add(threadId: string, model: string, { total, last }: { total: NativeUsage; last: NativeUsage }): UsageByModel {
			const sum = toUsage(total);
			const before = sums.get(threadId);
			const more = before === undefined ? toUsage(last) : difference(sum, before);
			sums.set(threadId, sum);
			byModel.set(model, addUsage(byModel.get(model) ?? zeroUsage(), more));
			return Object.fromEntries([...byModel].map(([name, usage]) => [name, { ...usage }]));
		},
	};
}

/** Codex includes cached tokens in the input; here each token is in one field. */
export function toUsage(native: NativeUsage): TokenUsage {
	const { inputTokens, cachedInputTokens, cacheWriteInputTokens, outputTokens, reasoningOutputTokens } = native;
	return {
		input_tokens: Math.max(inputTokens - cachedInputTokens - cacheWriteInputTokens, 0),
		output_tokens: outputTokens,
		cache_read_tokens: cachedInputTokens,
		cache_write_tokens: cacheWriteInputTokens,
		...toReasoning(reasoningOutputTokens),
	};
}

/** Not negative: a compacted thread may restart its count. */
function difference(sum: TokenUsage, before: TokenUsage): TokenUsage {
	return mergeUsage((now, then) => Math.max(now - then, 0), sum, before);
}
