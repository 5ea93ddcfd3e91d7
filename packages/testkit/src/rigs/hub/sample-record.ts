// The record of a runner with its own search, and the lines that a hub has of it.
import type { SearchHit } from '@roost/protocol/api/search';
import { runnerId } from '@roost/protocol/ids';
import { findHits } from '@roost/runner/record/record-search';
import { genesisHash, nextHash } from '@roost/store/hash-chain';
import { createMemoryStore } from '@roost/store/memory-store';
import { type EventContent, sampleAppend, sampleEvent } from '../record/sample-append.ts';
import { unwrap } from '../unwrap.ts';
import type { ChainedLine } from './sample-log.ts';

export type SampleEvent = EventContent & {
	session: string;
	/** Of events about one call. */
	toolUseId?: string | undefined;
};

export type SampleRecord = AsyncDisposable & {
	lines: ChainedLine[];
	/** With the runner's own index. */
	search(words: string, limit: number): SearchHit[];
};

export async function sampleRecord(runner: string, events: readonly SampleEvent[]): Promise<SampleRecord> {
	const store = createMemoryStore();
	for (const [at, { session, toolUseId, ...content }] of events.entries()) {
		const cause = toolUseId === undefined ? {} : { cause: { tool_use_id: toolUseId } };
		const event = { ...sampleEvent(session, at + 1, content), ...cause };
		unwrap(await store.append(sampleAppend(session, [event], { runnerId: runnerId.parse(runner) })));
	}
	const heads = new Map<string, string>();
	const lines = unwrap(store.read({ afterSeqNo: 0, limit: events.length })).map((entry) => {
		const hash = nextHash(heads.get(entry.stream) ?? genesisHash(entry.stream), entry.line);
		heads.set(entry.stream, hash);
		return { ...entry, hash };
	});
	return {
		lines,
		search: (words, limit) => unwrap(findHits(store, { words, limit })),
		[Symbol.asyncDispose]: () => store.close(),
	};
}
