// What was said before a session that was forked or resumed, printed above its own feed, the oldest first.
import { type Continued, continuedBy, isBefore, isLastOf } from '@roost/core/views/continued';
import type { FeedEvent } from '@roost/protocol/feed/event';
import type { SessionRow } from '@roost/protocol/session-row';
import { storedLine } from '@roost/protocol/stored-line';
import { calledAs } from '../output/called-as.ts';
import { continuedWords } from '../output/continued-words.ts';
import { type LineStyle, toFeedText } from '../output/feed-line.ts';
import { write } from '../output/write.ts';
import type { loadRecord } from '../runner/open-runner.ts';

type Record = Awaited<ReturnType<typeof loadRecord>>;
type Store = Parameters<Record['findSession']>[0];
type Step = { child: SessionRow; from: Continued; parent: SessionRow | undefined };

/** More forks of forks than anybody makes. */
const MOST_PARENTS = 20;

export async function writeContinued(
	store: Store,
	record: Pick<Record, 'findSession' | 'readStream'>,
	session: SessionRow,
	isShown: (event: FeedEvent) => boolean,
	style: LineStyle,
): Promise<void> {
	for (const { child, from, parent } of stepsOf(store, record, session).toReversed()) {
		for (const page of parent ? parentPages(store, record, parent, child) : [])
			await write(
				process.stdout,
				page.filter(isShown).map((event) => toFeedText(event, style)),
			);
		await write(process.stdout, [`--- ${child.id} ${continuedWords(from)}${howToRead(from)} ---`]);
	}
}

function stepsOf(store: Store, { findSession }: Pick<Record, 'findSession'>, session: SessionRow): Step[] {
	const steps: Step[] = [];
	for (let child: SessionRow | undefined = session; child && steps.length < MOST_PARENTS; ) {
		const from = continuedBy(child);
		if (!from) break;
		const found = 'parentId' in from ? findSession(store, from.parentId) : undefined;
		const parent: SessionRow | undefined = found?.ok ? found.value : undefined;
		steps.push({ child, from, parent });
		child = parent;
	}
	return steps;
}

function* parentPages(
	store: Store,
	{ readStream }: Pick<Record, 'readStream'>,
	parent: SessionRow,
	child: SessionRow,
): Generator<FeedEvent[]> {
	for (const page of readStream(store, parent.id, 0)) {
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
