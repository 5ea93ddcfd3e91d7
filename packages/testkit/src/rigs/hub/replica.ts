// What a scripted hub keeps of one runner: the lines as they arrived, and rows, checked like a real hub does.
import type { Batch, LogEnd } from '@roost/protocol/hub/link-frames';
import type { StreamId } from '@roost/protocol/ids';
import { genesisHash, nextHash } from '@roost/store/hash-chain';

export type Replica = {
	readonly lines: readonly string[];
	/** By table, then by the key of the row. */
	readonly rows: Record<'sessions' | 'asks' | 'queues' | 'usage', Map<string, unknown>>;
	end(): LogEnd | null;
	/** The problem of a batch that is no continuation; nothing of it is kept. `gap`: lines before it are missing. */
	take(batch: Batch, lines: readonly string[]): { added: number } | 'gap' | Error;
	/** As if it was restored from a backup. */
	cutTo(seqNo: number): void;
};

type Kept = { line: string; stream: StreamId; offset: number; hash: string };

export function createReplica(): Replica {
	let kept: Kept[] = [];
	const rows: Replica['rows'] = { sessions: new Map(), asks: new Map(), queues: new Map(), usage: new Map() };

	function take({ first, streams, places, heads, rows: changed }: Batch, lines: readonly string[]): ReturnType<Replica['take']> {
		if (first > kept.length + 1) return 'gap';
		if (lines.length !== places.length) return new Error(`${places.length} places for ${lines.length} lines`);
		const next = kept.slice(0, first - 1);
		for (const [at, line] of lines.entries()) {
			const [streamAt = -1, offset = 0] = places[at] ?? [];
			const stream = streams[streamAt];
			if (stream === undefined) return new Error(`no stream for line ${first + at}`);
			const before = next.findLast((each) => each.stream === stream);
			if (offset !== (before?.offset ?? 0) + 1) return new Error(`offset ${offset} of ${stream} after ${before?.offset ?? 0}`);
			next.push({ line, stream, offset, hash: nextHash(before?.hash ?? genesisHash(stream), line) });
		}
		for (const [at, stream] of streams.entries()) {
			if (next.findLast((each) => each.stream === stream)?.hash !== heads[at]) return new Error(`the head of ${stream} differs`);
		}
		for (const [at, { line }] of kept.entries()) {
			if (next[at] !== undefined && next[at].line !== line) return new Error(`line ${at + 1} was changed`);
		}
		const added = Math.max(0, next.length - kept.length);
		kept = next.length > kept.length ? next : kept;
		for (const row of changed.sessions) rows.sessions.set(row.id, row);
		for (const row of changed.asks) rows.asks.set(row.id, row);
		for (const row of changed.queues) rows.queues.set(row.sessionId, row);
		for (const row of changed.usage) rows.usage.set(`${row.sessionId} ${row.day} ${row.model}`, row);
		return { added };
	}

	return {
		get lines() {
			return kept.map(({ line }) => line);
		},
		rows,
		end() {
			const last = kept.at(-1);
			return last ? { stream: last.stream, offset: last.offset, hash: last.hash } : null;
		},
		take,
		cutTo(seqNo) {
			kept = kept.slice(0, seqNo);
		},
	};
}
