// What a session used so far, by model: Codex tells the sum of each thread, whichever models took part in it.
import { addUsage, mergeUsage, type UsageByModel, zeroUsage } from '@roost/core/usage/tally';
import type { TokenUsage } from '@roost/protocol/feed/conversation';
import { toReasoning } from '../../base/usage.ts';
import type { NativeUsage } from './protocol.ts';

export type UsageTracker = {
	/** What the session used before this agent took it up. */
	startFrom(before: UsageByModel): void;
	/** The sum of a thread at which nothing was used. */
	begin(threadId: string, total: NativeUsage): void;
	/** A new sum of a thread. What came on top of the last one was used by that model. */
	add(threadId: string, model: string, sum: { total: NativeUsage; last: NativeUsage }): UsageByModel;
};

/** A thread that is a copy, or was taken up, begins with a sum that is none of ours: of the first only what its call took counts. */
export function createUsageTracker(): UsageTracker {
	const byModel = new Map<string, TokenUsage>();
	const sums = new Map<string, TokenUsage>();

	return {
		startFrom(before) {
			for (const [model, usage] of Object.entries(before)) byModel.set(model, addUsage(byModel.get(model) ?? zeroUsage(), usage));
		},
		begin(threadId, total) {
			sums.set(threadId, toUsage(total));
		},
		add(threadId, model, { total, last }) {
			const sum = toUsage(total);
			const before = sums.get(threadId);
			const more = before === undefined ? toUsage(last) : difference(sum, before);
			sums.set(threadId, sum);
			byModel.set(model, addUsage(byModel.get(model) ?? zeroUsage(), more));
			return Object.fromEntries([...byModel].map(([name, usage]) => [name, { ...usage }]));
		},
	};
}

/** Codex counts cached tokens among those that went in; here each token is in one field. */
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

/** Never less than nothing: a compacted thread may begin to count anew. */
function difference(sum: TokenUsage, before: TokenUsage): TokenUsage {
	return mergeUsage((now, then) => Math.max(now - then, 0), sum, before);
}
