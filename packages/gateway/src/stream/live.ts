// An update as frames: each frame is made at most once for all clients.
import { type RunnerId, runnerStream, type SessionId, type StreamId, sessionId, sessionStream } from '@roost/protocol/ids';
import type { LogEntry } from '@roost/protocol/log-entry';
import type { SessionTile } from '@roost/protocol/session-row';
import type { BackendUpdate } from '../operations/backend.ts';
import { lineFrame, toFrame } from './frames.ts';

export type Live = {
	lines: readonly { entry: LogEntry; frame: () => Buffer }[];
	deltas: readonly { stream: StreamId; frame: () => Buffer }[];
	/** Only the latest of each id matters: asks, queues, new sessions, and changed files. */
	latest: readonly { id: string; frame: () => Buffer }[];
};

export function toLive({ entries, deltas, asks, prompts, changed }: BackendUpdate, runner: RunnerId): Live {
	return {
		lines: entries.map((entry) => ({ entry, frame: once(() => lineFrame(entry.line)) })),
		deltas: deltas.map((event) => ({
			stream: sessionStream(event.session_id),
			frame: once(() => toFrame({ type: 'delta', event })),
		})),
		latest: [...toNewSessions(entries, runner), ...toLatest(asks, prompts), ...changed.map(toChangedFiles)],
	};
}

function toChangedFiles(sessionId: SessionId): Live['latest'][number] {
	return { id: `changes ${sessionId}`, frame: once(() => toFrame({ type: 'changes', sessionId })) };
}

export function toLatest(asks: BackendUpdate['asks'], prompts: BackendUpdate['prompts']): Live['latest'] {
	return [
		...asks.map((ask) => ({ id: `ask ${ask.id}`, frame: once(() => toFrame({ type: 'ask', ask })) })),
		...prompts.map((queue) => ({ id: `queue ${queue.sessionId}`, frame: once(() => toFrame({ type: 'queue', ...queue })) })),
	];
}

/** Frames of rows that changed, each shared by all clients. */
export type LiveRows = readonly { sessionId: SessionId; id: string; frame: () => Buffer }[];

export function toLiveRows(rows: readonly SessionTile[]): LiveRows {
	return rows.map((row) => ({
		sessionId: row.id,
		id: `row ${row.id}`,
		frame: once(() => toFrame({ type: 'session-row', row })),
	}));
}

/** Sessions with new lines: a row changes only with a line. */
export function toChangedSessions(entries: readonly LogEntry[], runner: RunnerId): SessionId[] {
	const own = runnerStream(runner);
	return entries.flatMap(({ stream }) => (stream === own ? [] : sessionId.parse(stream)));
}

/** The first line of a stream announces its session; the runner's own stream is no session. */
function toNewSessions(entries: readonly LogEntry[], runner: RunnerId): Live['latest'] {
	const own = runnerStream(runner);
	return entries
		.filter(({ offset, stream }) => offset === 1 && stream !== own)
		.map(({ stream }) => ({
			id: `session ${stream}`,
			frame: once(() => toFrame({ type: 'session', sessionId: sessionId.parse(stream) })),
		}));
}

function once(make: () => Buffer): () => Buffer {
	let made: Buffer | undefined;
	return () => {
		made ??= make();
		return made;
	};
}
