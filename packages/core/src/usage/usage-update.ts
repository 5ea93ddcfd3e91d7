// What a session used so far, as the feed tells it.
import type { FeedData } from '@roost/protocol/feed/event';
import { estimateCost } from './prices.ts';
import { totalUsage, type UsageByModel } from './tally.ts';

/** An estimate only where every model has a price: a partial sum would look like the whole. */
export function toUsageUpdate(usage: UsageByModel): FeedData<'usage.update'> {
	const cost = estimateCost(usage);
	const priced = cost.unpriced.length === 0 ? { cost_usd_estimate: cost.usd, prices_as_of: cost.pricesAsOf } : {};
	return { total: totalUsage(usage), by_model: { ...usage }, ...priced };
}
