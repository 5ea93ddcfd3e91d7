// Days without usage are absent in a report; a chart shows them as zero.
import type { UsageGroup } from '@roost/protocol/api/usage';

/** `at`: its start, in seconds. */
export type DayValue = { readonly day: string; readonly at: number; readonly group: UsageGroup | undefined };

/** Fewer would make a bar look like a day that is like all others. */
const FEWEST = 7;

/** Every day from the first to the last with usage, and days before them up to a week. */
export function fillDays(groups: readonly UsageGroup[]): DayValue[] {
	const byDay = new Map(groups.map((group) => [group.key, group]));
	const [first, last] = [groups[0]?.key, groups.at(-1)?.key];
	if (first === undefined || last === undefined) return [];
	const days: DayValue[] = [];
	const week = new Date(`${last}T00:00`);
	week.setDate(week.getDate() - FEWEST + 1);
	const [begin = first] = [toDay(week), first].toSorted();
	for (const date = new Date(`${begin}T00:00`); toDay(date) <= last; date.setDate(date.getDate() + 1)) {
		const day = toDay(date);
		days.push({ day, at: date.getTime() / 1_000, group: byDay.get(day) });
	}
	return days;
}

function toDay(date: Date): string {
	const two = (part: number) => String(part).padStart(2, '0');
	return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
