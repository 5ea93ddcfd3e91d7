// Adding up tokens: each message of the model counts once, however often it is reported.
import type { TokenUsage } from '@roost/protocol/feed/conversation';

/** Beyond this many messages the oldest are forgotten: a repeated report of one would count again. */
const MAX_REMEMBERED_MESSAGES = 100_000;

/** Every token is in exactly one field: `input_tokens` excludes tokens read from or written to a cache. */
export type UsageByModel = Readonly<Record<string, TokenUsage>>;

export type MessageUsage = { messageId?: string; model: string; usage: TokenUsage };

export type UsageTally = {
	readonly remembered: number;
	byModel: Map<string, TokenUsage>;
	messages: Map<string, { model: string; usage: TokenUsage }>;
};

export function createUsageTally(remembered = MAX_REMEMBERED_MESSAGES): UsageTally {
	return { remembered, byModel: new Map(), messages: new Map() };
}

/** The last report of a message replaces the earlier ones; a report without an id always counts. */
export function tallyMessage(tally: UsageTally, { messageId, model, usage }: MessageUsage): void {
	if (messageId !== undefined) {
		const earlier = tally.messages.get(messageId);
		if (earlier !== undefined) shift(tally, earlier.model, earlier.usage, -1);
		tally.messages.set(messageId, { model, usage: { ...usage } });
		forgetOldest(tally);
	}
	shift(tally, model, usage, 1);
}

export function toUsageByModel(tally: UsageTally): UsageByModel {
	return Object.fromEntries(
		tally.byModel
			.entries()
			.filter(([, usage]) => !isZero(usage))
			.map(([model, usage]) => [model, { ...usage }]),
	);
}

export function totalUsage(byModel: UsageByModel): TokenUsage {
	return Object.values(byModel).reduce(addUsage, zeroUsage());
}

export function addUsage(a: TokenUsage, b: TokenUsage): TokenUsage {
	return mergeUsage((left, right) => left + right, a, b);
}

/** Field by field. Without reasoning tokens in either, the result has none. */
export function mergeUsage(how: (left: number, right: number) => number, a: TokenUsage, b: TokenUsage): TokenUsage {
	const merged: TokenUsage = {
		input_tokens: how(a.input_tokens, b.input_tokens),
		output_tokens: how(a.output_tokens, b.output_tokens),
		cache_read_tokens: how(a.cache_read_tokens, b.cache_read_tokens),
		cache_write_tokens: how(a.cache_write_tokens, b.cache_write_tokens),
	};
	if (a.reasoning_tokens === undefined && b.reasoning_tokens === undefined) return merged;
	return { ...merged, reasoning_tokens: how(a.reasoning_tokens ?? 0, b.reasoning_tokens ?? 0) };
}

export function zeroUsage(): TokenUsage {
	return { input_tokens: 0, output_tokens: 0, cache_read_tokens: 0, cache_write_tokens: 0 };
}

function shift(tally: UsageTally, model: string, usage: TokenUsage, sign: 1 | -1): void {
	const before = tally.byModel.get(model) ?? zeroUsage();
	const after = mergeUsage((left, right) => left + sign * right, before, usage);
	tally.byModel.set(model, after);
}

function forgetOldest(tally: UsageTally): void {
	if (tally.messages.size <= tally.remembered) return;
	const oldest = tally.messages.keys().next();
	if (!oldest.done) tally.messages.delete(oldest.value);
}

export function isZero(usage: TokenUsage): boolean {
	return Object.values(usage).every((tokens) => tokens === 0);
}
