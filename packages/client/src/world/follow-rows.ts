// A session as rows: its newest part at once, every event as it arrives, older pages on request, and its view.
import { byteLength } from '@roost/core/display/byte-length';
import { hasRow, toFeedRow } from '@roost/core/views/feed-row';
import { createRowList, type RowList } from '@roost/core/views/row-list';
import { foldSessionView, type SessionView } from '@roost/core/views/session-view';
import { parseView } from '@roost/core/views/view-json';
import type { FeedPage } from '@roost/protocol/api/feed-rows';
import { AppError } from '@roost/protocol/app-error';
import { type SessionId, sessionStream } from '@roost/protocol/ids';
import type { StoredLine } from '@roost/protocol/stored-line';
import type { Reply } from '../api-call.ts';
import type { ApiClient } from '../api-client.ts';
import type { StreamClient } from '../stream-client.ts';
import type { Pause } from './read-older.ts';
import { createStreamingText } from './streaming-text.ts';

export type SessionRows = {
	readonly id: SessionId;
	/** Grows in place. */
	readonly rows: RowList;
	/** Folded in place as events arrive; undefined until it was read. */
	readonly view: SessionView | undefined;
	/** The offset of the oldest event that was read; 1 where there are no older ones, 0 until the first page was read. */
	readonly first: number;
	/** The offset of the newest event that was read. */
	readonly head: number;
	readonly loading: 'newest' | 'older' | null;
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
	end(): void;
};

export type FollowRowsDeps = {
	id: SessionId;
	api: Pick<ApiClient['feed'], 'rows' | 'view'>;
	stream: Pick<StreamClient, 'follow' | 'onDelta'>;
	pause: Pause;
	/** Called after every change; must be cheap. */
	onChange: (state: SessionRows) => void;
};

/** Events of a page; more than any window shows. */
const PAGE = 500;
const RETRY_MS = 500;

export function followRows({ id, api, stream, pause, onChange }: FollowRowsDeps): RowsFollow {
	const streaming = createStreamingText();
	const ends: (() => void)[] = [];
	let over = false;
	let older: Promise<void> | undefined;
	let state: SessionRows = {
		id,
		rows: createRowList({ olderComes: true }),
		view: undefined,
		first: 0,
		head: 0,
		loading: 'newest',
		streaming: streaming.byActor,
		problem: null,
	};
	/** Lines that came before the view. */
	let unfolded: StoredLine[] = [];
	/** The view has the lines up to it. */
	let viewOffset = 0;

	function change(part: Partial<SessionRows>): void {
		state = { ...state, ...part };
		if (!over) onChange(state);
	}

	/** Undefined once it is over, or where a retry cannot help. */
	async function readUntilDone<T>(read: () => Promise<Reply<T>>): Promise<T | undefined> {
		while (!over) {
			const reply = await read();
			if (over) break;
			if (reply.ok) return reply.value;
			change({ problem: reply.error });
			if (reply.error.code === 'not_found' || reply.error.code === 'denied') break;
			await pause(RETRY_MS);
		}
		return undefined;
	}

	async function start(): Promise<void> {
		const newest = await readUntilDone(() => api.rows({ id, limit: PAGE }));
		if (!newest) return change({ loading: null });
		addOlder(newest);
		change({ head: newest.last });
		ends.push(stream.follow({ stream: sessionStream(id), after: newest.last }, { onLine: take }));
		await readView(newest.last);
	}

	/** The view is read after the page, so it is of the same events or of more. */
	async function readView(atLeast: number): Promise<void> {
		const read = await readUntilDone(async () => {
			const reply = await api.view({ id });
			return reply.ok && reply.value.offset < atLeast ? { ok: false, error: behind() } : reply;
		});
		if (!read) return;
		const view = parseView(read.view);
		if (!view) return change({ problem: otherVersion() });
		for (const line of unfolded) if (line.offset > read.offset) foldSessionView(view, line.event);
		unfolded = [];
		viewOffset = read.offset;
		change({ view });
	}

	function take(line: StoredLine): void {
		const { event, offset } = line;
		if (hasRow(event)) state.rows.add(toFeedRow(line, byteLength(JSON.stringify(line))));
		if (!state.view) unfolded.push(line);
		else if (offset > viewOffset) foldSessionView(state.view, event);
		streaming.takeStored(event);
		change({ head: offset });
	}

	function addOlder({ rows, first }: FeedPage): void {
		state.rows.addOlder(rows);
		if (first <= 1) state.rows.endOlder();
		change({ first, loading: null, problem: null });
	}

	async function readOlderPage(): Promise<void> {
		change({ loading: 'older' });
		const page = await api.rows({ id, before: state.first, limit: PAGE });
		if (over) return;
		if (page.ok) addOlder(page.value);
		else change({ loading: null, problem: page.error });
	}

	ends.push(
		stream.onDelta((event) => {
			if (event.session_id === id && streaming.takeDelta(event)) change({});
		}),
	);
	void start();

	return {
		state: () => state,
		async readOlder() {
			if (over || state.first <= 1) return;
			older ??= readOlderPage().finally(() => {
				older = undefined;
			});
			await older;
		},
		end() {
			over = true;
			for (const one of ends) one();
		},
	};
}

function behind(): AppError {
	return new AppError('internal', 'The state of the session is behind its feed. Retrying.');
}

function otherVersion(): AppError {
	return new AppError('internal', 'The state of the session has another form. Reload, so that both have one version.');
}
