// Usage grouped by day, project, agent, model or session. Every token is in exactly one group.
import type { UsageBy, UsageGroup, UsageReport } from '@roost/protocol/api/usage';
import type { TokenUsage } from '@roost/protocol/feed/conversation';
import { estimateCost } from './prices.ts';
import { addUsage, totalUsage, zeroUsage } from './tally.ts';
import type { UsageDay } from './usage-days.ts';

/** A day's usage of one session, and where that session belongs. */
export type UsageRow = UsageDay & { sessionId: string; agent: string; projectId: string };

export function groupUsage(
	rows: readonly UsageRow[],
	by: UsageBy,
	titleOf: (key: string) => string | undefined = () => undefined,
): Pick<UsageReport, 'groups' | 'total' | 'pricesAsOf'> {
	const groups = [...Map.groupBy(rows, (row) => row[KEYS[by]])].map(([key, members]): UsageGroup => {
		const { pricesAsOf: _, ...amounts } = toAmounts(members);
		return { key, title: titleOf(key), ...amounts };
	});
	const { pricesAsOf, ...total } = toAmounts(rows);
	return { groups: groups.sort(by === 'day' ? oldestFirst : mostExpensiveFirst), total, pricesAsOf };
}

const KEYS = {
	day: 'day',
	project: 'projectId',
	agent: 'agent',
	model: 'model',
	session: 'sessionId',
} as const satisfies Record<UsageBy, keyof UsageRow>;

function toAmounts(rows: readonly UsageRow[]) {
	const models = new Map<string, TokenUsage>();
	for (const { model, usage } of rows) models.set(model, addUsage(models.get(model) ?? zeroUsage(), usage));
	const byModel = Object.fromEntries(models);
	const { usd, unpriced, pricesAsOf } = estimateCost(byModel);
	const sessions = new Set(rows.map(({ sessionId }) => sessionId)).size;
	return { tokens: totalUsage(byModel), costUsdEstimate: usd, unpriced: unpriced.sort(), sessions, pricesAsOf };
}

function oldestFirst(a: UsageGroup, b: UsageGroup): number {
	return a.key < b.key ? -1 : 1;
}

/** Groups of the same cost, such as those without prices, are sorted by tokens. */
function mostExpensiveFirst(a: UsageGroup, b: UsageGroup): number {
	return b.costUsdEstimate - a.costUsdEstimate || tokensOf(b) - tokensOf(a) || oldestFirst(a, b);
}

function tokensOf({ tokens }: UsageGroup): number {
	return tokens.input_tokens + tokens.output_tokens + tokens.cache_read_tokens + tokens.cache_write_tokens;
}
