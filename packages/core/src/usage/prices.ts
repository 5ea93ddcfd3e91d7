// What a session would cost at list price: an estimate, from a table that says its date.
import type { TokenUsage } from '@roost/protocol/feed/conversation';
import type { UsageByModel } from './tally.ts';

/** The day of the newest published list the table agrees with. */
export const PRICES_AS_OF = '2026-10-07';

export type CostEstimate = {
	usd: number;
	pricesAsOf: string;
	/** Models without a price, not part of `usd`. */
	unpriced: string[];
};

/** A model that is not in the table is named, never guessed. */
export function estimateCost(usageByModel: UsageByModel): CostEstimate {
	const unpriced: string[] = [];
	let usd = 0;
	for (const [model, usage] of Object.entries(usageByModel)) {
		const price = priceOf(model);
		if (price === undefined) unpriced.push(model);
		else usd += costOf(usage, price);
	}
	return { usd, pricesAsOf: PRICES_AS_OF, unpriced };
}

/** USD per million tokens. */
type Price = { input: number; output: number; cacheRead: number; cacheWrite: number };

const OPUS_4: Price = { input: 15, output: 75, cacheRead: 1.5, cacheWrite: 18.75 };
const OPUS_5: Price = { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 };
const SONNET_4: Price = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };

/**
 * Standard list prices of the Anthropic API (platform.claude.com), cache writes at the five-minute rate. Left out: models
 * whose published prices disagree (Sonnet 5.5), and those priced by the length of each prompt, which a sum cannot tell.
 */
const PRICES: ReadonlyMap<string, Price> = new Map([
	['claude-fable-5-1', { input: 10, output: 50, cacheRead: 0.25, cacheWrite: 12.5 }],
	['claude-fable-5', { input: 10, output: 50, cacheRead: 1, cacheWrite: 12.5 }],
	['claude-opus-5-5', { input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5 }],
	['claude-opus-5', OPUS_5],
	['claude-opus-4-8', OPUS_5],
	['claude-opus-4-7', OPUS_5],
	['claude-opus-4-6', OPUS_5],
	['claude-opus-4-5', OPUS_5],
	['claude-opus-4-1', OPUS_4],
	['claude-opus-4', OPUS_4],
	['claude-sonnet-5', { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 }],
	['claude-sonnet-4-6', SONNET_4],
	['claude-haiku-4-5', { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 }],
	['claude-3-5-haiku', { input: 0.8, output: 4, cacheRead: 0.08, cacheWrite: 1 }],
]);

/** A family and its dated releases; `claude-opus-5-9` is not an Opus 5. */
function priceOf(model: string): Price | undefined {
	return PRICES.get(model.replace(/-\d{8}$/, ''));
}

function costOf(usage: TokenUsage, price: Price): number {
	const microUsd =
		usage.input_tokens * price.input +
		usage.output_tokens * price.output +
		usage.cache_read_tokens * price.cacheRead +
		usage.cache_write_tokens * price.cacheWrite;
	return microUsd / 1_000_000;
}
