// Usage of a session by model: exact at the end of each turn, estimated from messages in between.
import {
	createUsageTally,
	mergeUsage,
	tallyMessage,
	toUsageByModel,
	type UsageByModel,
	zeroUsage,
} from '@roost/core/usage/tally';
import { z } from 'zod';
import { thinkingTokens } from '../transcript/transcript-line.ts';

const count = z.number().nonnegative().catch(0).default(0);

/** Usage of one message, as the API reports it. */
const messageUsage = z
	.object({
		input_tokens: count,
		output_tokens: count,
		cache_read_input_tokens: count,
		cache_creation_input_tokens: count,
		output_tokens_details: thinkingTokens,
	})
	.transform((usage) => ({
		input_tokens: usage.input_tokens,
		output_tokens: usage.output_tokens,
		cache_read_tokens: usage.cache_read_input_tokens,
		cache_write_tokens: usage.cache_creation_input_tokens,
		...usage.output_tokens_details,
	}));

/** Usage of one model, as Claude reports it. */
const modelUsages = z
	.record(
		z.string(),
		z
			.object({ inputTokens: count, outputTokens: count, cacheReadInputTokens: count, cacheCreationInputTokens: count })
			.transform((usage) => ({
				input_tokens: usage.inputTokens,
				output_tokens: usage.outputTokens,
				cache_read_tokens: usage.cacheReadInputTokens,
				cache_write_tokens: usage.cacheCreationInputTokens,
			})),
	)
	.catch({});

/** Usage before the first message: none, an unknown part of Claude's first total, or not the session's own. */
export type UsedBefore = 'nothing' | 'own' | 'foreign';

export function createUsageTracker(before: UsedBefore) {
	let known = before !== 'own';
	let isForeign = before === 'foreign';
	let settled: UsageByModel = {};
	let lastSum: UsageByModel = {};
	let turn = createUsageTally();

	return {
		/** Repeats count once. */
		message(id: string, model: string, usage: unknown): void {
			const parsed = messageUsage.safeParse(usage);
			if (parsed.success) tallyMessage(turn, { messageId: id, model, usage: parsed.data });
		},
		/** Claude's own totals, including subagents. */
		turnEnded(modelUsage: unknown): void {
			const sum = modelUsages.parse(modelUsage);
			// The total lacks an interrupted message, and restarts when the conversation is cleared.
			const grown = isForeign ? {} : since(lastSum, sum);
			const added = combine(Math.max, grown, toUsageByModel(turn));
			isForeign = false;
			settled = combine((left, right) => left + right, settled, added);
			lastSum = sum;
			turn = createUsageTally();
			known = true;
		},
		/** Null while the usage of an earlier process is unknown. */
		totals: () => (known ? combine((left, right) => left + right, settled, toUsageByModel(turn)) : null),
	};
}

function since(before: UsageByModel, now: UsageByModel): UsageByModel {
	const grown = combine((left, right) => left - right, now, before);
	const hasShrunk = Object.values(grown).some((usage) => Object.values(usage).some((tokens) => tokens < 0));
	return hasShrunk ? now : grown;
}

function combine(how: (left: number, right: number) => number, left: UsageByModel, right: UsageByModel): UsageByModel {
	const [ours, theirs] = [new Map(Object.entries(left)), new Map(Object.entries(right))];
	const models = new Set([...ours.keys(), ...theirs.keys()]);
	return Object.fromEntries(
		[...models].map((model) => [model, mergeUsage(how, ours.get(model) ?? zeroUsage(), theirs.get(model) ?? zeroUsage())]),
	);
}
