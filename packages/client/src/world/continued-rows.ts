// The rows above the beginning of a session: of the session that it was forked or resumed from, of the one before that, and so on.
import { ROOT_AGENT } from '@roost/core/feed/entities';
import { type Continued, continuedBy, isBefore, isLastOf, MOST_PARENTS } from '@roost/core/views/continued';
import type { FeedRow } from '@roost/protocol/api/feed-rows';
import type { FoundProjectId } from '@roost/protocol/api/projects';
import { type EventId, eventId, runId, type SessionId } from '@roost/protocol/ids';
import type { SessionRow } from '@roost/protocol/session-row';
import type { ApiClient } from '../api-client.ts';
import { type ReadUntil, readUntilDone } from './read-until-done.ts';

/** The kind of a row that is no event: the rows above it are of the conversation that is continued. */
export const BORDER = 'session.continued';

export type Border = Continued & {
	/** Where its past session can be read. */
	readonly project?: FoundProjectId | undefined;
};

/** By the row that shows it. */
export type Borders = ReadonlyMap<EventId, Border>;

export type ContinuedApi = {
	record: Pick<ApiClient['record'], 'session'>;
	feed: Pick<ApiClient['feed'], 'rows'>;
	projects: Pick<ApiClient['projects'], 'list' | 'sessions'>;
};

type ContinuedDeps = { id: SessionId; api: ContinuedApi; until: ReadUntil };

/** Oldest first. */
export type ContinuedPage = { readonly rows: readonly FeedRow[]; readonly border?: Border };

const PAGE = 500;

/** From the newest page to the oldest, each read on request. Ends where a conversation began, or cannot be read. */
export async function* readContinuedRows({ id, api, until }: ContinuedDeps): AsyncGenerator<ContinuedPage, void> {
	const readRow = (one: SessionId) => readUntilDone(() => api.record.session({ id: one }), until);
	let child: SessionRow | undefined = await readRow(id);
	for (let parents = 0; child && parents < MOST_PARENTS; parents += 1) {
		const from = continuedBy(child);
		if (!from) return;
		const parent: SessionRow | undefined = 'parentId' in from ? await readRow(from.parentId) : undefined;
		const border = 'parentId' in from ? from : { ...from, project: await findProject(api, child.projectPath, from.nativeId) };
		yield { rows: [toBorderRow(child, titleOf(from, parent))], border };
		if (!parent || !(yield* readParent(parent, child, { api, until }))) return;
		child = parent;
	}
}

/** Returns whether its beginning was reached. */
async function* readParent(
	{ id }: SessionRow,
	child: SessionRow,
	{ api, until }: Pick<ContinuedDeps, 'api' | 'until'>,
): AsyncGenerator<ContinuedPage, boolean> {
	let isIn = child.drive?.copy_of?.up_to === undefined;
	for (let before: number | undefined; before === undefined || before > 1; ) {
		const place = before === undefined ? {} : { before };
		const page = await readUntilDone(() => api.feed.rows({ id, limit: PAGE, ...place }), until);
		if (!page) return false;
		const end = isIn ? page.rows.length : page.rows.findLastIndex((row) => isLastOf(child, row)) + 1;
		isIn ||= end > 0;
		yield { rows: page.rows.slice(0, end).filter((row) => isBefore(child, row)) };
		before = page.first;
	}
	return true;
}

/** The project that has this past session; not every agent keeps transcripts that Roost reads. */
async function findProject({ projects }: ContinuedApi, path: string, nativeId: string): Promise<FoundProjectId | undefined> {
	const listed = await projects.list();
	const found = listed.ok ? listed.value.projects.find((one) => one.path === path) : undefined;
	const past = found && (await projects.sessions({ id: found.id }));
	return past?.ok && past.value.sessions.some((one) => one.nativeId === nativeId) ? found?.id : undefined;
}

function titleOf(from: Continued, parent: SessionRow | undefined): string {
	const how = from.how === 'forked' ? 'Forked' : 'Resumed';
	return `${how} from ${'parentId' in from ? parent?.title || from.parentId : 'a past session'}`;
}

/** Before the first event, whose number is 1. */
function toBorderRow({ id, startedAt }: SessionRow, title: string): FeedRow {
	const run = runId.parse(`${id}:R0`);
	return {
		offset: 0,
		event_id: eventId.parse(`${run}:E0`),
		kind: BORDER,
		ts: startedAt,
		run_id: run,
		actor_id: ROOT_AGENT,
		level: 'info',
		title,
		size: 0,
	};
}
