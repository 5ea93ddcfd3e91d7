// roost usage: tokens and estimated cost of everything on record.
import { short } from '@roost/core/display/amounts';
import { plural } from '@roost/core/display/plural';
import { sanitiseLine } from '@roost/core/display/sanitise';
import { calendarDay, type UsageGroup, type UsageQuery, type UsageReport, usageBy } from '@roost/protocol/api/usage';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { unwrap } from '../output/exit.ts';
import { print } from '../output/print.ts';
import { toShortPath, wrap } from '../output/table.ts';
import { loadRecord, loadUsage } from '../runner/open-runner.ts';
import { cutWithSign, widthOf } from '../tui/screen/text.ts';

type UsageOptions = { by: string; since?: string; until?: string; json?: boolean };

export async function usage(options: UsageOptions): Promise<void> {
	const query = unwrap(parseQuery(options, Date.now()));
	const { openRecord } = await loadRecord();
	const record = unwrap(openRecord(process.env));
	await using store = record;
	const { readUsage } = await loadUsage();
	const report = unwrap(readUsage(store, query));
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
	const date = new Date(now);
	date.setDate(date.getDate() - Number(back));
	return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
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
	return [header, ...rows, rule, line(total, cellsOf(report.total)), '', ...notes(report, width)].join('\n');
}

const GAP = 2;
const NARROWEST_NAME = 12;

type Column = { title: string; width: number; of(amounts: Amounts): string };

/** Reasoning only if it was reported. */
function columnsOf({ total }: UsageReport): Column[] {
	const reasoning: Column = { title: 'REASONING', width: 9, of: ({ tokens }) => amount(tokens.reasoning_tokens ?? 0) };
	return [
		{ title: 'INPUT', width: 7, of: ({ tokens }) => amount(tokens.input_tokens) },
		{ title: 'CACHED', width: 7, of: ({ tokens }) => amount(tokens.cache_read_tokens) },
		{ title: 'WRITTEN', width: 7, of: ({ tokens }) => amount(tokens.cache_write_tokens) },
		{ title: 'OUTPUT', width: 7, of: ({ tokens }) => amount(tokens.output_tokens) },
		...(total.tokens.reasoning_tokens ? [reasoning] : []),
		{ title: 'ESTIMATE', width: 9, of: cost },
	];
}

function amount(count: number): string {
	return count === 0 ? '-' : short(count);
}

/** A plus marks models without a known price. */
function cost({ costUsdEstimate: usd, unpriced, tokens }: Amounts): string {
	const isPriced = usd > 0 || unpriced.length === 0;
	if (!isPriced) return '?';
	const used = tokens.input_tokens + tokens.output_tokens + tokens.cache_read_tokens + tokens.cache_write_tokens;
	const money = usd < 0.005 && used > 0 ? '<$0.01' : `$${usd.toFixed(2)}`;
	return unpriced.length > 0 ? `${money}+` : money;
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

function notes({ total, pricesAsOf }: UsageReport, width: number): string[] {
	const sentences = [`Cost is an estimate at list prices of ${pricesAsOf}.`];
	if (total.unpriced.length > 0) {
		const models = total.unpriced.map((model) => sanitiseLine(model)).join(', ');
		sentences.push(`Counted and not priced (+), because no price is certain: ${models}.`);
	}
	return sentences.flatMap((sentence) => wrap(sentence, width));
}

function noneSentence({ since, until }: UsageReport): string {
	if (since !== undefined || until !== undefined) return 'No usage on these days. See all days with "roost usage".';
	return 'No usage yet. Start a session with "roost claude", or see "roost demo".';
}
