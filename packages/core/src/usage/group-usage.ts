// What was used, put together by day, project, agent, model or session; every token is in exactly one group, whichever is asked for.
import type { UsageBy, UsageGroup, UsageReport } from '@roost/protocol/api/usage';
import { assertNever } from '@roost/protocol/assert-never';
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
	const groups = [...Map.groupBy(rows, (row) => keyOf(row, by))].map(([key, members]): UsageGroup => {
		const { pricesAsOf: _, ...amounts } = toAmounts(members);
		return { key, title: titleOf(key), ...amounts };
	});
	const { pricesAsOf, ...total } = toAmounts(rows);
	return { groups: groups.sort(by === 'day' ? oldestFirst : dearestFirst), total, pricesAsOf };
}

function keyOf(row: UsageRow, by: UsageBy): string {
	switch (by) {
		case 'day':
			return row.day;
		case 'project':
			return row.projectId;
		case 'agent':
			return row.agent;
		case 'model':
			return row.model;
		case 'session':
			return row.sessionId;
		default:
			return assertNever(by);
	}
}

function toAmounts(rows: readonly UsageRow[]) {
	const byModel = Object.fromEntries(
		[...Map.groupBy(rows, ({ model }) => model)].map(([model, members]) => [
			model,
			members.map(({ usage }) => usage).reduce(addUsage, zeroUsage()),
		]),
	);
	const { usd, unpriced, pricesAsOf } = estimateCost(byModel);
	const sessions = new Set(rows.map(({ sessionId }) => sessionId)).size;
	return { tokens: totalUsage(byModel), costUsdEstimate: usd, unpriced: unpriced.sort(), sessions, pricesAsOf };
}

function oldestFirst(a: UsageGroup, b: UsageGroup): number {
	return a.key < b.key ? -1 : 1;
}

/** Where the prices say nothing, those that used most come first. */
function dearestFirst(a: UsageGroup, b: UsageGroup): number {
	return b.costUsdEstimate - a.costUsdEstimate || tokensOf(b) - tokensOf(a) || oldestFirst(a, b);
}

function tokensOf({ tokens }: UsageGroup): number {
	return tokens.input_tokens + tokens.output_tokens + tokens.cache_read_tokens + tokens.cache_write_tokens;
}
