// roost usage: tokens and estimated cost of everything on record.

import { calendarDay, type UsageQuery, usageBy } from '@roost/protocol/api/usage';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { fail } from '../output/exit.ts';
import { loadRecord, loadUsage } from '../runner/open-runner.ts';
import { usageTable } from './usage-table.ts';

export type UsageOptions = { by: string; since?: string; until?: string; json?: boolean };

export async function usage(options: UsageOptions): Promise<void> {
	const query = parseQuery(options, Date.now());
	if (!query.ok) return fail(query.error, options);
	const { openRecord } = await loadRecord();
	const record = openRecord(process.env);
	if (!record.ok) return fail(record.error, options);
	await using store = record.value;
	const { readUsage } = await loadUsage();
	const report = readUsage(store, query.value);
	if (!report.ok) return fail(report.error, options);
	const text = options.json ? JSON.stringify(report.value) : usageTable(report.value, process.stdout.columns ?? 80);
	process.stdout.write(`${text}\n`);
}

export function parseQuery({ by, since, until }: UsageOptions, now: number): Result<UsageQuery> {
	const group = usageBy.safeParse(by);
	if (!group.success) return refuse(`--by takes ${usageBy.options.join(', ')}; it was "${by}".`);
	const [from, to] = [toDay(since, now), toDay(until, now)];
	if (from === null) return refuse(`--since ${TAKES_A_DAY}; it was "${since}".`);
	if (to === null) return refuse(`--until ${TAKES_A_DAY}; it was "${until}".`);
	if (from !== undefined && to !== undefined && from > to) return refuse(`--since ${from} is after --until ${to}: swap them.`);
	return ok({ by: group.data, since: from, until: to });
}

const TAKES_A_DAY = 'takes a day such as 2026-11-15, or how many days back, such as 7d';

/** Null where it is no day; `0d` is today. */
function toDay(given: string | undefined, now: number): string | undefined | null {
	if (given === undefined) return undefined;
	const back = /^(\d{1,4})d$/.exec(given)?.[1];
	if (back === undefined) return calendarDay.safeParse(given).data ?? null;
	const date = new Date(now);
	date.setDate(date.getDate() - Number(back));
	return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
}

function refuse(problem: string): Result<never> {
	return err(new AppError('usage', problem));
}
