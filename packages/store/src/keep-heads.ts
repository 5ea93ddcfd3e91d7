// Keeps the heads file in step with the log: catches up after a crash, records a truncation, and marks how far the file is synced.
import type { DatabaseSync } from 'node:sqlite';
import { type Head, type HeadsFile, type HeadsSource, headsAt, openHeadsFile, readHeads } from './heads-file.ts';
import { markHeaded, readMarks } from './heads-mark.ts';
import { numberOf, textOf } from './row-values.ts';
import { attempt } from './store-error.ts';

export type KeptHeads = HeadsSource & Pick<HeadsFile, 'record' | 'close'>;

/** Syncing the file with every commit would double its cost. */
const COMMITS_PER_MARK = 1_000;

export function keepHeads(db: DatabaseSync, path: string): KeptHeads {
	const file = openHeads(db, path);
	settle(db, file, path);
	let commits = 0;

	function mark(): void {
		// An old mark only makes a check less strict; the events are safe.
		attempt(path, () => {
			if (file.sync()) markHeaded(db);
		});
	}

	return {
		...headsAt(path),
		record(heads) {
			file.record(heads);
			commits += 1;
			if (commits % COMMITS_PER_MARK === 0) mark();
		},
		close() {
			mark();
			file.close();
		},
	};
}

/** After a crash of an earlier process the newest heads are missing; after a truncation more than those. */
function settle(db: DatabaseSync, file: HeadsFile, path: string): void {
	const marks = readMarks(db);
	const cut = marks.find(({ headed, last }) => headed > last);
	if (cut !== undefined) file.note(`cut: the log ended at seqNo ${cut.last}, and had reached ${cut.headed} before`);
	const known = readHeads(path)?.heads.length ?? 0;
	if (known === 0 && marks.some(({ headed }) => headed > 0)) file.note('cut: the heads file was emptied');
	if (cut !== undefined || marks.every(({ headed, last }) => headed === last)) return;
	file.record(newestHeads(db));
}

function newestHeads(db: DatabaseSync): Head[] {
	const newest = db.prepare('SELECT offset, hash FROM events WHERE stream_no = ? ORDER BY offset DESC LIMIT 1');
	const streams = db.prepare('SELECT stream_no, stream FROM streams').all();
	return streams.flatMap((row) => {
		const found = newest.get(numberOf(row, 'stream_no'));
		if (found === undefined) return [];
		return [{ stream: textOf(row, 'stream'), offset: numberOf(found, 'offset'), hash: textOf(found, 'hash') }];
	});
}

function openHeads(db: DatabaseSync, path: string): HeadsFile {
	const count = db.prepare('SELECT count(*) AS events FROM events');
	const confirm = db.prepare('SELECT 1 FROM events JOIN streams USING (stream_no) WHERE stream = ? AND offset = ? AND hash = ?');
	return openHeadsFile({
		path,
		countEvents: () => numberOf(count.get() ?? {}, 'events'),
		isConfirmed: ({ stream, offset, hash }: Head) => confirm.get(stream, offset, hash) !== undefined,
	});
}
