// What a session used so far, by model: Codex tells the sum of each thread, whichever models took part in it.
import type { UsageByModel } from '@roost/core/usage/tally';
import { addUsage } from '@roost/core/usage/tally';
import type { TokenUsage } from '@roost/protocol/feed/conversation';
import type { NativeUsage } from './protocol.ts';

export type UsageBook = {
	/** What the session used before this agent took it up. */
	carry(before: UsageByModel): void;
	/** The sum of a thread at which nothing was used. */
	begin(threadId: string, total: NativeUsage): void;
	/** A new sum of a thread. What came on top of the last one was used by that model. */
	add(threadId: string, model: string, sum: { total: NativeUsage; last: NativeUsage }): UsageByModel;
};

/** A thread that is a copy, or was taken up, begins with a sum that is none of ours: of the first only what its call took counts. */
export function createUsageBook(): UsageBook {
	const byModel = new Map<string, TokenUsage>();
	const sums = new Map<string, TokenUsage>();

	return {
		carry(before) {
			for (const [model, usage] of Object.entries(before)) byModel.set(model, addUsage(byModel.get(model) ?? NONE, usage));
		},
		begin(threadId, total) {
			sums.set(threadId, toUsage(total));
		},
		add(threadId, model, { total, last }) {
			const sum = toUsage(total);
			const before = sums.get(threadId);
			const more = before === undefined ? toUsage(last) : difference(sum, before);
			sums.set(threadId, sum);
			byModel.set(model, addUsage(byModel.get(model) ?? NONE, more));
			return Object.fromEntries([...byModel].map(([name, usage]) => [name, { ...usage }]));
		},
	};
}

const NONE: TokenUsage = { input_tokens: 0, output_tokens: 0, cache_read_tokens: 0, cache_write_tokens: 0 };

/** Codex counts cached tokens among those that went in; here each token is in one field. */
export function toUsage(native: NativeUsage): TokenUsage {
	const { inputTokens, cachedInputTokens, cacheWriteInputTokens, outputTokens } = native;
	return {
		input_tokens: Math.max(inputTokens - cachedInputTokens - cacheWriteInputTokens, 0),
		output_tokens: outputTokens,
		cache_read_tokens: cachedInputTokens,
		cache_write_tokens: cacheWriteInputTokens,
	};
}

/** Never less than nothing: a compacted thread may begin to count anew. */
function difference(sum: TokenUsage, before: TokenUsage): TokenUsage {
	const less = (key: keyof TokenUsage) => Math.max(sum[key] - before[key], 0);
	return {
		input_tokens: less('input_tokens'),
		output_tokens: less('output_tokens'),
		cache_read_tokens: less('cache_read_tokens'),
		cache_write_tokens: less('cache_write_tokens'),
	};
}
