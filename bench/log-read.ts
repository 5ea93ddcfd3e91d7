// Log read: reading stored lines page by page, against a plain SQLite read of the same rows.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { streamId } from '@roost/protocol/ids';
import type { LogEntry } from '@roost/protocol/log-entry';
import { openSqliteStore } from '@roost/store/sqlite-store';
import type { Store } from '@roost/store/store';
import { sampleAppend, sampleEvent } from '@roost/testkit/rigs/record/sample-append';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import type { BenchRow } from './bench-row.ts';

const EVENTS = 100_000;
const PAGE = 1_000;
const ROUNDS = 5;
const BATCH = 500;

export async function run(): Promise<BenchRow[]> {
	const directory = mkdtempSync(join(tmpdir(), 'roost-bench-'));
	const path = join(directory, 'roost.db');
	const store = unwrap(openSqliteStore({ path, access: 'write' }));
	try {
		await fill(store);
		using bare = new DatabaseSync(path, { readOnly: true });
		const readBare = createBareRead(bare);
		const times = { bare: [] as number[], stream: [] as number[], all: [] as number[] };
		for (let round = 0; round < ROUNDS; round++) {
			times.bare.push(timed(readBare));
			times.stream.push(timed(() => readStream(store)));
			times.all.push(timed(() => readAll(store)));
		}
		return [toRow('log read, one stream', times.bare, times.stream), toRow('log read, all streams', times.bare, times.all)];
	} finally {
		await store.close();
		rmSync(directory, { recursive: true, force: true });
	}
}

async function fill(store: Store): Promise<void> {
	for (let first = 1; first <= EVENTS; first += BATCH) {
		const events = Array.from({ length: BATCH }, (_, at) =>
			sampleEvent('bench', first + at, { kind: 'agent.message', data: { text: 'x'.repeat(600) } }),
		);
		unwrap(await store.append(sampleAppend('bench', events)));
	}
}

function createBareRead(db: DatabaseSync): () => number {
	const page = db.prepare('SELECT position, offset, line FROM events WHERE position > ? ORDER BY position LIMIT ?');
	return () => {
		let rows = 0;
		for (let after = 0; ; after += PAGE) {
			const found = page.all(after, PAGE).length;
			if (found === 0) return rows;
			rows += found;
		}
	};
}

function readStream(store: Store): number {
	const stream = streamId.parse('bench');
	return readPages((after) => unwrap(store.read({ stream, after, limit: PAGE })));
}

function readAll(store: Store): number {
	return readPages((afterSeqNo) => unwrap(store.read({ afterSeqNo, limit: PAGE })));
}

function readPages(read: (after: number) => LogEntry[]): number {
	let rows = 0;
	for (;;) {
		const page = read(rows);
		if (page.length === 0) return rows;
		rows += page.length;
	}
}

function timed(read: () => number): number {
	const started = performance.now();
	if (read() !== EVENTS) throw new Error('the bench did not read all rows that it wrote');
	return performance.now() - started;
}

function toRow(bar: string, floorTimes: readonly number[], times: readonly number[]): BenchRow {
	const floorValue = perSecond(floorTimes);
	const value = perSecond(times);
	const ratio = value / floorValue;
	return {
		bar,
		floor: 'plain SQLite read of the same rows',
		floorValue,
		value,
		unit: 'rows/s',
		ratio,
		target: '>= 0.5x',
		met: ratio >= 0.5,
	};
}

/** The median round. */
function perSecond(times: readonly number[]): number {
	const median = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
	return EVENTS / (median / 1_000);
}
