// roost feed: the events of one session, as text or as stored lines.
import { type Continued, continuedBy, isBefore, isLastOf, MOST_PARENTS } from '@roost/core/views/continued';
import { continuedWords } from '@roost/core/views/words';
import { AppError } from '@roost/protocol/app-error';
import type { FeedEvent } from '@roost/protocol/feed/event';
import type { EventId } from '@roost/protocol/ids';
import type { Result } from '@roost/protocol/result';
import type { SessionRow } from '@roost/protocol/session-row';
import { storedLine } from '@roost/protocol/stored-line';
import { unwrap } from '../output/exit.ts';
import { isPrinted, type LineStyle, styleFor, toFeedText } from '../output/feed-line.ts';
import { calledAs } from '../output/launcher.ts';
import { write } from '../output/print.ts';
import { openReader, type RecordedLine, type RecordReader, readStream } from '../record/reader.ts';

type FeedOptions = { after: string; kind?: string; verbose?: boolean; follow?: boolean; full?: boolean; json?: boolean };

export async function feed(session: string, options: FeedOptions): Promise<void> {
	const after = Number(options.after);
	if (!Number.isSafeInteger(after) || after < 0) {
		throw new AppError('usage', `--after takes a whole number from 0; it was "${options.after}".`);
	}
	await using record = unwrap(await openReader());
	const found = unwrap(await record.find(session));

	const wanted = kindFilter(options.kind);
	const style = { ...styleFor(process.stdout, process.env), full: options.full === true };
	const isShown = (event: FeedEvent) => wanted(event.kind) && Boolean(options.verbose || options.kind || isPrinted(event));
	if (after === 0 && !options.json) await writeContinued(record, found, isShown, style);
	if (options.follow) return (await import('./follow.ts')).follow(found.id, after, wanted, options);
	const isWanted = ({ line }: { line: string }) => !options.kind || wanted(storedLine.parse(JSON.parse(line)).event.kind);
	const toText = (page: readonly RecordedLine[]) =>
		inSpokenOrder(page.map(({ line }) => storedLine.parse(JSON.parse(line))).filter(({ event }) => isShown(event))).map(
			({ event }) => toFeedText(event, style),
		);
	for await (const page of readStream(record, found.id, after)) {
		const lines = unwrap(page);
		await write(process.stdout, options.json ? lines.filter(isWanted).map(({ line }) => line) : toText(lines));
	}
}

/** `permission.*` matches the family. */
function kindFilter(pattern: string | undefined): (kind: string) => boolean {
	if (!pattern) return () => true;
	if (pattern.endsWith('*')) return (kind) => kind.startsWith(pattern.slice(0, -1));
	return (kind) => kind === pattern;
}

/** In the order of the conversation: a message may be stored after the call that it announces. */
export function inSpokenOrder<Line extends { event: FeedEvent }>(lines: readonly Line[]): Line[] {
	const calls = new Set(lines.map(({ event }) => event.event_id));
	const before = Map.groupBy(lines, ({ event }) => announcedIn(calls, event));
	return (before.get(undefined) ?? []).flatMap((line) => [...(before.get(line.event.event_id) ?? []), line]);
}

function announcedIn(calls: ReadonlySet<EventId>, event: FeedEvent): EventId | undefined {
	const call = event.kind === 'agent.message' ? event.data.announces : undefined;
	return call !== undefined && calls.has(call) ? call : undefined;
}

type Step = { child: SessionRow; from: Continued; parent: SessionRow | undefined };

async function writeContinued(
	record: RecordReader,
	session: SessionRow,
	isShown: (event: FeedEvent) => boolean,
	style: LineStyle,
): Promise<void> {
	const steps = await stepsOf(record, session);
	for (const { child, from, parent } of steps.toReversed()) {
		for await (const page of parent ? parentPages(record, parent, child) : [])
			await write(
				process.stdout,
				page.filter(isShown).map((event) => toFeedText(event, style)),
			);
		await write(process.stdout, [`--- ${child.id} ${continuedWords(from)}${howToRead(from)} ---`]);
	}
}

async function stepsOf({ find }: RecordReader, session: SessionRow): Promise<Step[]> {
	const steps: Step[] = [];
	for (let child: SessionRow | undefined = session; child && steps.length < MOST_PARENTS; ) {
		const from = continuedBy(child);
		if (!from) break;
		const found: Result<SessionRow> | undefined = 'parentId' in from ? await find(from.parentId) : undefined;
		const parent: SessionRow | undefined = found?.ok ? found.value : undefined;
		steps.push({ child, from, parent });
		child = parent;
	}
	return steps;
}

async function* parentPages(record: RecordReader, parent: SessionRow, child: SessionRow): AsyncGenerator<FeedEvent[]> {
	for await (const page of readStream(record, parent.id, 0)) {
		if (!page.ok) return;
		const events = page.value
			.map(({ line }) => storedLine.parse(JSON.parse(line)).event)
			.filter((event) => isBefore(child, event));
		const last = events.findIndex((event) => isLastOf(child, event));
		yield last < 0 ? events : events.slice(0, last + 1);
		if (last >= 0 || events.length < page.value.length) return;
	}
}

function howToRead(from: Continued): string {
	return 'parentId' in from ? '' : ` (read it with "${calledAs()} projects open . ${from.nativeId}")`;
}
