// Reads the facts of sessions: notes the files when a session and each run start, and says when files may have changed.
import type { Timers } from '@roost/machine/timers';
import type { FeedEvent } from '@roost/protocol/feed/event';
import { type Since, since } from '@roost/protocol/feed/review';
import type { SessionId } from '@roost/protocol/ids';
import type { Update } from '../engine/live-session.ts';

export type RunMarkerDeps = {
	/** `isLate`: whether the agent has used a tool since then. */
	mark(id: SessionId, wanted: readonly Since[], folder: string | undefined, isLate: () => boolean): Promise<void>;
	/** Files of this session may have changed; at most once a second. */
	changed(id: SessionId): void;
	timers: Timers;
	warn(sentence: string): void;
};

const PAUSE_MS = 1_000;
/** A session whose first settings come later is an older one that continues. */
const FIRST_EVENTS = 5;

export type RunMarker = { observe(update: Update): void } & AsyncDisposable;

export function createRunMarker({ mark, changed, timers, warn }: RunMarkerDeps): RunMarker {
	/** Calls of tools, counted from the first mark on. */
	const calls = new Map<SessionId, number>();
	const pauses = new Map<SessionId, { isDue: boolean; cancel: () => void }>();

	const marking = new Set<Promise<void>>();

	function note(id: SessionId, wanted: readonly Since[], folder: string | undefined, isLateAlready: boolean): void {
		const before = calls.get(id) ?? 0;
		calls.set(id, before);
		const marked = mark(id, wanted, folder, () => isLateAlready || (calls.get(id) ?? 0) > before)
			.catch((cause) => warn(`the files of session ${id} could not be noted: ${cause}`))
			.finally(() => marking.delete(marked));
		marking.add(marked);
	}

	function announce(id: SessionId): void {
		const pause = pauses.get(id);
		if (pause) {
			pause.isDue = true;
			return;
		}
		changed(id);
		pauses.set(id, { isDue: false, cancel: timers.after(PAUSE_MS, () => endPause(id)) });
	}

	function endPause(id: SessionId): void {
		const isDue = pauses.get(id)?.isDue;
		pauses.delete(id);
		if (isDue) announce(id);
	}

	return {
		observe({ sessionId, events, entries }) {
			const used = events.filter(isToolCall).length;
			const known = calls.get(sessionId);
			if (known !== undefined) calls.set(sessionId, known + used);
			const isNew = (entries[0]?.offset ?? Number.POSITIVE_INFINITY) <= FIRST_EVENTS;
			for (const event of events) {
				if (event.kind === 'session.drive' && isNew) note(sessionId, ['start'], event.data.cwd, false);
				if (event.kind !== 'run.start') continue;
				const prompt = events.find((one) => one.kind === 'user.prompt' && one.run_id === event.run_id);
				const folder = prompt?.kind === 'user.prompt' ? prompt.data.cwd : undefined;
				note(sessionId, marksOf(event), folder, used > 0);
			}
			if (events.some(mayChange)) announce(sessionId);
		},
		async [Symbol.asyncDispose]() {
			for (const { cancel } of pauses.values()) cancel();
			pauses.clear();
			await Promise.all(marking);
		},
	};
}

/** The first run is also the start, unless that was noted before. */
function marksOf({ run_id }: FeedEvent): Since[] {
	const run = since.safeParse(`run:${run_id.slice(run_id.lastIndexOf(':') + 1)}`);
	if (!run.success) return [];
	return run.data === 'run:R1' ? ['start', run.data] : [run.data];
}

function isToolCall({ kind }: FeedEvent): boolean {
	return kind === 'tool.pre' || kind === 'tool.post';
}

const CHANGING: ReadonlySet<FeedEvent['kind']> = new Set(['tool.post', 'tool.failure', 'tool.batch', 'file.change', 'run.end']);

function mayChange({ kind }: FeedEvent): boolean {
	return CHANGING.has(kind);
}
