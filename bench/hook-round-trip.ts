// Hook round trip: the latency of one report, with a process per hook (the forwarder) and without (HTTP).
import { setTimeout as delay } from 'node:timers/promises';
import { toPinnedArgv } from '@roost/core/process/loader-variables';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { startBareServer } from './bare-server.ts';
import type { BenchRow } from './bench-row.ts';
import { builtFile } from './built-file.ts';
import { expectNoContent, openLineReport, type Report } from './hook-client.ts';
import { runProcess } from './hook-process.ts';
import { startRunnerProcess } from './runner-process.ts';
import { quantile, timed } from './timing.ts';

const PROCESS_ROUNDS = 40;
const SOCKET_ROUNDS = 1500;
/** Pause between two reports, as for a real agent; without it, a report would wait for the commit of the one before. */
const PAUSE_MS = 3;

export async function run(): Promise<BenchRow[]> {
	await using home = await createTempDir();
	await using runner = await startRunnerProcess(home.path);
	const processes = await measureProcesses(await runner.hookEnv());
	using bare = await startBareServer(home.path);
	using floor = await openLineReport(bare.echoPort);
	using hook = await runner.openHook();
	return [...processRows(processes), ...socketRows(await measureSockets(floor, hook))];
}

type Timings = { floor: number[]; value: number[] };
type ProcessTimings = Timings & { bare: number[] };

async function measureProcesses(env: Record<string, string>): Promise<ProcessTimings> {
	const [program, ...args] = toPinnedArgv([process.execPath, builtFile('forwarder'), 'SessionStart']);
	const timings: ProcessTimings = { bare: [], floor: [], value: [] };
	for (let round = 0; round < PROCESS_ROUNDS; round++) {
		timings.bare.push(await timed(() => runProcess('/bin/true', [], env)));
		timings.floor.push(await timed(() => runProcess(process.execPath, ['-e', '0'], env)));
		timings.value.push(await timed(() => runProcess(program, args, env)));
	}
	return timings;
}

async function measureSockets(floor: Report, hook: Report): Promise<Timings> {
	const timings: Timings = { floor: [], value: [] };
	for (let round = 0; round < SOCKET_ROUNDS; round++) {
		await delay(PAUSE_MS);
		timings.floor.push(await timed(floor));
		timings.value.push(await timed(async () => expectNoContent(await hook())));
	}
	return { floor: timings.floor.slice(SOCKET_ROUNDS / 10), value: timings.value.slice(SOCKET_ROUNDS / 10) };
}

function processRows({ bare, floor, value }: ProcessTimings): BenchRow[] {
	// Starting a process is mostly waiting for a core: the fastest tenth shows the cost on an idle core.
	const [empty, node, hook] = [bare, floor, value].map((values) => quantile(values, 0.1));
	const row = (name: string, floorValue = Number.NaN, ms = Number.NaN): Omit<BenchRow, 'target' | 'met'> => {
		return { bar: 'hook round trip, process per hook', floor: name, floorValue, value: ms, unit: 'ms', ratio: ms / floorValue };
	};
	const overNode = row('node -e 0', node, hook);
	return [
		{ ...overNode, target: '<= 1.3x', met: overNode.ratio <= 1.3 },
		{ ...row('/bin/true', empty, hook), target: 'printed', met: true },
	];
}

function socketRows({ floor, value }: Timings): BenchRow[] {
	const row = (share: number, met: (ratio: number, ms: number) => boolean, target: string): BenchRow => {
		const ms = quantile(value, share);
		const floorValue = quantile(floor, share);
		const bar = `hook round trip, no process, p${share * 100}`;
		return {
			bar,
			floor: 'one line over a socket, parsed and answered',
			floorValue,
			value: ms,
			unit: 'ms',
			ratio: ms / floorValue,
			target,
			met: met(ms / floorValue, ms),
		};
	};
	return [row(0.5, (ratio) => ratio <= 3, '<= 3x'), row(0.99, (_ratio, ms) => ms < 10, '< 10 ms')];
}
