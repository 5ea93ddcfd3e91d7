// A report of usage in words: its figures, and how certain its prices are.
import type { UsageGroup, UsageReport } from '@roost/protocol/api/usage';
import type { TokenUsage } from '@roost/protocol/feed/conversation';
import { short } from '../display/amounts.ts';

type Amounts = Omit<UsageGroup, 'key' | 'title'>;

export function amountInWords(count: number): string {
	return count === 0 ? '-' : short(count);
}

/** A plus marks models without a known price. */
export function costInWords({ costUsdEstimate: usd, unpriced, tokens }: Amounts): string {
	const isPriced = usd > 0 || unpriced.length === 0;
	if (!isPriced) return '?';
	const money = usd < 0.005 && allTokens(tokens) > 0 ? '<$0.01' : `$${usd.toFixed(2)}`;
	return unpriced.length > 0 ? `${money}+` : money;
}

/** Reasoning is part of the output. */
export function allTokens(tokens: TokenUsage): number {
	return tokens.input_tokens + tokens.output_tokens + tokens.cache_read_tokens + tokens.cache_write_tokens;
}

/** Sentences below the figures. */
export function priceNotes({ total, pricesAsOf }: UsageReport): string[] {
	const estimate = `Cost is an estimate at list prices of ${pricesAsOf}.`;
	if (total.unpriced.length === 0) return [estimate];
	return [estimate, `Counted and not priced (+), because no price is certain: ${total.unpriced.join(', ')}.`];
}

/** A day of the local calendar; 0 is today. */
export function dayBack(days: number, now: number): string {
	const date = new Date(now);
	date.setDate(date.getDate() - days);
	return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
}
