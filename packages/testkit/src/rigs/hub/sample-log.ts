// The log of a runner, as a hub receives it: stored lines in batches, with the chains of their streams and their rows.
import { type RunnerId, runnerId, streamId } from '@roost/protocol/ids';
import type { LogName } from '@roost/protocol/log-cursor';
import type { LogEntry } from '@roost/protocol/log-entry';
import { genesisHash, nextHash } from '@roost/store/hash-chain';
import { createMemoryStore } from '@roost/store/memory-store';
import { sampleAppend, sampleEvent, sampleSession } from '../record/sample-append.ts';
import { unwrap } from '../unwrap.ts';

/** A line, and the chain of its stream up to it. */
export type ChainedLine = LogEntry & { hash: string };

/** One line for each name: the session it is of. */
export async function sampleLog(runner: string, sessions: readonly string[], note = ''): Promise<ChainedLine[]> {
	await using store = createMemoryStore();
	for (const [at, name] of sessions.entries()) {
		const event = sampleEvent(name, at + 1, { kind: 'user.prompt', data: { prompt: `do thing ${at}${note}`, cwd: '/project' } });
		unwrap(await store.append(sampleAppend(name, [event], { runnerId: runnerId.parse(runner) })));
	}
	const heads = new Map<string, string>();
	return unwrap(store.read({ afterSeqNo: 0, limit: sessions.length })).map((entry) => {
		const hash = nextHash(heads.get(entry.stream) ?? genesisHash(entry.stream), entry.line);
		heads.set(entry.stream, hash);
		return { ...entry, hash };
	});
}

/** With the row of each session after its last line in the batch. */
export function sampleBatch(log: LogName, lines: readonly ChainedLine[]) {
	const last = new Map(lines.map((line) => [line.stream, line]));
	return {
		log,
		lines: lines.map(({ hash: _, ...entry }) => entry),
		heads: new Map([...last].map(([stream, { hash }]) => [stream, hash])),
		rows: { sessions: rowsAfter(lines), asks: [], queues: [], usage: [] },
	};
}

/** A session has as many events as lines. */
export function rowsAfter(lines: readonly LogEntry[]) {
	const last = new Map(lines.map(({ stream, offset }) => [stream, offset]));
	return [...last].map(([stream, offset]) => sampleSession(stream, { events: offset }));
}

export function sampleRunner(id: string, publicKey = Buffer.from(id.padEnd(32, '.').slice(0, 32)).toString('base64url')) {
	return { id: runnerId.parse(id), name: `name of ${id}`, publicKey, owner: 'ada', pairedAt: 1_000 };
}

export function logOf(runner: RunnerId | string, epoch = 1): LogName {
	return { runnerId: runnerId.parse(runner), epoch };
}

export const toStream = (name: string) => streamId.parse(name);
