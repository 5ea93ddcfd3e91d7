// 16 concurrent hooks: the time until the last of 16 parallel reports is answered, all correctly.
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { startBareServer } from './bare-server.ts';
import type { BenchRow } from './bench-row.ts';
import { builtFile } from './built-file.ts';
import { expectNoContent, openLineReport, type Report } from './hook-client.ts';
import { runProcess } from './hook-process.ts';
import { startRunnerProcess } from './runner-process.ts';
import { quantile, timed } from './timing.ts';

const AT_ONCE = 16;
const ROUNDS = 400;
const PROCESS_ROUNDS = 5;

export async function run(): Promise<BenchRow[]> {
	await using home = await createTempDir();
	await using runner = await startRunnerProcess(home.path);
	using bare = await startBareServer(home.path);
	using opened = new DisposableStack();
	const floors: Report[] = [];
	const hooks: Report[] = [];
	for (let index = 0; index < AT_ONCE; index++) {
		floors.push(opened.use(await openLineReport(bare.echoPort)));
		hooks.push(opened.use(await runner.openHook()));
	}
	const timings = await measure(floors, hooks);
	return toRows(timings, await measureForwarders(await runner.hookEnv()));
}

type Timings = { floor: number[]; hooks: number[] };

async function measure(floors: Report[], hooks: Report[]): Promise<Timings> {
	const timings: Timings = { floor: [], hooks: [] };
	for (let round = 0; round < ROUNDS; round++) {
		timings.floor.push(await timed(() => Promise.all(floors.map((floor) => floor()))));
		let answers: string[] = [];
		timings.hooks.push(
			await timed(async () => {
				answers = await Promise.all(hooks.map((hook) => hook()));
			}),
		);
		for (const answer of answers) expectNoContent(answer);
	}
	return { floor: timings.floor.slice(ROUNDS / 10), hooks: timings.hooks.slice(ROUNDS / 10) };
}

async function measureForwarders(env: Record<string, string>): Promise<number[]> {
	const forwarder = builtFile('forwarder');
	const times: number[] = [];
	for (let round = 0; round < PROCESS_ROUNDS; round++) {
		const one = () => runProcess(process.execPath, [forwarder, 'SessionStart'], env);
		times.push(await timed(() => Promise.all(Array.from({ length: AT_ONCE }, one))));
	}
	return times;
}

function toRows({ floor, hooks }: Timings, forwarders: number[]): BenchRow[] {
	const floorValue = quantile(floor, 0.5);
	const row = (bar: string, value: number): Omit<BenchRow, 'target' | 'met'> => {
		return {
			bar,
			floor: `${AT_ONCE} concurrent lines over sockets, parsed and answered`,
			floorValue,
			value,
			unit: 'ms',
			ratio: value / floorValue,
		};
	};
	const http = row(`${AT_ONCE} concurrent hooks, HTTP`, quantile(hooks, 0.5));
	const processes = row(`${AT_ONCE} concurrent hooks, process per hook`, quantile(forwarders, 0.5));
	return [
		{ ...http, target: '<= 3x', met: http.ratio <= 3 },
		{ ...processes, target: 'printed', met: true },
	];
}
