// What the session used so far, as last reported.
import type { TokenUsage } from '@roost/protocol/feed/conversation';
import type { FeedEventOf } from '@roost/protocol/feed/event';
import { zeroUsage } from '../usage/tally.ts';

export type SessionUsage = {
	total: TokenUsage;
	byModel: Readonly<Record<string, TokenUsage>>;
	costUsdEstimate?: number;
	pricesAsOf?: string;
};

export function createSessionUsage(): SessionUsage {
	return { total: zeroUsage(), byModel: {} };
}

/** Reports are totals: the last one stands for all before it. */
export function toSessionUsage(event: FeedEventOf<'usage.update'>): SessionUsage {
	const { total, by_model: byModel, cost_usd_estimate: costUsdEstimate, prices_as_of: pricesAsOf } = event.data;
	return { total, byModel, costUsdEstimate, pricesAsOf };
}
