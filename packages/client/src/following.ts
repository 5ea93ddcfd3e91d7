// Followers of streams: one subscription per target for all its followers, and every line once and in order to each.
import type { ClientFrame } from '@roost/protocol/api/stream-frames';
import type { StreamId } from '@roost/protocol/ids';
import { type LogCursor, type LogName, whyElsewhere } from '@roost/protocol/log-cursor';
import type { StoredLine } from '@roost/protocol/stored-line';
import type { Guard } from './listeners.ts';

/** One stream from an offset; or everything from a place in the log: null for the beginning, `now` for new lines only. */
export type FollowFrom = { stream: StreamId; after: number } | { after: LogCursor | 'now' | null };

export type FollowHandlers = {
	onLine(line: StoredLine): void;
	/** All stored lines were delivered and the next ones are live: after the start, and again after each reconnect. */
	onCaughtUp?(): void;
	/** The cursor is of another log than the connected one; no lines follow. */
	onRefused?(reason: string): void;
};

export type Following = {
	/** Returns the function that ends it. */
	follow(from: FollowFrom, handlers: FollowHandlers): () => void;
	/** On a new connection: subscribes again from the last line of each target. */
	resume(log: LogName): void;
	take(line: StoredLine): void;
	/** `after`: the place of its last line. */
	caughtUp(sub: string, after: number | undefined): void;
	/** The server replays from the log again. */
	lagged(sub: string): void;
	/** The server has less than the follower, as a hub that was restored and is filled up again: asked again later. */
	refused(sub: string): void;
};

/** Before the place of a follower of new lines is known: no line is after it. */
const NOW = Number.POSITIVE_INFINITY;

type Follower = { last: number; log: LogName | undefined; handlers: FollowHandlers };

type Target = {
	/** Undefined for the target that holds all streams. */
	stream?: StreamId;
	followers: Set<Follower>;
	sub: string;
	replaying: boolean;
	/** The highest place received, also of lines that were not delivered yet. */
	seen: number;
};

export type FollowingDeps = {
	send(frame: ClientFrame): void;
	/** Lines are missing: a new subscription from the last known place is needed. */
	onGap(reason: string): void;
	guard: Guard;
	/** After a moment, in which the server may have caught up. */
	later(run: () => void): void;
};

export function createFollowing({ send, onGap, guard, later }: FollowingDeps): Following {
	const targets = new Map<StreamId | undefined, Target>();
	let subs = 0;
	/** Undefined before hello. */
	let log: LogName | undefined;

	function subscribe(target: Target): void {
		if (log === undefined) return;
		refuseElsewhere(target, log);
		if (target.followers.size === 0) return void targets.delete(target.stream);
		subs += 1;
		target.sub = `s${subs}`;
		target.replaying = true;
		const after = Math.min(...[...target.followers].map((follower) => follower.last));
		const { sub, stream } = target;
		if (stream !== undefined) send({ type: 'subscribe', sub, stream, after });
		else send({ type: 'subscribe-all', sub, after: after === NOW ? 'now' : after === 0 ? null : { ...log, seqNo: after } });
	}

	function refuseElsewhere(target: Target, here: LogName): void {
		for (const follower of [...target.followers]) {
			const why = follower.log && whyElsewhere(follower.log, here);
			if (why === undefined) continue;
			target.followers.delete(follower);
			guard(() => follower.handlers.onRefused?.(why));
		}
	}

	function unfollow(target: Target, follower: Follower): void {
		if (!target.followers.delete(follower) || target.followers.size > 0) return;
		targets.delete(target.stream);
		send({ type: 'unsubscribe', sub: target.sub });
	}

	const bySub = (sub: string) => [...targets.values()].find((target) => target.sub === sub);

	return {
		follow(from, handlers) {
			const { stream, last, log: ofLog } = toStart(from);
			const known = targets.get(stream);
			const target = known ?? newTarget(stream);
			const follower = { last, log: ofLog, handlers };
			target.followers.add(follower);
			targets.set(stream, target);
			// One subscription per target: a new follower needs a new one from its place, and the others skip known lines.
			if (known) send({ type: 'unsubscribe', sub: known.sub });
			subscribe(target);
			return () => unfollow(target, follower);
		},
		resume(now) {
			log = now;
			for (const target of [...targets.values()]) subscribe(target);
		},
		take(line) {
			for (const target of [targets.get(line.stream), targets.get(undefined)]) {
				if (target !== undefined && !deliver(target, line, guard)) return onGap(missing(target));
			}
		},
		caughtUp(sub, after = 0) {
			const target = bySub(sub);
			if (target === undefined) return;
			target.replaying = false;
			if ([...target.followers].some((follower) => follower.last < target.seen)) return onGap(missing(target));
			for (const follower of target.followers) if (follower.last === NOW) follower.last = after;
			for (const follower of [...target.followers]) guard(() => follower.handlers.onCaughtUp?.());
		},
		refused(sub) {
			const target = bySub(sub);
			if (target === undefined) return;
			later(() => {
				if (bySub(sub) !== target) return;
				send({ type: 'unsubscribe', sub });
				subscribe(target);
			});
		},
		lagged(sub) {
			const target = bySub(sub);
			if (target !== undefined) target.replaying = true;
		},
	};
}

function toStart(from: FollowFrom): { stream?: StreamId; last: number; log?: LogName } {
	if ('stream' in from) return { stream: from.stream, last: from.after };
	if (from.after === 'now') return { last: NOW };
	return from.after === null ? { last: 0 } : { last: from.after.seqNo, log: from.after };
}

function newTarget(stream: StreamId | undefined): Target {
	return { ...(stream === undefined ? {} : { stream }), followers: new Set(), sub: '', replaying: true, seen: 0 };
}

/** False if a line before this one is missing. During a replay that is allowed: a line of another subscription may come first. */
function deliver(target: Target, line: StoredLine, guard: Guard): boolean {
	const place = target.stream === undefined ? line.seqNo : line.offset;
	target.seen = Math.max(target.seen, place);
	for (const follower of [...target.followers]) {
		if (!target.followers.has(follower) || place <= follower.last) continue;
		if (place > follower.last + 1) {
			if (target.replaying) continue;
			return false;
		}
		follower.last = place;
		guard(() => follower.handlers.onLine(line));
	}
	return true;
}

function missing({ stream }: Target): string {
	return `Lines of ${stream ?? 'the log'} are missing. Reading again from the last line received.`;
}
