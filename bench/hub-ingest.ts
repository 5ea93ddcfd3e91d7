// Batches of 100 lines into the storage of a hub: SQLite against the runner's own append, Postgres against fdatasync and the bare call.
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { HubStore } from '@roost/hub/store/hub-store';
import { openPostgresHubStore } from '@roost/hub/store/postgres-hub-store';
import { createPostgresLogWriter } from '@roost/hub/store/postgres-log-writer';
import { createPostgresSql } from '@roost/hub/store/postgres-sql';
import { openSqliteHubStore } from '@roost/hub/store/sqlite-hub-store';
import type { LogName } from '@roost/protocol/log-cursor';
import { openSqliteStore } from '@roost/store/sqlite-store';
import { startPostgres } from '@roost/testkit/rigs/hub/postgres';
import { type ChainedLine, logOf, sampleBatch, sampleLog, sampleRunner } from '@roost/testkit/rigs/hub/sample-log';
import { sampleAppend, sampleEvent } from '@roost/testkit/rigs/record/sample-append';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import type { BenchRow } from './bench-row.ts';
import { mean, rateRow } from './hub-rows.ts';
import { logNumber, takeBare } from './hub-take.ts';
import { timed } from './timing.ts';

const ROUNDS = 60;
const LINES = 100;
/** Lines of about 1 KB. */
const NOTE = ' '.padEnd(700, 'x');

export async function run(): Promise<BenchRow[]> {
	return [...(await sqlite()), ...(await postgres())];
}

/** Interleaved, so that load on the machine affects all of them. */
async function rounds(actions: ((round: number) => Promise<unknown>)[]): Promise<number[]> {
	const times = actions.map(() => [] as number[]);
	for (let round = 0; round < ROUNDS; round++) {
		for (const [at, action] of actions.entries()) times[at]?.push(await timed(() => action(round)));
	}
	// The first ones compile statements.
	return times.map((each) => LINES / (mean(each.slice(5)) / 1_000));
}

async function sqlite(): Promise<BenchRow[]> {
	await using directory = await createTempDir();
	await using store = unwrap(openSqliteHubStore({ path: join(directory.path, 'hub.db') }));
	await using own = unwrap(openSqliteStore({ path: join(directory.path, 'roost.db'), access: 'write' }));
	const log = await pair(store, 'runner-1');
	const lines = await manyLines('runner-1');
	let seq = 0;
	const [value = 0, floorValue = 0] = await rounds([
		(round) => take(store, log, lines, round),
		async () => {
			const text = { kind: 'agent.message', data: { text: NOTE } } as const;
			const events = Array.from({ length: LINES }, () => sampleEvent('bench', ++seq, text));
			unwrap(await own.append(sampleAppend('bench', events)));
		},
	]);
	return [rateRow({ bar: 'hub ingest, SQLite, batches of 100', floor: "the runner's own append", value, floorValue }, 0.8)];
}

async function postgres(): Promise<BenchRow[]> {
	await using server = await startPostgres();
	await using directory = await createTempDir();
	const url = await server.createDatabase();
	await using store = unwrap(await openPostgresHubStore({ url }));
	const sql = createPostgresSql(url, { title: 'the database', database: 'bench' });
	const file = openSync(join(directory.path, 'floor'), 'w');
	try {
		const [log, bare] = [await pair(store, 'runner-1'), await pair(store, 'runner-2')];
		const [lines, bareLines] = [await manyLines('runner-1'), await manyLines('runner-2')];
		const writer = createPostgresLogWriter(sql);
		const logNo = await logNumber(writer, bare);
		const [value = 0, bareValue = 0, syncs = 0] = await rounds([
			(round) => take(store, log, lines, round),
			(round) => takeBare(writer, logNo, bareLines.slice(round * LINES, (round + 1) * LINES)),
			async () => {
				writeSync(file, NOTE);
				fdatasyncSync(file);
			},
		]);
		const bar = 'hub ingest, Postgres, batches of 100';
		return [
			rateRow({ bar, floor: 'fdatasync/s of the same disk', value, floorValue: syncs / LINES }, 8),
			rateRow({ bar, floor: 'the bare call of take_lines', value, floorValue: bareValue }, 0.7),
		];
	} finally {
		closeSync(file);
		await sql.close();
	}
}

async function pair(store: HubStore, id: string): Promise<LogName> {
	unwrap(await store.runners.pair(sampleRunner(id)));
	unwrap(await store.logs.openEpoch(logOf(id), 'the log began', 1));
	return logOf(id);
}

async function take(store: HubStore, log: LogName, lines: readonly ChainedLine[], round: number): Promise<void> {
	const taken = unwrap(await store.logs.take(sampleBatch(log, lines.slice(round * LINES, (round + 1) * LINES))));
	if (taken.added.length !== LINES) throw new Error('lines are missing');
}

function manyLines(runner: string): Promise<ChainedLine[]> {
	return sampleLog(
		runner,
		Array.from({ length: ROUNDS * LINES }, (_, at) => `s${at % 3}`),
		NOTE,
	);
}
