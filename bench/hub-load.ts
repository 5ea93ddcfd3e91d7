// A log of 100,000 lines: into a hub as a backfill, and out of it to a face.
import { copyFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { placeLines } from '@roost/hub/runners/read-frame';
import { openSqliteHubStore } from '@roost/hub/store/sqlite-hub-store';
import { createBatchReader } from '@roost/runner/uplink/read-batch';
import { openCountingSocket } from '@roost/testkit/rigs/api/counting-sockets';
import { startHubProcess } from '@roost/testkit/rigs/hub/hub-process';
import { startRealHub } from '@roost/testkit/rigs/hub/real-hub';
import { logOf, sampleRunner } from '@roost/testkit/rigs/hub/sample-log';
import { RUNNER_KEY } from '@roost/testkit/rigs/hub/scripted-runner';
import { openUplinkRig, UPLINK_RUNNER, type UplinkRig } from '@roost/testkit/rigs/hub/uplink-rig';
import { createSeeded } from '@roost/testkit/rigs/seeded';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import type { BenchRow } from './bench-row.ts';
import { rateRow } from './hub-rows.ts';
import { quantile, timed, within } from './timing.ts';

const EVENTS = 100_000;
const PAGE = 1_000;
const READ_LINES = 256;
const REPLAYS = 3;
const LIMIT_MS = 300_000;
const TEXT = 'x'.repeat(600);
/** The frames `hello` and `caught-up`. */
const GREETING = 2;

export async function run(): Promise<BenchRow[]> {
	await using directory = await createTempDir();
	const bare = join(directory.path, 'bare.db');
	const rows: BenchRow[] = [];
	{
		await using hub = await startRealHub({ path: join(directory.path, 'hub.db'), random: createSeeded(1) });
		await using rig = await openUplinkRig(hub, { key: RUNNER_KEY, isPaired: false });
		for (let at = 0; at < EVENTS; at += PAGE) await rig.append(`s${(at / PAGE) % 7}`, PAGE, TEXT);
		const floorMs = await timed(() => takeAll(rig, bare));
		const ms = await timed(async () => {
			rig.pair();
			const isDone = async () => unwrap(await hub.node.store.logs.end(logOf('runner-1'))).lastSeqNo >= EVENTS;
			while (!(await within(LIMIT_MS, isDone(), 'the backfill'))) await new Promise((resolve) => setTimeout(resolve, 10));
		});
		const floor = 'reading and storing the same batches in one process';
		const bar = `hub, backfill of ${EVENTS} lines`;
		rows.push(rateRow({ bar, floor, value: perSecond(ms), floorValue: perSecond(floorMs) }, 0.5));
	}
	rows.push(await replay(bare));
	return rows;
}

/** Without a connection, acknowledgements and followers. */
async function takeAll(rig: UplinkRig, path: string): Promise<void> {
	await using store = unwrap(openSqliteHubStore({ path }));
	unwrap(await store.runners.pair(sampleRunner('runner-1')));
	unwrap(await store.logs.openEpoch(logOf('runner-1'), 'the log began', 1));
	const reader = createBatchReader(rig.store, UPLINK_RUNNER);
	for (let at = 0; at < EVENTS; ) {
		const batch = unwrap(reader.read(at, EVENTS));
		if (!batch) throw new Error('the record has no more lines');
		unwrap(await store.logs.take(unwrap(placeLines(logOf('runner-1'), batch.head, batch.lines))));
		at = batch.last;
	}
}

async function replay(path: string): Promise<BenchRow> {
	const pages = await timed(() => readAll(path));
	await using hub = await startHubProcess();
	await hub.kill();
	const own = join(hub.home, 'hub', 'hub.db');
	for (const suffix of ['', '-wal', '-shm']) rmSync(`${own}${suffix}`, { force: true });
	copyFileSync(path, own);
	await hub.restart();
	const token = readFileSync(join(hub.home, 'hub', 'token'), 'utf8').trim();
	const url = `${hub.url.replace('http', 'ws')}/api/v1/runners/runner-1/stream`;
	const faced: number[] = [];
	for (let at = 0; at < REPLAYS; at++) {
		using face = await openCountingSocket(url, { authorization: `Bearer ${token}` });
		const received = within(LIMIT_MS, face.received(GREETING + EVENTS), 'the lines');
		faced.push(
			await timed(async () => {
				face.send(JSON.stringify({ type: 'subscribe-all', sub: 'bench', after: null }));
				await received;
			}),
		);
	}
	const bar = `hub, replay of ${EVENTS} lines to a face`;
	const value = perSecond(quantile(faced, 0.5));
	return rateRow({ bar, floor: 'bare pages of the same storage', value, floorValue: perSecond(pages) }, 0.5);
}

async function readAll(path: string): Promise<void> {
	await using store = unwrap(openSqliteHubStore({ path }));
	for (let at = 0; at < EVENTS; at += READ_LINES)
		unwrap(await store.logs.read(logOf('runner-1'), { afterSeqNo: at, limit: READ_LINES }));
}

function perSecond(ms: number): number {
	return EVENTS / (ms / 1_000);
}
