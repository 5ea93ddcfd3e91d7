// Past sessions of this project, from the transcripts of agents; one can be opened read-only. Nothing is recorded.
import { isBefore } from '@roost/core/views/continued';
import { createFeedList } from '@roost/core/views/feed-list';
import { createSessionView, foldSessionView } from '@roost/core/views/session-view';
import type { FoundProjectId, PastSession } from '@roost/protocol/api/projects';
import type { FeedEvent } from '@roost/protocol/feed/event';
import { sessionId } from '@roost/protocol/ids';
import { ok, type Result } from '@roost/protocol/result';
import type { SessionRow } from '@roost/protocol/session-row';
import type { ApiClient } from '../api-client.ts';
import type { SessionFollow } from './follow-session.ts';
import type { Notice } from './notice.ts';
import type { Pause, ReadContinued } from './read-older.ts';
import type { OpenSession, PastSessions, World } from './world.ts';

export type PastWatch = {
	/** Reads the list, unless that is in progress. */
	read(): Promise<void>;
	/** The events of a past session before that session resumed it; none if it is not of this project. */
	readEvents: ReadContinued['readPast'];
	follow(session: PastSession, onChange: (open: OpenSession) => void): SessionFollow;
};

export type PastWatchDeps = {
	api: ApiClient['projects'];
	project: World['project'];
	now: () => number;
	pause: Pause;
	notify: (notice: Notice) => void;
	onChange: (facts: { past: PastSessions }) => void;
};

const LOOK_EVERY_MS = 200;
/** Scan again if the last scan is older. */
const SCAN_AGAIN_MS = 60_000;
const PAGE = 500;

export function watchPast(deps: PastWatchDeps): PastWatch {
	const { api, now, notify } = deps;
	let known: PastSessions = { sessions: [], looking: false, readAt: 0 };
	let project: FoundProjectId | undefined;

	function change(part: Partial<PastSessions>): void {
		known = { ...known, ...part };
		deps.onChange({ past: known });
	}

	async function read(): Promise<void> {
		if (known.looking) return;
		change({ looking: true });
		const found = await findProject();
		const listed = found.ok && found.value ? await api.sessions({ id: found.value }) : ok({ sessions: [] });
		if (found.ok) project = found.value;
		const failed = found.ok ? listed : found;
		if (!failed.ok) notify({ type: 'failed', message: failed.error.message });
		change({ looking: false, readAt: now(), ...(failed.ok && listed.ok ? { sessions: listed.value.sessions } : {}) });
	}

	/** An unknown project may be newer than the last scan; but scans of the whole machine are limited. */
	async function findProject(): Promise<Result<FoundProjectId | undefined>> {
		let listed = await api.list();
		const find = () => (listed.ok ? listed.value.projects.find(({ path }) => path === deps.project.path)?.id : undefined);
		if (listed.ok && find() === undefined && isOld(listed.value.scannedAt)) listed = await api.scan();
		while (listed.ok && listed.value.scanning) {
			await deps.pause(LOOK_EVERY_MS);
			listed = await api.list();
		}
		return listed.ok ? ok(find()) : listed;
	}

	function isOld(scannedAt: number | null): boolean {
		return scannedAt === null || now() - scannedAt >= SCAN_AGAIN_MS;
	}

	async function readEvents(nativeId: string, child: SessionRow): Promise<readonly FeedEvent[]> {
		const listed = await api.list();
		const found = listed.ok ? listed.value.projects.find(({ path }) => path === child.projectPath)?.id : undefined;
		const events: FeedEvent[] = [];
		for (let after = 0, more = found !== undefined; more && found; ) {
			const page = await api.events({ id: found, nativeId, after, limit: PAGE });
			if (!page.ok) break;
			const before = page.value.events.filter(({ event }) => isBefore(child, event));
			for (const { event } of before) events.push(event);
			after = page.value.events.at(-1)?.offset ?? after;
			more = page.value.more && before.length > 0;
		}
		return events;
	}

	return {
		read,
		readEvents,
		follow: (session, onChange) => followPast(session, { readPage, notify, onChange }),
	};

	async function readPage(session: PastSession, after: number) {
		return project === undefined
			? ok({ events: [], more: false })
			: await api.events({ id: project, nativeId: session.nativeId, after, limit: PAGE });
	}
}

type FollowPast = {
	readPage: (session: PastSession, after: number) => ReturnType<ApiClient['projects']['events']>;
	notify: (notice: Notice) => void;
	onChange: (open: OpenSession) => void;
};

/** Page by page from the start; it does not grow during the read. */
function followPast(past: PastSession, { readPage, notify, onChange }: FollowPast): SessionFollow {
	let over = false;
	const id = sessionId.parse(past.nativeId);
	let open: OpenSession = {
		id,
		past,
		row: undefined,
		view: createSessionView(id),
		feed: createFeedList(),
		loading: { read: 0, total: past.messages },
		streaming: new Map(),
	};

	function change(part: Partial<OpenSession>): void {
		open = { ...open, ...part };
		onChange(open);
	}

	async function start(): Promise<void> {
		for (let read = 0, more = true; more; ) {
			const page = await readPage(past, read);
			if (over) return;
			if (!page.ok) notify({ type: 'failed', message: page.error.message });
			const events = page.ok ? page.value.events : [];
			for (const { event } of events) {
				open.feed.add(event);
				foldSessionView(open.view, event);
			}
			read = events.at(-1)?.offset ?? read;
			more = page.ok && page.value.more && events.length > 0;
			change({ loading: more ? { read, total: past.messages } : null });
		}
	}
	void start();

	function end(): void {
		over = true;
	}

	return { open: () => open, end };
}
