// Reading a session as rows and as its state: what a long session costs compared with a short one, and what it delays.
import type { ApiClient } from '@roost/client/api-client';
import { sessionId } from '@roost/protocol/ids';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import type { BenchRow } from './bench-row.ts';
import { type RunnerProcess, startRunnerProcess } from './runner-process.ts';
import { fillHome } from './stored-home.ts';
import { quantile, timed } from './timing.ts';

const LONG = 100_000;
const SHORT = 1_000;
const ROUNDS = 60;
const LONG_ID = sessionId.parse('s0');
const SHORT_ID = sessionId.parse('s1');
/** Both replies have the same size, so only noise may be between them. */
const SAME = 1.5;
const MOST_DELAY_MS = 30;

export async function run(): Promise<BenchRow[]> {
	await using home = await createTempDir();
	await fillHome(home.path, LONG + SHORT, { perSession: LONG });
	await using runner = await startRunnerProcess(home.path);
	const { feed } = runner.api;
	const newest = await compare((id) => feed.rows({ id, limit: 500 }));
	const oldest = await compare((id) => feed.rows({ id, before: 501, limit: 500 }));
	const folding = await measureFold(runner);
	const again = await compare((id) => feed.view({ id }));
	return [
		toRow('page of 500 rows, newest of 100,000 events', newest),
		toRow('page of 500 rows, oldest of 100,000 events', oldest),
		toRow('view of 100,000 events, folded before', again),
		...folding,
	];
}

type Compared = { long: number[]; short: number[] };

/** Alternately, so that both meet the same machine. */
async function compare(read: (id: typeof LONG_ID) => Promise<{ ok: boolean }>): Promise<Compared> {
	const times: Compared = { long: [], short: [] };
	for (let round = 0; round < ROUNDS; round++) {
		times.short.push(await timed(() => succeed(read(SHORT_ID))));
		times.long.push(await timed(() => succeed(read(LONG_ID))));
	}
	return times;
}

async function succeed(reply: Promise<{ ok: boolean }>): Promise<void> {
	if (!(await reply).ok) throw new Error('A read of the benchmark failed.');
}

function toRow(bar: string, { long, short }: Compared): BenchRow {
	const [value, floorValue] = [quantile(long, 0.5), quantile(short, 0.5)];
	const ratio = value / floorValue;
	const target = `<= ${SAME}x`;
	return { bar, floor: 'of 1,000 events', floorValue, value, unit: 'ms', ratio, target, met: ratio <= SAME };
}

/** The first view of a session that is not in memory, and replies to others while it is folded. */
async function measureFold({ api }: RunnerProcess): Promise<BenchRow[]> {
	const idle: number[] = [];
	for (let round = 0; round < ROUNDS; round++) idle.push(await timed(() => succeed(api.server.health())));
	const busy: number[] = [];
	let isFolding = true;
	const fold = timed(() => succeed(api.feed.view({ id: LONG_ID }))).finally(() => {
		isFolding = false;
	});
	while (isFolding) busy.push(await timed(() => succeed(api.server.health())));
	const value = await fold;
	const floorValue = await timed(() => readAll(api));
	const delayed = quantile(busy, 0.95);
	const before = quantile(idle, 0.5);
	return [
		{
			bar: 'first view of 100,000 events',
			floor: 'reading all events',
			floorValue,
			value,
			unit: 'ms',
			ratio: value / floorValue,
			target: `< ${SAME}x`,
			met: value < floorValue * SAME,
		},
		{
			bar: 'reply to another request during it, p95',
			floor: 'at rest, p50',
			floorValue: before,
			value: delayed,
			unit: 'ms',
			ratio: delayed / before,
			target: `< ${MOST_DELAY_MS} ms`,
			met: delayed < MOST_DELAY_MS,
		},
	];
}

async function readAll({ feed }: ApiClient): Promise<void> {
	for (let after = 0; after < LONG; after += 1_000) unwrap(await feed.events({ id: LONG_ID, after, limit: 1_000 }));
}
