// The terminal UI in a real terminal, as users start it: time to the first frame, and the cost of idling.
import { readFileSync, realpathSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { openTui, type TuiRig } from '@roost/testkit/rigs/tui/tui-rig';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import type { BenchRow } from './bench-row.ts';
import { builtFile } from './built-file.ts';
import { startRunnerProcess } from './runner-process.ts';
import { fillHome } from './stored-home.ts';
import { quantile } from './timing.ts';

const EVENTS = 100_000;
const ROUNDS = 5;
const IDLE_MS = 5_000;
const DEADLINE_MS = 120_000;
const FRAME = '\x1b[?2026h';
/** One clock tick, the unit of CPU time on Linux. */
const TICK_MS = 10;

export async function run(): Promise<BenchRow[]> {
	const empty = await measure(0);
	const long = await measure(EVENTS);
	const toBare = (bar: string, value: number, floorValue: number): BenchRow => {
		const floor = 'node -e 0 in the same terminal';
		return { bar, floor, floorValue, value, unit: 'ms', ratio: value / floorValue, target: 'printed', met: true };
	};
	return [
		toBare('terminal UI, start to first frame, empty record', empty.frameMs, empty.bareMs),
		toBare('terminal UI, start to first frame, 100 000 events', long.frameMs, long.bareMs),
		toBare('terminal UI, start to the newest of 100 000 events', long.newestMs, long.bareMs),
		toBare('terminal UI, start until all 100 000 events are read', long.wholeMs, long.bareMs),
		{
			bar: 'terminal UI, idle CPU, 100 000 events',
			floor: 'empty record',
			floorValue: empty.idlePercent,
			value: long.idlePercent,
			unit: '%',
			ratio: long.idlePercent / empty.idlePercent,
			target: '<= 1 %',
			met: long.idlePercent <= 1,
		},
		{
			bar: 'terminal UI, memory with 100 000 events',
			floor: 'empty record',
			floorValue: empty.megabytes,
			value: long.megabytes,
			unit: 'MB',
			ratio: long.megabytes / empty.megabytes,
			target: 'printed',
			met: true,
		},
	];
}

async function measure(events: number) {
	await using temp = await createTempDir();
	const home = realpathSync(temp.path);
	await fillHome(home, events, { perSession: EVENTS, project: home });
	await using _runner = await startRunnerProcess(home);
	const env = { PATH: process.env.PATH ?? '', HOME: home, ROOST_HOME: home };
	// First, so that a new runner has finished its start-up work.
	const resting = await rest(home, env, events);
	const starts: Start[] = [];
	for (let round = 0; round < ROUNDS; round += 1) starts.push(await startOnce(home, env, events));
	const median = (pick: (start: Start) => number) => quantile(starts.map(pick), 0.5);
	return {
		bareMs: median(({ bareMs }) => bareMs),
		frameMs: median(({ frameMs }) => frameMs),
		newestMs: median(({ newestMs }) => newestMs),
		wholeMs: median(({ wholeMs }) => wholeMs),
		...resting,
	};
}

type Start = { bareMs: number; frameMs: number; newestMs: number; wholeMs: number };

async function startOnce(cwd: string, env: Record<string, string>, events: number): Promise<Start> {
	const bareStarted = performance.now();
	await using bare = openTui({ cwd, env, argv: [process.execPath, '-e', '0'] });
	await bare.waitForExit();
	const bareMs = performance.now() - bareStarted;
	const started = performance.now();
	await using tui = openBuilt(cwd, env);
	const until = async (what: string, fits: () => boolean) => {
		await waitFor(() => (fits() ? true : undefined), {
			deadlineMs: DEADLINE_MS,
			what,
			everyMs: 2,
			seen: () => tui.terminal.text(),
		});
		return performance.now() - started;
	};
	const frameMs = await until('a frame', () => tui.bytes().includes(FRAME));
	if (events === 0) return { bareMs, frameMs, newestMs: frameMs, wholeMs: frameMs };
	const newestMs = await until('the newest event', () => tui.terminal.text().includes(`have said ${events - 1}`));
	const wholeMs = await until('all events', () => !tui.terminal.text().includes('reading the record'));
	return { bareMs, frameMs, newestMs, wholeMs };
}

/** After everything is read, while idle. */
async function rest(cwd: string, env: Record<string, string>, events: number) {
	await using tui = openBuilt(cwd, env);
	await tui.waitForScreen(events === 0 ? /No session yet/ : (screen) => screen.includes(`have said ${events - 1}`), DEADLINE_MS);
	await tui.waitForScreen((screen) => !screen.includes('reading the record'), DEADLINE_MS);
	await waitUntilQuiet(tui.pid);
	const before = cpuMs(tui.pid);
	const started = performance.now();
	await delay(IDLE_MS);
	const idlePercent = ((cpuMs(tui.pid) - before) / (performance.now() - started)) * 100;
	return { idlePercent, megabytes: residentMegabytes(tui.pid) };
}

/** Excludes start-up work from the idle measurement. */
async function waitUntilQuiet(pid: number): Promise<void> {
	let last = Number.NEGATIVE_INFINITY;
	const look = () => {
		const used = cpuMs(pid) - last;
		last = cpuMs(pid);
		return used <= TICK_MS ? true : undefined;
	};
	await waitFor(look, { deadlineMs: DEADLINE_MS, what: 'it to be quiet', everyMs: 1_000 });
}

function openBuilt(cwd: string, env: Record<string, string>): TuiRig {
	return openTui({ cwd, env, columns: 120, rows: 40, argv: [process.execPath, builtFile('start')] });
}

function cpuMs(pid: number): number {
	const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
	return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

function residentMegabytes(pid: number): number {
	return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;
}
