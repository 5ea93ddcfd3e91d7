// Where the log of a runner ends, as this node knows it, and what is between: in order, each line once, read from the database
// wherever a hint is missing.
import type { BackendUpdate } from '@roost/gateway/operations/backend';
import type { LogName } from '@roost/protocol/log-cursor';
import type { HubStore } from '../store/hub-store.ts';
import { type LinesHint, readRows } from './runner-bus.ts';

export type LogFollower = {
	/** Undefined before the first connection of the runner. */
	log(): LogName | undefined;
	lastSeqNo(): number;
	/** The database has this log up to here; an ended epoch is ignored. */
	reached(log: LogName, lastSeqNo: number): void;
	/** The database has these lines. */
	take(log: LogName, lines: LinesHint): void;
};

export type FollowerDeps = {
	store: { logs: Pick<HubStore['logs'], 'read'>; rows: Pick<HubStore['rows'], 'changed'> };
	/** Whether anybody follows: else lines are not read. */
	isWatched(): boolean;
	emit(update: Partial<BackendUpdate>): void;
	warn: (sentence: string) => void;
};

const PAGE_LINES = 500;

export function createLogFollower({ store, isWatched, emit, warn }: FollowerDeps): LogFollower {
	let log: LogName | undefined;
	let cursor = 0;
	/** What is on disk may be ahead of what was emitted. */
	let end = 0;
	let isReading = false;

	/** False for a log that has ended. */
	function moveTo(next: LogName): boolean {
		if (log && next.epoch < log.epoch) return false;
		if (log?.epoch === next.epoch) return true;
		const isRestored = log !== undefined;
		cursor = 0;
		end = 0;
		log = next;
		if (isRestored) emit({ isRestored });
		return true;
	}

	function reached(next: LogName, lastSeqNo: number): void {
		if (!moveTo(next)) return;
		end = Math.max(end, lastSeqNo);
		if (end <= cursor || isReading) return;
		if (isWatched()) void catchUp();
		else cursor = end;
	}

	function take(next: LogName, { first, last, entries, asks, prompts }: LinesHint): void {
		if (!moveTo(next) || last <= cursor) return;
		if (isReading || !entries || first > cursor + 1 || !isWatched()) {
			reached(next, last);
			return;
		}
		const added = entries.slice(cursor + 1 - first);
		cursor = last;
		end = Math.max(end, last);
		emit({ entries: added, asks, prompts });
	}

	/** One at a time: what arrives meanwhile is read too. A failure is repaired by the next hint or sweep. */
	async function catchUp(): Promise<void> {
		isReading = true;
		let page: { isEmpty: boolean } | undefined = { isEmpty: false };
		while (page && !page.isEmpty && log && cursor < end) page = isWatched() ? await readPage(log, cursor) : skip();
		isReading = false;
	}

	function skip() {
		cursor = end;
		return { isEmpty: true };
	}

	async function readPage(from: LogName, after: number): Promise<{ isEmpty: boolean } | undefined> {
		const page = await store.logs.read(from, { afterSeqNo: after, limit: PAGE_LINES });
		if (!page.ok) return void warn(page.error.message);
		const last = page.value.at(-1)?.seqNo;
		if (last === undefined) return { isEmpty: true };
		const rows = await store.rows.changed(from, { after, upTo: last });
		if (!rows.ok) return void warn(rows.error.message);
		// Another epoch began meanwhile: its lines start again from the first.
		if (log?.epoch !== from.epoch) return { isEmpty: false };
		cursor = last;
		end = Math.max(end, last);
		emit({ entries: page.value, ...readRows(rows.value) });
		return { isEmpty: false };
	}

	return { log: () => log, lastSeqNo: () => cursor, reached, take };
}
