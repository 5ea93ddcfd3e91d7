// Days without usage are absent in a report; a chart shows them as zero.
import type { UsageGroup } from '@roost/protocol/api/usage';

/** `at`: its start, in seconds. */
export type DayValue = { readonly day: string; readonly at: number; readonly group: UsageGroup | undefined };

/** Every day from the first to the last with usage. */
export function fillDays(groups: readonly UsageGroup[]): DayValue[] {
	const byDay = new Map(groups.map((group) => [group.key, group]));
	const [first, last] = [groups[0]?.key, groups.at(-1)?.key];
	if (first === undefined || last === undefined) return [];
	const days: DayValue[] = [];
	for (const date = new Date(`${first}T00:00`); toDay(date) <= last; date.setDate(date.getDate() + 1)) {
		const day = toDay(date);
		days.push({ day, at: date.getTime() / 1_000, group: byDay.get(day) });
	}
	return days;
}

function toDay(date: Date): string {
	const two = (part: number) => String(part).padStart(2, '0');
	return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
