// Past sessions: where each worked, their list, and their transcripts as a feed.
import type { PastTranscript, PastTranscripts, TranscriptFile } from '@roost/agents/base/transcripts';
import { findKind } from '@roost/agents/kinds';
import { isTransient } from '@roost/core/feed/filter';
import { mapEvent, mapFact } from '@roost/core/feed/mapper';
import { createFeedState } from '@roost/core/feed/state';
import { toPreview } from '@roost/core/feed/title';
import type { Redactor } from '@roost/core/redaction/redact';
import { type ShownMessages, toShownReport } from '@roost/core/session/shown-report';
import { statTarget } from '@roost/machine/foreign-file';
import type { PastEventsPage, PastSession, PastSessionList, ProjectProblem } from '@roost/protocol/api/projects';
import { AppError } from '@roost/protocol/app-error';
import type { FeedEvent } from '@roost/protocol/feed/event';
import { sessionId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Summarise } from '../engine/summaries.ts';
import { atMost } from './at-most.ts';

const AT_ONCE = 4;
const MOST_REMEMBERED = 10_000;

export type ListPastSessions = (transcripts: readonly PlacedTranscript[]) => Promise<PastSessionList>;

/** Reads a transcript again only if it has changed. */
export function createPastSessions(past: Pick<PastTranscripts, 'readSession'>, redactor: Redactor): ListPastSessions {
	const memory = createFileMemory((path) => readShown(past, path, redactor), MOST_REMEMBERED);
	return async (transcripts) => {
		const problems: ProjectProblem[] = [];
		const sessions = await atMost(AT_ONCE, transcripts, async (file): Promise<PastSession | null> => {
			const read = await memory.read(file);
			if (!read.ok) {
				problems.push({ path: file.path, message: read.error.message });
				return null;
			}
			const { startedAt = file.mtimeMs, lastActivity = file.mtimeMs, ...known } = read.value;
			const { agent, nativeId, cwd } = file;
			const resumable = known.messages > 0 && (await isFolder(cwd));
			return { agent, nativeId, ...known, startedAt, lastActivity, cwd, resumable };
		});
		const found = sessions.filter((session) => session !== null).sort((a, b) => b.lastActivity - a.lastActivity);
		return { sessions: found, problems };
	};
}

/** Redacted before it is cut, because part of a secret is not recognised. */
async function readShown(
	{ readSession }: Pick<PastTranscripts, 'readSession'>,
	path: string,
	redactor: Redactor,
): Promise<Result<PastTranscript>> {
	const read = await readSession(path);
	return read.ok ? ok({ ...read.value, title: toPreview(redactor.redact(read.value.title).value) }) : read;
}

/** An agent resumes in its folder. */
async function isFolder(path: string): Promise<boolean> {
	return (await statTarget(path))?.isDirectory() === true;
}

export type PlacedTranscript = TranscriptFile & { cwd: string; agent: string };

export type PastPlaces = { placed: PlacedTranscript[]; problems: ProjectProblem[] };

const PLACES_AT_ONCE = 16;
const MOST_PLACES = 100_000;

/** Finds all transcripts each time, but reads the folder of each only once. Skips transcripts without a folder. */
export function createPastPlaces(agent: string, past: PastTranscripts, env: NodeJS.ProcessEnv): () => Promise<PastPlaces> {
	const cwds = createFileMemory(past.readCwd, MOST_PLACES);
	return async () => {
		const { files, problems } = await past.find(past.folder(env));
		const placed = await atMost(PLACES_AT_ONCE, files, async (file): Promise<PlacedTranscript | null> => {
			try {
				const cwd = await cwds.read(file);
				return cwd === null ? null : { ...file, cwd, agent };
			} catch (cause) {
				problems.push({ path: file.path, message: cause instanceof Error ? cause.message : String(cause) });
				return null;
			}
		});
		return { placed: placed.filter((transcript) => transcript !== null), problems };
	};
}

/** Caches what was read from a file until its size or time changes. Errors are not cached. */
export function createFileMemory<T>(read: (path: string) => Promise<T>, most: number) {
	const known = new Map<string, { stamp: string; value: T }>();
	return {
		async read({ path, size, mtimeMs }: { path: string; size: number; mtimeMs: number }): Promise<T> {
			const stamp = `${size} ${mtimeMs}`;
			const found = known.get(path);
			if (found?.stamp === stamp) return found.value;
			const value = await read(path);
			known.delete(path);
			known.set(path, { stamp, value });
			const oldest = known.keys().next();
			if (known.size > most && !oldest.done) known.delete(oldest.value);
			return value;
		},
	};
}

/** Readers that stay open for their next page; the oldest is closed first. */
const MOST_OPEN = 4;

type Page = { after: number; limit: number };

export type PastEvents = AsyncDisposable & { read(file: PlacedTranscript, page: Page): Promise<Result<PastEventsPage>> };

type Reading = { key: string; offset: number; ahead: IteratorResult<FeedEvent>; events: AsyncGenerator<FeedEvent> };

type PastEventsDeps = { redactor: Redactor; summarise: Summarise };

export function createPastEvents(deps: PastEventsDeps): PastEvents {
	const open = new Set<Reading>();

	/** Continues a reader that is at this page, or reads from the start. */
	async function readingFor(file: PlacedTranscript, after: number): Promise<Reading> {
		const key = `${file.path} ${file.size} ${file.mtimeMs}`;
		const kept = open.values().find((reading) => reading.key === key && reading.offset === after);
		if (kept) {
			open.delete(kept);
			return kept;
		}
		const events = toFeed(file, deps);
		const reading = { key, offset: 0, ahead: await events.next(), events };
		while (!reading.ahead.done && reading.offset < after) await advance(reading);
		return reading;
	}

	async function keep(reading: Reading): Promise<void> {
		open.add(reading);
		if (open.size <= MOST_OPEN) return;
		const oldest = open.values().next();
		if (oldest.done) return;
		open.delete(oldest.value);
		await oldest.value.events.return(undefined);
	}

	return {
		async read(file, { after, limit }) {
			try {
				const reading = await readingFor(file, after);
				const events: { offset: number; event: FeedEvent }[] = [];
				while (!reading.ahead.done && events.length < limit) {
					events.push({ offset: reading.offset + 1, event: reading.ahead.value });
					await advance(reading);
				}
				const more = !reading.ahead.done;
				if (more) await keep(reading);
				return ok({ events, more });
			} catch (cause) {
				if (cause instanceof AppError) return err(cause);
				throw cause;
			}
		},
		async [Symbol.asyncDispose]() {
			const left = [...open];
			open.clear();
			await Promise.all(left.map(({ events }) => events.return(undefined)));
		},
	};
}

async function advance(reading: Reading): Promise<void> {
	reading.offset += 1;
	reading.ahead = await reading.events.next();
}

/** With the same mapper as for live agents. Usage comes last, as at the end of a session. */
async function* toFeed(file: PlacedTranscript, deps: PastEventsDeps): AsyncGenerator<FeedEvent> {
	const state = createFeedState(sessionId.parse(file.nativeId));
	const messages: ShownMessages = new Map();
	let at = file.mtimeMs;
	for await (const reported of findKind(file.agent)?.past?.readEvents(file) ?? []) {
		at = reported.timestamp;
		const shown = toShownReport(messages, reported, deps.redactor);
		for (const event of mapEvent(state, shown)) if (!isTransient(event)) yield event;
	}
	const transcript = { path: file.path, agent: file.agent, since: 0, nativeIds: [] };
	for (const fact of await deps.summarise(transcript)) yield mapFact(state, deps.redactor.redact(fact).value, at);
}
