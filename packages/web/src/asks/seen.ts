// Which sessions stopped since the user looked: marks that are kept per browser.
import { sessionId } from '@roost/protocol/ids';
import type { SessionTile } from '@roost/protocol/session-row';
import { z } from 'zod';

const seen = z.object({
	/** Everything before this time was looked at. */
	since: z.number(),
	/** The last event that was looked at, by session. */
	sessions: z.record(sessionId, z.number()),
});
export type Seen = z.infer<typeof seen>;

/** Undefined where nothing, or something else, is stored. */
export function parseSeen(text: string | null): Seen | undefined {
	try {
		return seen.safeParse(JSON.parse(text ?? 'null')).data;
	} catch {
		return undefined;
	}
}

export function startSeen(now: number): Seen {
	return { since: now, sessions: {} };
}

export function markSeen(before: Seen, { id, lastEventAt }: Pick<SessionTile, 'id' | 'lastEventAt'>): Seen {
	if (lastEventAt <= Math.max(before.since, before.sessions[id] ?? 0)) return before;
	return { ...before, sessions: { ...before.sessions, [id]: lastEventAt } };
}

/** Sessions that are still working keep their marks; marks before this time say nothing more. */
export function markAllSeen(sessions: readonly SessionTile[], now: number): Seen {
	return startSeen(Math.max(now, ...sessions.filter(hasStopped).map(({ lastEventAt }) => lastEventAt)));
}

export type Stop = 'failed' | 'interrupted' | 'ended' | 'finished';

/** How it stopped; undefined while it works, waits, or was never prompted. */
export function stopOf({ status, lastRun, title }: Pick<SessionTile, 'status' | 'lastRun' | 'title'>): Stop | undefined {
	if (status === 'interrupted') return 'failed';
	if (status === 'ended') return lastRun === 'failed' ? 'failed' : 'ended';
	if (status !== 'idle' || title === '') return undefined;
	if (lastRun === undefined) return 'finished';
	return lastRun === 'failed' ? 'failed' : 'interrupted';
}

function hasStopped(row: SessionTile): boolean {
	return stopOf(row) !== undefined;
}

/** Newest first. */
export function unseenOf(sessions: readonly SessionTile[], { since, sessions: marks }: Seen): SessionTile[] {
	return sessions
		.filter((row) => !row.archived && hasStopped(row) && row.lastEventAt > Math.max(since, marks[row.id] ?? 0))
		.toSorted((a, b) => b.lastEventAt - a.lastEventAt);
}
