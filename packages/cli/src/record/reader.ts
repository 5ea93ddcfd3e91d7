// The record that commands read: the own one from its files, also without a runner, or that of a runner behind a hub.
import type { SearchHit } from '@roost/protocol/api/search';
import type { UsageQuery, UsageReport } from '@roost/protocol/api/usage';
import type { SessionId } from '@roost/protocol/ids';
import type { Result } from '@roost/protocol/result';
import type { SessionRow } from '@roost/protocol/session-row';
import { currentTarget } from '../hub/target.ts';

export type RecordReader = AsyncDisposable & {
	/** Newest first. `projectPath`: of this machine, so a hub ignores it. */
	sessions(query?: { projectPath: string }): Promise<Result<RecordedSession[]>>;
	/** By ID, or by a unique beginning. */
	find(given: string): Promise<Result<RecordedSession>>;
	/** Stored lines after an offset, byte for byte. */
	read(id: SessionId, query: { after: number; limit: number }): Promise<Result<RecordedLine[]>>;
	search(query: { words: string; limit: number }): Promise<Result<{ hits: FoundHit[]; note?: string }>>;
	usage(query: UsageQuery): Promise<Result<UsageReport>>;
};

/** `runner`: where several are listed. */
export type RecordedSession = SessionRow & { runner?: { id: string; name: string } };
export type RecordedLine = { offset: number; line: string };
export type FoundHit = SearchHit & { runner?: { id: string; name: string } };

export async function openReader(): Promise<Result<RecordReader>> {
	const target = currentTarget();
	if (!target) return await (await import('./own-reader.ts')).openOwnReader(process.env);
	return (await import('./hub-reader.ts')).openHubReader(target, process.env);
}

const PAGE = 1_000;

/** Stored lines after an offset, a page at a time. */
export async function* readStream(
	{ read }: Pick<RecordReader, 'read'>,
	id: SessionId,
	after: number,
): AsyncGenerator<Result<RecordedLine[]>> {
	for (let last = after; ; ) {
		const page = await read(id, { after: last, limit: PAGE });
		if (!page.ok || page.value.length > 0) yield page;
		if (!page.ok || page.value.length < PAGE) return;
		last = page.value.at(-1)?.offset ?? last;
	}
}
