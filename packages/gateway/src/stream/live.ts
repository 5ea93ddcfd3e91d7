// What just happened, ready to be sent: each frame is made at most once, whoever and however many take it.
import { type RunnerId, runnerStream, type StreamId, sessionId, sessionStream } from '@roost/protocol/ids';
import type { LogEntry } from '@roost/protocol/log-entry';
import type { BackendUpdate } from '../operations/backend.ts';
import { lineFrame, toFrame } from './frames.ts';

export type Live = {
	lines: readonly { entry: LogEntry; frame: () => Buffer }[];
	deltas: readonly { stream: StreamId; frame: () => Buffer }[];
	/** Where only the latest of each counts: asks, queues of prompts, and sessions that began. */
	latest: readonly { id: string; frame: () => Buffer }[];
};

export function toLive({ entries, deltas, asks, prompts }: BackendUpdate, runner: RunnerId): Live {
	return {
		lines: entries.map((entry) => ({ entry, frame: once(() => lineFrame(entry.line)) })),
		deltas: deltas.map((event) => ({
			stream: sessionStream(event.session_id),
			frame: once(() => toFrame({ type: 'delta', event })),
		})),
		latest: [...toBegun(entries, runner), ...toLatest(asks, prompts)],
	};
}

export function toLatest(asks: BackendUpdate['asks'], prompts: BackendUpdate['prompts']): Live['latest'] {
	return [
		...asks.map((ask) => ({ id: `ask ${ask.id}`, frame: once(() => toFrame({ type: 'ask', ask })) })),
		...prompts.map((told) => ({ id: `queue ${told.sessionId}`, frame: once(() => toFrame({ type: 'queue', ...told })) })),
	];
}

/** The first line of a stream says that its session began; the runner has a stream of its own. */
function toBegun(entries: readonly LogEntry[], runner: RunnerId): Live['latest'] {
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
