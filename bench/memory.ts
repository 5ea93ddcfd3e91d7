// Memory: a runner with a million stored events starts as fast and stays as small as a new one, whatever is read and reported.
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import type { BenchRow } from './bench-row.ts';
import { expectNoContent, PAYLOAD } from './hook-client.ts';
import { type RunnerProcess, startRunnerProcess } from './runner-process.ts';
import { fillHome } from './stored-home.ts';

const EVENTS = 1_000_000;
const AGENTS = 4;
const REPORTS = 1_000;
const MAX_MB = 150;
/** The frames `hello` and `caught-up`. */
const GREETING = 2;

export async function run(): Promise<BenchRow[]> {
	const fresh = await measure(0);
	const full = await measure(EVENTS);
	return [
		{
			bar: 'peak memory of a runner with 1 000 000 stored events while all were read and agents reported',
			floor: 'a new runner, the same reports',
			floorValue: fresh.peak,
			value: full.peak,
			unit: 'MB',
			ratio: full.peak / fresh.peak,
			target: `<= ${MAX_MB} MB`,
			met: full.peak <= MAX_MB,
		},
		{
			bar: 'memory after reading and reporting everything twice',
			floor: 'after reading and reporting once',
			floorValue: full.once,
			value: full.twice,
			unit: 'MB',
			ratio: full.twice / full.once,
			target: '<= 1.1x',
			met: full.twice / full.once <= 1.1,
		},
		{
			bar: 'start of a runner with 1 000 000 stored events',
			floor: 'start of a new runner',
			floorValue: fresh.startMs,
			value: full.startMs,
			unit: 'ms',
			ratio: full.startMs / fresh.startMs,
			target: '<= 1.5x',
			met: full.startMs / fresh.startMs <= 1.5,
		},
	];
}

type Seen = { startMs: number; once: number; twice: number; peak: number };

async function measure(events: number): Promise<Seen> {
	await using home = await createTempDir();
	const sessions = await fillHome(home.path, events);
	await using runner = await startRunnerProcess(home.path);
	await use(runner, sessions, events);
	const once = runner.memory().now;
	await use(runner, sessions, events);
	const { now: twice, peak } = runner.memory();
	return { startMs: runner.startMs, once, twice, peak };
}

/** Lists and reads like a face, subscribes from the first event, and lets agents report at the same time. */
async function use(runner: RunnerProcess, sessions: number, events: number): Promise<void> {
	if (unwrap(await runner.api.record.sessions()).length < sessions) throw new Error('sessions are missing');
	unwrap(await runner.api.asks.list());
	using subscriber = await runner.subscribe(0);
	await Promise.all([subscriber.received(GREETING + events), ...Array.from({ length: AGENTS }, () => reportWork(runner))]);
}

async function reportWork(runner: RunnerProcess): Promise<void> {
	using report = await runner.openHook();
	const session_id = crypto.randomUUID();
	for (let at = 0; at < REPORTS; at++) {
		const payload = { ...PAYLOAD, session_id, tool_use_id: `toolu_${at}` };
		expectNoContent(await report({ ...payload, hook_event_name: 'PreToolUse' }));
		expectNoContent(await report(payload));
	}
}
