// A report of usage for people: one line for each group, a total, and what the numbers do not say.

import { homedir } from 'node:os';
import { short } from '@roost/core/display/amounts';
import { plural } from '@roost/core/display/plural';
import { sanitiseLine } from '@roost/core/display/sanitise';
import type { UsageGroup, UsageReport } from '@roost/protocol/api/usage';
import { wrap } from '../output/wrap.ts';
import { cutWithSign, widthOf } from '../tui/screen/text.ts';

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

/** Reasoning only where somebody reported it. */
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

/** With a plus where models without a price had a part in it. */
function cost({ costUsdEstimate: usd, unpriced, tokens }: Amounts): string {
	const isPriced = usd > 0 || unpriced.length === 0;
	if (!isPriced) return '?';
	const used = tokens.input_tokens + tokens.output_tokens + tokens.cache_read_tokens + tokens.cache_write_tokens;
	const money = usd < 0.005 && used > 0 ? '<$0.01' : `$${usd.toFixed(2)}`;
	return unpriced.length > 0 ? `${money}+` : money;
}

function nameOf({ key, title }: UsageGroup, by: UsageReport['by'], room: number): string {
	if (by === 'session') return fitted(sanitiseLine(title ? `${key}  ${title}` : key), room);
	if (by === 'project') return keepEnd(sanitiseLine(toHome(title ?? key)), room);
	return fitted(sanitiseLine(key || 'unknown'), room);
}

function fitted(text: string, width: number): string {
	return widthOf(text) <= width ? text : cutWithSign(text, width, '…');
}

function toHome(path: string): string {
	const home = homedir();
	return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

/** The end of a path says more than its beginning. */
function keepEnd(text: string, width: number): string {
	if (widthOf(text) <= width) return text;
	const letters = [...text];
	while (widthOf(letters.join('')) >= width) letters.shift();
	return `…${letters.join('')}`;
}

function notes({ total, pricesAsOf }: UsageReport, width: number): string[] {
	const sentences = [`What it cost is an estimate, at list prices of ${pricesAsOf}.`];
	if (total.unpriced.length > 0) {
		const models = total.unpriced.map((model) => sanitiseLine(model)).join(', ');
		sentences.push(`Counted and not priced (+), because no price is certain: ${models}.`);
	}
	return sentences.flatMap((sentence) => wrap(sentence, width));
}

function noneSentence({ since, until }: UsageReport): string {
	if (since !== undefined || until !== undefined) return 'Nothing was used on these days. See all of them with "roost usage".';
	return 'Nothing was used yet. Start a session with "roost claude", or see "roost demo".';
}
