// A past session opened to be read: its transcript as a feed, page by page, redacted. Looking writes nothing anywhere.
import { findKind } from '@roost/agents/kinds';
import { isTransient } from '@roost/core/feed/filter';
import { mapEvent, mapFact } from '@roost/core/feed/mapper';
import { createFeedState } from '@roost/core/feed/state';
import type { Redactor } from '@roost/core/redaction/redact';
import { type ShownMessages, toShownReport } from '@roost/core/session/shown-report';
import type { PastEventsPage } from '@roost/protocol/api/projects';
import { AppError } from '@roost/protocol/app-error';
import type { FeedEvent } from '@roost/protocol/feed/event';
import { sessionId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Summarise } from '../engine/summaries.ts';
import type { PlacedTranscript } from './past-sessions.ts';

/** Readings that are kept open for their next page; the oldest is closed first. */
const MOST_OPEN = 4;

export type Page = { after: number; limit: number };

export type PastEvents = AsyncDisposable & { read(file: PlacedTranscript, page: Page): Promise<Result<PastEventsPage>> };

type Reading = { key: string; offset: number; ahead: IteratorResult<FeedEvent>; events: AsyncGenerator<FeedEvent> };

type PastEventsDeps = { redactor: Redactor; summarise: Summarise };

export function createPastEvents(deps: PastEventsDeps): PastEvents {
	const open = new Set<Reading>();

	/** One that stands before this page goes on; else it is read from the beginning. */
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

/** The same mapper as for agents at work. What it used stands at the end, as when a session ends. */
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
