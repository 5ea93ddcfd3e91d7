// Which tokens fell on which day: a session reports totals, and each report adds to its day what is new in it.
import type { TokenUsage } from '@roost/protocol/feed/conversation';
import { mergeUsage, totalUsage, type UsageByModel, zeroUsage } from './tally.ts';

/** What one session used on one day by one model; `day` is `YYYY-MM-DD`. */
export type UsageDay = { day: string; model: string; usage: TokenUsage };

/** Totals of a session, as it reported them on a day. */
export type UsageOfDay = { day: string; byModel: UsageByModel };

/**
 * The rows that a report changes, whole. Afterwards the sum over all days is what the report says: where that is less than
 * before, the newest days give it back, so that no day is ever less than nothing.
 */
export function countReport(kept: readonly UsageDay[], report: UsageOfDay): UsageDay[] {
	const told = new Map(Object.entries(report.byModel));
	const models = new Set([...told.keys(), ...kept.map(({ model }) => model)]);
	return [...models].flatMap((model) => {
		const days = kept.filter((row) => row.model === model);
		return countModel(days, { day: report.day, model, usage: toCounts(told.get(model)) });
	});
}

function countModel(kept: readonly UsageDay[], { day, model, usage }: UsageDay): UsageDay[] {
	const before = totalUsage(Object.fromEntries(kept.map((row) => [row.day, row.usage])));
	let left = mergeUsage((now, then) => now - then, usage, before);
	if (isNothing(left)) return [];
	const newestFirst = [...kept].sort((a, b) => (a.day < b.day ? 1 : -1));
	const changed: UsageDay[] = [];
	for (const row of newestFirst) {
		const taken = mergeUsage((has, rest) => Math.max(-has, Math.min(0, rest)), row.usage, left);
		left = mergeUsage((rest, gone) => rest - gone, left, taken);
		if (!isNothing(taken)) changed.push({ ...row, usage: mergeUsage(plus, row.usage, taken) });
	}
	if (isNothing(left)) return changed;
	const today = changed.find((row) => row.day === day) ?? kept.find((row) => row.day === day);
	const added = { day, model, usage: mergeUsage(plus, today?.usage ?? zeroUsage(), left) };
	return [...changed.filter((row) => row.day !== day), added];
}

/** An agent may report anything; only whole amounts can be added up. */
function toCounts(usage: TokenUsage = zeroUsage()): TokenUsage {
	return mergeUsage((count) => (Number.isFinite(count) ? Math.max(0, Math.round(count)) : 0), usage, zeroUsage());
}

function plus(a: number, b: number): number {
	return a + b;
}

function isNothing(usage: TokenUsage): boolean {
	return Object.values(usage).every((count) => count === 0);
}
