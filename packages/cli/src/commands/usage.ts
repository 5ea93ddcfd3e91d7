// roost usage: tokens and estimated cost of everything on record.
import { plural } from '@roost/core/display/plural';
import { sanitiseLine } from '@roost/core/display/sanitise';
import { amountInWords, costInWords, dayBack, priceNotes } from '@roost/core/views/usage-report-words';
import { calendarDay, type UsageGroup, type UsageQuery, type UsageReport, usageBy } from '@roost/protocol/api/usage';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { unwrap } from '../output/exit.ts';
import { print } from '../output/print.ts';
import { toShortPath, wrap } from '../output/table.ts';
import { openReader } from '../record/reader.ts';
import { cutWithSign, widthOf } from '../tui/screen/text.ts';

type UsageOptions = { by: string; since?: string; until?: string; json?: boolean };

export async function usage(options: UsageOptions): Promise<void> {
	const query = unwrap(parseQuery(options, Date.now()));
	await using record = unwrap(await openReader());
	const report = unwrap(await record.usage(query));
	await print(options, report, [usageTable(report, process.stdout.columns ?? 80)]);
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

/** Null if it is no day; `0d` is today. */
function toDay(given: string | undefined, now: number): string | undefined | null {
	if (given === undefined) return undefined;
	const back = /^(\d{1,4})d$/.exec(given)?.[1];
	if (back === undefined) return calendarDay.safeParse(given).data ?? null;
	return dayBack(Number(back), now);
}

function refuse(problem: string): Result<never> {
	return err(new AppError('usage', problem));
}

type Amounts = Omit<UsageGroup, 'key' | 'title'>;

export function usageTable(report: UsageReport, width: number): string {
	if (report.groups.length === 0) return noneSentence(report);
	const columns = columnsOf(report);
	const room = Math.max(NARROWEST_NAME, width - columns.reduce((sum, column) => sum + GAP + column.width, 0));
	const names = report.groups.map((group) => nameOf(group, report.by, room));
	const total = fitted(`TOTAL, ${plural(report.total.sessions, 'session')}`, room);
	const wide = Math.max(...[...names, total].map(widthOf));
	const line = (name: string, cells: readonly string[]) =>
		[name + ' '.repeat(wide - widthOf(name)), ...cells].join(' '.repeat(GAP));
	const cellsOf = (amounts: Amounts) => columns.map((column) => column.of(amounts).padStart(column.width));
	const header = line(
		report.by.toUpperCase(),
		columns.map((column) => column.title.padStart(column.width)),
	);
	const rows = report.groups.map((group, at) => line(names[at] ?? '', cellsOf(group)));
	const rule = '─'.repeat(widthOf(header));
	return [
		header,
		...rows,
		rule,
		line(total, cellsOf(report.total)),
		'',
		...priceNotes(report).flatMap((sentence) => wrap(sanitiseLine(sentence), width)),
	].join('\n');
}

const GAP = 2;
const NARROWEST_NAME = 12;

type Column = { title: string; width: number; of(amounts: Amounts): string };

/** Reasoning only if it was reported. */
function columnsOf({ total }: UsageReport): Column[] {
	const reasoning: Column = { title: 'REASONING', width: 9, of: ({ tokens }) => amountInWords(tokens.reasoning_tokens ?? 0) };
	return [
		{ title: 'INPUT', width: 7, of: ({ tokens }) => amountInWords(tokens.input_tokens) },
		{ title: 'CACHED', width: 7, of: ({ tokens }) => amountInWords(tokens.cache_read_tokens) },
		{ title: 'WRITTEN', width: 7, of: ({ tokens }) => amountInWords(tokens.cache_write_tokens) },
		{ title: 'OUTPUT', width: 7, of: ({ tokens }) => amountInWords(tokens.output_tokens) },
		...(total.tokens.reasoning_tokens ? [reasoning] : []),
		{ title: 'ESTIMATE', width: 9, of: costInWords },
	];
}

function nameOf({ key, title }: UsageGroup, by: UsageReport['by'], room: number): string {
	if (by === 'session') return fitted(sanitiseLine(title ? `${key}  ${title}` : key), room);
	if (by === 'project') return keepEnd(sanitiseLine(toShortPath(title ?? key)), room);
	return fitted(sanitiseLine(key || 'unknown'), room);
}

function fitted(text: string, width: number): string {
	return widthOf(text) <= width ? text : cutWithSign(text, width, '…');
}

function keepEnd(text: string, width: number): string {
	if (widthOf(text) <= width) return text;
	const letters = [...text];
	while (widthOf(letters.join('')) >= width) letters.shift();
	return `…${letters.join('')}`;
}

function noneSentence({ since, until }: UsageReport): string {
	if (since !== undefined || until !== undefined) return 'No usage on these days. See all days with "roost usage".';
	return 'No usage yet. Start a session with "roost claude", or see "roost demo".';
}
