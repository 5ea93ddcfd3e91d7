// What a session would cost at list price: an estimate, from a table that says its dates.
import type { TokenUsage } from '@roost/protocol/feed/conversation';
import type { UsageByModel } from './tally.ts';

/** The day of the newest published lists that the table agrees with. */
const OF_ANTHROPIC = '2026-10-07';
const OF_OPENAI = '2026-09-27';
export const PRICES_AS_OF = OF_ANTHROPIC;

export type CostEstimate = {
	usd: number;
	/** The oldest of the lists that were needed. */
	pricesAsOf: string;
	/** Models without a price, not part of `usd`. */
	unpriced: string[];
};

/** A model that is not in the table is named, never guessed. */
export function estimateCost(usageByModel: UsageByModel): CostEstimate {
	const unpriced: string[] = [];
	let pricesAsOf = PRICES_AS_OF;
	let usd = 0;
	for (const [model, usage] of Object.entries(usageByModel)) {
		const price = priceOf(model);
		if (price === undefined) {
			unpriced.push(model);
			continue;
		}
		usd += costOf(usage, price);
		if (price.asOf < pricesAsOf) pricesAsOf = price.asOf;
	}
	return { usd, pricesAsOf, unpriced };
}

/** USD per million tokens. */
type Price = { input: number; output: number; cacheRead: number; cacheWrite: number; asOf: string };

const OPUS_4 = anthropic({ input: 15, output: 75, cacheRead: 1.5, cacheWrite: 18.75 });
const OPUS_5 = anthropic({ input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 });
const SONNET_4 = anthropic({ input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 });
const GPT_5 = openai({ input: 1.25, output: 10, cacheRead: 0.125 });
const GPT_5_2 = openai({ input: 1.75, output: 14, cacheRead: 0.175 });

/**
 * Standard list prices (platform.claude.com, cache writes at the five-minute rate; developers.openai.com). Left out: models whose
 * published prices disagree (Sonnet 5.5), and those priced by the length of each prompt, which a sum cannot tell (GPT-5.4 and later).
 */
const PRICES: ReadonlyMap<string, Price> = new Map([
	['claude-fable-5-1', anthropic({ input: 10, output: 50, cacheRead: 0.25, cacheWrite: 12.5 })],
	['claude-fable-5', anthropic({ input: 10, output: 50, cacheRead: 1, cacheWrite: 12.5 })],
	['claude-opus-5-5', anthropic({ input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5 })],
	['claude-opus-5', OPUS_5],
	['claude-opus-4-8', OPUS_5],
	['claude-opus-4-7', OPUS_5],
	['claude-opus-4-6', OPUS_5],
	['claude-opus-4-5', OPUS_5],
	['claude-opus-4-1', OPUS_4],
	['claude-opus-4', OPUS_4],
	['claude-sonnet-5', anthropic({ input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 })],
	['claude-sonnet-4-6', SONNET_4],
	['claude-haiku-4-5', anthropic({ input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 })],
	['claude-3-5-haiku', anthropic({ input: 0.8, output: 4, cacheRead: 0.08, cacheWrite: 1 })],
	['gpt-5', GPT_5],
	['gpt-5-codex', GPT_5],
	['gpt-5-mini', openai({ input: 0.25, output: 2, cacheRead: 0.025 })],
	['gpt-5-nano', openai({ input: 0.05, output: 0.4, cacheRead: 0.005 })],
	['gpt-5.1', GPT_5],
	['gpt-5.2', GPT_5_2],
	['gpt-5.2-codex', GPT_5_2],
	['gpt-5.3-codex', GPT_5_2],
	['gpt-5.4-mini', openai({ input: 0.75, output: 4.5, cacheRead: 0.075 })],
	['gpt-5.4-nano', openai({ input: 0.2, output: 1.25, cacheRead: 0.02 })],
	['codex-mini-latest', openai({ input: 1.5, output: 6, cacheRead: 0.375 })],
]);

function anthropic(price: Omit<Price, 'asOf'>): Price {
	return { ...price, asOf: OF_ANTHROPIC };
}

/** These models write to their cache without a price of its own: what is written is input. */
function openai(price: Omit<Price, 'asOf' | 'cacheWrite'>): Price {
	return { ...price, cacheWrite: price.input, asOf: OF_OPENAI };
}

/** A family and its dated releases; `claude-opus-5-9` is not an Opus 5. Copilot writes `claude-opus-4.6`. */
function priceOf(model: string): Price | undefined {
	const family = model.replace(/-(\d{8}|\d{4}-\d\d-\d\d)$/, '');
	return PRICES.get(family.startsWith('claude-') ? family.replaceAll('.', '-') : family);
}

/** Reasoning is a part of the output, and paid with it. */
function costOf(usage: TokenUsage, price: Price): number {
	const microUsd =
		usage.input_tokens * price.input +
		usage.output_tokens * price.output +
		usage.cache_read_tokens * price.cacheRead +
		usage.cache_write_tokens * price.cacheWrite;
	return microUsd / 1_000_000;
}
