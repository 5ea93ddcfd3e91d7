// Usage by day: a session reports totals, and each report adds the difference to its day.
import type { TokenUsage } from '@roost/protocol/feed/conversation';
import { addUsage, isZero, mergeUsage, totalUsage, type UsageByModel, zeroUsage } from './tally.ts';

/** The usage of one model on one day in one session; `day` is `YYYY-MM-DD`. */
export type UsageDay = { day: string; model: string; usage: TokenUsage };

/** Totals of a session, as it reported them on a day. */
export type UsageOfDay = { day: string; byModel: UsageByModel };

/**
 * The rows that a report changes. Afterwards the days add up to the total of the report: where that is lower than before,
 * the newest days are reduced first, and no day becomes negative.
 */
export function countReport(kept: readonly UsageDay[], report: UsageOfDay): UsageDay[] {
	const reported = new Map(Object.entries(report.byModel));
	const models = new Set([...reported.keys(), ...kept.map(({ model }) => model)]);
	return [...models].flatMap((model) => {
		const days = kept.filter((row) => row.model === model);
		return countModel(days, { day: report.day, model, usage: toCounts(reported.get(model)) });
	});
}

function countModel(kept: readonly UsageDay[], { day, model, usage }: UsageDay): UsageDay[] {
	const before = totalUsage(Object.fromEntries(kept.map((row) => [row.day, row.usage])));
	let left = mergeUsage((now, then) => now - then, usage, before);
	if (isZero(left)) return [];
	const newestFirst = [...kept].sort((a, b) => (a.day < b.day ? 1 : -1));
	const changed: UsageDay[] = [];
	for (const row of newestFirst) {
		const taken = mergeUsage((has, rest) => Math.max(-has, Math.min(0, rest)), row.usage, left);
		left = mergeUsage((rest, gone) => rest - gone, left, taken);
		if (!isZero(taken)) changed.push({ ...row, usage: addUsage(row.usage, taken) });
	}
	if (isZero(left)) return changed;
	const today = changed.find((row) => row.day === day) ?? kept.find((row) => row.day === day);
	const added = { day, model, usage: addUsage(today?.usage ?? zeroUsage(), left) };
	return [...changed.filter((row) => row.day !== day), added];
}

/** Agents may report any number; only whole, non-negative ones are added up. */
function toCounts(usage: TokenUsage = zeroUsage()): TokenUsage {
	return mergeUsage((count) => (Number.isFinite(count) ? Math.max(0, Math.round(count)) : 0), usage, zeroUsage());
}
