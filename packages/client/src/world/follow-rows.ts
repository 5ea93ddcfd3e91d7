// A session as rows: its newest part or the part around one event, each event as it arrives, more pages on request, and its view.
// Above its first event are the rows of the session that it was forked or resumed from.
import { byteLength } from '@roost/core/display/byte-length';
import { hasRow, toFeedRow } from '@roost/core/views/feed-row';
import { createRowList, type RowList } from '@roost/core/views/row-list';
import type { SessionView } from '@roost/core/views/session-view';
import type { FeedPage } from '@roost/protocol/api/feed-rows';
import type { AppError } from '@roost/protocol/app-error';
import { type EventId, type SessionId, sessionStream } from '@roost/protocol/ids';
import type { StoredLine } from '@roost/protocol/stored-line';
import type { ApiClient } from '../api-client.ts';
import type { StreamClient } from '../stream-client.ts';
import { type Border, type Borders, type ContinuedApi, readContinuedRows } from './continued-rows.ts';
import { createLiveView } from './live-view.ts';
import type { Pause } from './read-older.ts';
import { readUntilDone } from './read-until-done.ts';
import { createStreamingText } from './streaming-text.ts';

export type SessionRows = {
	readonly id: SessionId;
	/** Grows in place. */
	readonly rows: RowList;
	/** The rows in it that are no events, but the end of a continued conversation; grows in place. */
	readonly borders: Borders;
	/** Folded in place as events arrive; undefined until it was read. */
	readonly view: SessionView | undefined;
	/** The offset of the oldest event that was read; 1 where there are no older ones, 0 until the first page was read. */
	readonly first: number;
	/** There may be older rows that were not read yet, of this session or of one that it continues. */
	readonly hasOlder: boolean;
	/** The offset of the newest event that was read. */
	readonly last: number;
	/** The offset of the newest event of the session; the same as `last` unless newer pages are missing. */
	readonly head: number;
	readonly loading: 'first' | 'older' | 'newer' | null;
	/** Text that is being streamed, by actor. */
	readonly streaming: ReadonlyMap<string, string>;
	/** Why the last read failed; null after one that succeeded. */
	readonly problem: AppError | null;
};

export type RowsFollow = {
	/** Another object after every change. */
	state(): SessionRows;
	/** Reads the page before the oldest row. Resolves when it was added, or the state has the problem. */
	readOlder(): Promise<void>;
	/** Reads the page after the newest event, where it is not the end of the session. */
	readNewer(): Promise<void>;
	end(): void;
};

export type FollowRowsDeps = {
	id: SessionId;
	/** Begins around this event; else at the end of the session. */
	at?: number | undefined;
	api: ContinuedApi & { feed: Pick<ApiClient['feed'], 'rows' | 'view'> };
	stream: Pick<StreamClient, 'follow' | 'onDelta'>;
	pause: Pause;
	/** Called after every change; must be cheap. */
	onChange: (state: SessionRows) => void;
};

/** Events of a page; more than any window shows. */
const PAGE = 500;
/** Of the first one: enough to scroll a little, and soon on screen. */
const FIRST_PAGE = 150;

