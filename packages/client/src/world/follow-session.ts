// The open session: its newest part at once, every event as it arrives, and the older part in the background.
import { type Continued, continuedBy } from '@roost/core/views/continued';
import { createFeedList } from '@roost/core/views/feed-list';
import { createSessionView, foldSessionView, type SessionView } from '@roost/core/views/session-view';
import type { FeedEvent } from '@roost/protocol/feed/event';
import { type RunId, type SessionId, sessionStream } from '@roost/protocol/ids';
import type { SessionRow } from '@roost/protocol/session-row';
import type { StoredLine } from '@roost/protocol/stored-line';
import type { ApiClient } from '../api-client.ts';
import type { StreamClient } from '../stream-client.ts';
import { type Pause, type ReadContinued, readContinued, readOlder } from './read-older.ts';
import { createStreamingText } from './streaming-text.ts';
import type { OpenSession } from './world.ts';

export type SessionFollow = { open(): OpenSession; end(): void };

export type FollowDeps = {
	id: SessionId;
	/** As it was listed, perhaps a while ago. */
	row: SessionRow | undefined;
	api: Pick<ApiClient, 'record' | 'feed'>;
	stream: Pick<StreamClient, 'follow' | 'onDelta'>;
	/** The agent's own transcript of a conversation that is not on record. */
	readPast: ReadContinued['readPast'];
	pause: Pause;
	onChange: (open: OpenSession) => void;
};

/** More than any window shows. */
const NEWEST = 500;

export function followSession({ id, row, api, stream, readPast, pause, onChange }: FollowDeps): SessionFollow {
	const ends: (() => void)[] = [];
	let over = false;
	const streaming = createStreamingText();
	let open: OpenSession = {
		id,
		row,
		view: createSessionView(id),
		feed: createFeedList(),
		loading: { read: 0, total: row?.events ?? 0 },
		streaming: streaming.byActor,
	};

	function change(part: Partial<OpenSession>): void {
		open = { ...open, ...part };
		if (!over) onChange(open);
	}

	function end(): void {
		over = true;
		for (const one of ends) one();
	}

	async function start(): Promise<void> {
		const fresh = await api.record.session({ id });
		if (over) return;
		const known = fresh.ok ? fresh.value : row;
		const total = known?.events ?? 0;
		const before = Math.max(0, total - NEWEST);
		change({ row: known, loading: { read: 0, total }, feed: createFeedList({ olderComes: before > 0 }) });
		if (known && before > 0) await followFromMiddle(known, before);
		else await followFromStart();
		if (known && continuedBy(known)) await showContinued(known);
	}

	/** Adds the continued conversation above its own events, which are complete now; the view is of its own events only. */
	async function showContinued(known: SessionRow): Promise<void> {
		const continued = new Map<number, Continued>();
		await readContinued(
			known,
			{ api, readPast, isOver: () => over, pause },
			{
				onFrom: (from) => change({ continued: new Map(continued.set(open.feed.first, from)) }),
				onPage(page) {
					open.feed.addOlder(page);
					change({});
				},
			},
		);
		open.feed.endOlder();
		change({});
	}

	async function followFromStart(): Promise<void> {
		const caughtUp = Promise.withResolvers<void>();
		let read = 0;
		follow(
			0,
			({ event }) => {
				read += 1;
				foldSessionView(open.view, event);
				return { loading: open.loading && { ...open.loading, read } };
			},
			() => {
				change({ loading: null });
				caughtUp.resolve();
			},
		);
		await caughtUp.promise;
	}

	/** Until everything is read, the view covers only the end; then all events are folded once in order and replace it. */
	async function followFromMiddle(known: SessionRow, before: number): Promise<void> {
		const tail: StoredLine['event'][] = [];
		const caughtUp = Promise.withResolvers<void>();
		let older = 0;
		let whole = false;
		const progress = () => ({ loading: whole ? null : { read: older + tail.length, total: before + tail.length } });
		follow(
			before,
			({ event, offset }) => {
				foldSessionView(open.view, event);
				if (offset === known.events) applyRow(open.view, known, event.run_id);
				if (whole) return {};
				tail.push(event);
				return progress();
			},
			caughtUp.resolve,
		);
		await caughtUp.promise;
		const pages = await readOlder({ id, feed: api.feed, before, isOver: () => over, pause }, (page) => {
			open.feed.addOlder(page);
			older += page.length;
			change(progress());
		});
		open.feed.endOlder();
		const view = await foldInSlices(id, [...pages, tail], { isOver: () => over, pause });
		whole = true;
		change({ view, loading: null });
	}

	function follow(after: number, onLine: (line: StoredLine) => Partial<OpenSession>, onCaughtUp: () => void): void {
		const end = stream.follow(
			{ stream: sessionStream(id), after },
			{
				onLine(line) {
					open.feed.add(line.event);
					streaming.takeStored(line.event);
					change(onLine(line));
				},
				onCaughtUp,
			},
		);
		ends.push(end);
	}

	const endDeltas = stream.onDelta((event) => {
		if (event.session_id === id && streaming.takeDelta(event)) change({});
	});
	ends.push(endDeltas);
	void start();

	return { open: () => open, end };
}

const SLICE = 2_000;

/** The last list may grow during the fold: everything in it on return was folded. */
export async function foldInSlices(
	id: SessionId,
	lists: readonly (readonly FeedEvent[])[],
	{ isOver, pause }: { isOver: () => boolean; pause: Pause },
): Promise<SessionView> {
	const view = createSessionView(id);
	let folded = 0;
	for (const list of lists) {
		for (const event of list) {
			foldSessionView(view, event);
			folded += 1;
			if (folded % SLICE === 0) await pause(0);
			if (isOver()) return view;
		}
	}
	return view;
}

/** Called when the view has reached the event count of the row; `run` is the run of the last event. */
export function applyRow({ state, summary, nativeIds }: SessionView, row: SessionRow, run: RunId): void {
	summary.title = row.title;
	summary.model = row.model ?? summary.model;
	summary.firstTs = row.startedAt;
	summary.events = row.events;
	nativeIds.splice(0, nativeIds.length, ...row.nativeIds);
	state.status = row.status;
	state.ended = row.status === 'ended';
	state.interrupted = row.status === 'interrupted';
	state.lastRun = row.lastRun;
	state.openRun = row.status === 'working' || row.status === 'waiting' ? run : undefined;
}
