// roost asks: pending requests, with their command, diff or question.
import type { ApiClient } from '@roost/client/api-client';
import { questionsOf } from '@roost/core/answers/ask-questions';
import { age } from '@roost/core/display/age';
import { sanitiseLine } from '@roost/core/display/sanitise';
import { askTitle } from '@roost/core/views/ask-title';
import type { AskDetail } from '@roost/protocol/api/asks';
import type { AskRow } from '@roost/protocol/ask';
import { err, type Result } from '@roost/protocol/result';
import { hubOfAllRunners } from '../hub/target.ts';
import { unwrap } from '../output/exit.ts';
import { type LineStyle, styleFor } from '../output/feed-line.ts';
import { calledAs } from '../output/launcher.ts';
import { print, write } from '../output/print.ts';
import { toTable } from '../output/table.ts';
import { connect } from '../runner/connect.ts';
import { askInput } from '../tui/dialogs/ask-parts.ts';
import { createLazyRows } from '../tui/parts/lazy-rows.ts';
import { questionRows } from '../tui/renderers/questions.ts';
import type { Row } from '../tui/screen/row.ts';
import { createStyles, type Styles } from '../tui/screen/styles.ts';
import type { AsksAtHub } from './asks-at-hub.ts';
import { findAsk, noSuchAsk } from './find-ask.ts';

type Options = { json?: boolean };

/** Enough to decide most requests; `asks show` prints the rest. */
const MOST_LINES = 12;
const MOST_SHOWN = 10;

export async function asks(options: Options & { all?: boolean }): Promise<void> {
	const hub = hubOfAllRunners();
	if (hub !== undefined) return await printAll(unwrap(await openAtHub(hub)), options);
	const connected = unwrap(await connect({ start: false }));
	const rows = connected ? unwrap(await connected.api.asks.list({ all: options.all })) : [];
	if (options.json || rows.length === 0) return await print(options, rows, ['No pending requests.']);
	await write(process.stdout, [toTable(HEADER, rows.map(toCells(Date.now())))]);
	if (connected) await writePending(() => connected.api, rows);
}

async function openAtHub(url: string): Promise<Result<AsksAtHub>> {
	return (await import('./asks-at-hub.ts')).openAsksAtHub(url);
}

async function printAll({ list, apiOf }: AsksAtHub, options: Options & { all?: boolean }): Promise<void> {
	const rows = unwrap(await list(options.all ?? false));
	if (options.json || rows.length === 0) return await print(options, rows, ['No pending requests.']);
	const cells = toCells(Date.now());
	await write(process.stdout, [
		toTable(
			['RUNNER', ...HEADER],
			rows.map((row) => [row.runner.name, ...cells(row)]),
		),
	]);
	await writePending(apiOf, rows);
}

const HEADER = ['ASK', 'STATE', 'RISK', 'AGE', 'WHAT'];

function toCells(now: number) {
	return (row: AskRow): string[] => [row.id, row.state, row.risk, age(row.openedAt, now), askTitle(row)];
}

async function writePending<Ask extends AskRow>(apiOf: (ask: Ask) => ApiClient, rows: readonly Ask[]): Promise<void> {
	const pending = rows.filter(({ state }) => state === 'pending');
	for (const row of pending.slice(0, MOST_SHOWN)) {
		const shown = await apiOf(row).asks.show({ askId: row.id });
		const text = askText(shown.ok ? shown.value : row, styleFor(process.stdout, process.env), process.stdout.columns);
		const more = text.isLonger(MOST_LINES) ? [`  … run "${calledAs()} asks show ${row.id}" for the rest`] : [];
		await write(process.stdout, ['', row.id, ...text.take(MOST_LINES), ...more]);
	}
	const left = pending.length - MOST_SHOWN;
	if (left > 0) await write(process.stdout, ['', `… and ${left} more: show one with "${calledAs()} asks show <ask>"`]);
}

export async function showAsk(given: string, options: Options): Promise<void> {
	const ask = unwrap(await findDetail(given));
	if (options.json) return await write(process.stdout, [JSON.stringify(ask)]);
	const text = askText(ask, styleFor(process.stdout, process.env), process.stdout.columns);
	await write(process.stdout, [toTable(['ASK', ask.id], describe(ask, Date.now())), '', ...text.take(Number.MAX_SAFE_INTEGER)]);
	if (ask.state === 'pending') await write(process.stdout, ['', howToDecide(ask)]);
}

async function findDetail(given: string): Promise<Result<AskDetail>> {
	const hub = hubOfAllRunners();
	if (hub !== undefined) {
		const found = await unwrap(await openAtHub(hub)).find(given);
		return found.ok ? await found.value.api.asks.show({ askId: found.value.ask.id }) : found;
	}
	const connected = unwrap(await connect({ start: false }));
	if (!connected) return err(noSuchAsk(given));
	const found = await findAsk(connected.api, given);
	return found.ok ? await connected.api.asks.show({ askId: found.value.id }) : found;
}

function describe(ask: AskDetail, now: number): string[][] {
	const { state, decidedBy, decidedAt, expiresAt, openedAt } = ask;
	const decided = `${state}${decidedBy ? ` by ${decidedBy}` : ''}${decidedAt ? `, ${age(decidedAt, now)} ago` : ''}`;
	return [
		['session', ask.sessionId],
		['from', ask.actorId],
		['tool', ask.tool],
		['risk', ask.risk],
		['reason', ask.reason || '-'],
		['asked', `${age(openedAt, now)} ago`],
		['state', state === 'pending' ? `pending, expires in ${age(now, expiresAt)}` : decided],
	];
}

/** The text of an agent is never part of a suggested command. */
function howToDecide({ id, kind }: AskDetail): string {
	const roost = calledAs();
	return kind === 'question'
		? `Answer with "${roost} answer ${id} --set "Question=Answer"", once for each question.`
		: `Approve with "${roost} allow ${id}", deny with "${roost} deny ${id}".`;
}

/** Programs read whole lines, so nothing is wrapped for them. */
const WIDEST = 10_000;

function askText(ask: AskDetail, style: LineStyle, columns: number = WIDEST) {
	const styles = createStyles({ theme: 'dark', colour: style.colour, ascii: false });
	const questions = ask.kind === 'question' ? questionsOf(ask) : [];
	const rows =
		questions.length > 0
			? createLazyRows(questionRows(questions, columns - MARGIN.length, styles))
			: askInput(ask, columns - MARGIN.length, styles);
	return {
		take: (most: number) => rows.take(0, most).map((row) => toLine(row, styles, style)),
		isLonger: (most: number) => rows.count(most + 1) > most,
	};
}

const MARGIN = '  ';

function toLine(row: Row, styles: Styles, { colour }: LineStyle): string {
	const parts = row.map(({ text, tone }) => (colour ? styles.paint(tone, sanitiseLine(text)) : sanitiseLine(text)));
	return `${MARGIN}${parts.join('')}`.trimEnd();
}