export function followRows({ id, at, api, stream, pause, onChange }: FollowRowsDeps): RowsFollow {
	const streaming = createStreamingText();
	const live = createLiveView();
	const ends: (() => void)[] = [];
	const borders = new Map<EventId, Border>();
	let over = false;
	let reading: { work: () => Promise<void>; done: Promise<void> } | undefined;
	/** Lines that arrived while a newer page was read; null otherwise. */
	let arrived: StoredLine[] | null = null;
	let state: SessionRows = {
		id,
		rows: createRowList({ olderComes: true }),
		borders,
		view: undefined,
		first: 0,
		hasOlder: true,
		last: 0,
		head: 0,
		loading: 'first',
		streaming: streaming.byActor,
		problem: null,
	};

	function change(part: Partial<SessionRows>): void {
		state = { ...state, ...part };
		if (!over) onChange(state);
	}

	const until = { isOver: () => over, pause, onProblem: (problem: AppError) => change({ problem }) };
	let continued = readContinuedRows({ id, api, until });

	async function start(): Promise<void> {
		const place = at === undefined ? { limit: FIRST_PAGE } : { limit: PAGE, before: at + PAGE / 2 };
		const page = await readUntilDone(() => api.feed.rows({ id, ...place }), until);
		if (!page) return change({ loading: null });
		state = { ...state, last: page.last, head: page.head };
		addOlder(page);
		ends.push(stream.follow({ stream: sessionStream(id), after: page.head }, { onLine: take }));
		const view = await readUntilDone(() => live.read(() => api.feed.view({ id }), page.head), until);
		if (view) change({ view, problem: null });
	}

	function take(line: StoredLine): void {
		const { event, offset } = line;
		const isNext = state.last === offset - 1;
		if (isNext) addLive(line);
		else arrived?.push(line);
		live.take(line);
		streaming.takeStored(event);
		if (event.kind === 'session.native') lookAgain();
		change({ head: offset, ...(isNext ? { last: offset } : {}) });
	}

	function addLive(line: StoredLine): void {
		if (hasRow(line.event)) state.rows.add(toFeedRow(line, byteLength(JSON.stringify(line))));
	}

	function addOlder({ rows, first }: FeedPage): void {
		state.rows.addOlder(rows);
		if (first <= 1) state.rows.endOlder();
		change({ first, loading: null, problem: null });
	}

	/** An agent may report after its first events which past session it has resumed. */
	function lookAgain(): void {
		if (borders.size > 0) return;
		continued = readContinuedRows({ id, api, until });
		change({ hasOlder: true });
	}

	async function readOlderPage(): Promise<void> {
		change({ loading: 'older' });
		if (state.first <= 1) return await readContinuedPage();
		const page = await api.feed.rows({ id, before: state.first, limit: PAGE });
		if (over) return;
		if (page.ok) addOlder(page.value);
		else change({ loading: null, problem: page.error });
	}

	async function readContinuedPage(): Promise<void> {
		const pages = continued;
		const { value: page } = await pages.next();
		if (over) return;
		if (pages !== continued) return change({ loading: null });
		const [row] = page?.rows ?? [];
		if (page?.border && row) borders.set(row.event_id, page.border);
		if (page) state.rows.addOlder(page.rows);
		else state.rows.endOlder();
		change({ hasOlder: page !== undefined, loading: null, problem: null });
	}

	/** A page up to the end has every line that arrived before the request; later ones were kept. */
	async function readNewerPage(): Promise<void> {
		arrived = [];
		change({ loading: 'newer' });
		const page = await api.feed.rows({ id, after: state.last, limit: PAGE });
		const later = arrived;
		arrived = null;
		if (over) return;
		if (!page.ok) return change({ loading: null, problem: page.error });
		for (const row of page.value.rows) state.rows.add(row);
		let { last } = page.value;
		for (const line of later) {
			if (line.offset !== last + 1) continue;
			addLive(line);
			last = line.offset;
		}
		change({ last, head: Math.max(state.head, last), loading: null, problem: null });
	}

	/** One page at a time; requests for the same page share it. */
	async function read(work: () => Promise<void>, isMissing: () => boolean): Promise<void> {
		while (reading && reading.work !== work) await reading.done;
		if (over || !isMissing()) return;
		reading ??= { work, done: work().finally(() => (reading = undefined)) };
		await reading.done;
	}

	ends.push(
		stream.onDelta((event) => {
			if (event.session_id === id && streaming.takeDelta(event)) change({});
		}),
	);
	void start();

	return {
		state: () => state,
		readOlder: () => read(readOlderPage, () => state.first > 0 && state.hasOlder),
		readNewer: () => read(readNewerPage, () => state.first > 0 && state.last < state.head),
		end() {
			over = true;
			for (const one of ends) one();
		},
	};
}
