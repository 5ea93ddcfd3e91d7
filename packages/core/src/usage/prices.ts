// Cost estimates at list price, from a table with the dates of its price lists.
import type { TokenUsage } from '@roost/protocol/feed/conversation';
import type { FeedData } from '@roost/protocol/feed/event';
import { totalUsage, type UsageByModel } from './tally.ts';

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

/** A model that is not in the table is listed in `unpriced`; its price is never guessed. */
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

/** An estimate only where every model has a price: a partial sum would look like the whole. */
export function toUsageUpdate(usage: UsageByModel): FeedData<'usage.update'> {
	const cost = estimateCost(usage);
	const priced = cost.unpriced.length === 0 ? { cost_usd_estimate: cost.usd, prices_as_of: cost.pricesAsOf } : {};
	return { total: totalUsage(usage), by_model: { ...usage }, ...priced };
}

/** USD per million tokens. */
type Price = { input: number; output: number; cacheRead: number; cacheWrite: number; asOf: string };

const OPUS_4 = anthropic({ input: 15, output: 75, cacheRead: 1.5, cacheWrite: 18.75 });
const OPUS_5 = anthropic({ input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 });
const GPT_5 = openai({ input: 1.25, output: 10, cacheRead: 0.125 });
const GPT_5_2 = openai({ input: 1.75, output: 14, cacheRead: 0.175 });

/**
 * Standard list prices (platform.claude.com, cache writes at the five-minute rate; developers.openai.com). Left out: models whose
 * published prices disagree (Sonnet 5.5), and those priced by the length of each prompt, which totals do not show (GPT-5.4 and later).
 */
const PRICES: ReadonlyMap<string, Price> = new Map([
	['claude-fable-5-1', anthropic({ input: 10, output: 50, cacheRead: 0.25, cacheWrite: 12.5 })],
	['claude-fable-5', anthropic({ input: 10, output: 50, cacheRead: 1, cacheWrite: 12.5 })],
	['claude-opus-5-5', anthropic({ input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5 })],
	...priced(OPUS_5, 'claude-opus-5 claude-opus-4-8 claude-opus-4-7 claude-opus-4-6 claude-opus-4-5'),
	...priced(OPUS_4, 'claude-opus-4-1 claude-opus-4'),
	['claude-sonnet-5', anthropic({ input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 })],
	['claude-sonnet-4-6', anthropic({ input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 })],
	['claude-haiku-4-5', anthropic({ input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 })],
	['claude-3-5-haiku', anthropic({ input: 0.8, output: 4, cacheRead: 0.08, cacheWrite: 1 })],
	...priced(GPT_5, 'gpt-5 gpt-5-codex gpt-5.1'),
	['gpt-5-mini', openai({ input: 0.25, output: 2, cacheRead: 0.025 })],
	['gpt-5-nano', openai({ input: 0.05, output: 0.4, cacheRead: 0.005 })],
	...priced(GPT_5_2, 'gpt-5.2 gpt-5.2-codex gpt-5.3-codex'),
	['gpt-5.4-mini', openai({ input: 0.75, output: 4.5, cacheRead: 0.075 })],
	['gpt-5.4-nano', openai({ input: 0.2, output: 1.25, cacheRead: 0.02 })],
	['codex-mini-latest', openai({ input: 1.5, output: 6, cacheRead: 0.375 })],
]);

function priced(price: Price, models: string): [string, Price][] {
	return models.split(' ').map((model) => [model, price]);
}

function anthropic(price: Omit<Price, 'asOf'>): Price {
	return { ...price, asOf: OF_ANTHROPIC };
}

/** Cache writes have no price of their own for these models: they are billed as input. */
function openai(price: Omit<Price, 'asOf' | 'cacheWrite'>): Price {
	return { ...price, cacheWrite: price.input, asOf: OF_OPENAI };
}

/** A family and its dated releases; `claude-opus-5-9` is not an Opus 5. Copilot writes `claude-opus-4.6`. */
function priceOf(model: string): Price | undefined {
	const family = model.replace(/-(\d{8}|\d{4}-\d\d-\d\d)$/, '');
	return PRICES.get(family.startsWith('claude-') ? family.replaceAll('.', '-') : family);
}

/** Reasoning tokens are part of the output tokens. */
function costOf(usage: TokenUsage, price: Price): number {
	const microUsd =
		usage.input_tokens * price.input +
		usage.output_tokens * price.output +
		usage.cache_read_tokens * price.cacheRead +
		usage.cache_write_tokens * price.cacheWrite;
	return microUsd / 1_000_000;
}
