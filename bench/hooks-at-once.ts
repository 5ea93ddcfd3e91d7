// 16 hooks at once: how long until the last of 16 parallel reports is answered, every one correctly.
import type { BenchRow } from './bench-row.ts';
import { expectNoContent, openEcho, openServer, type RoundTrip } from './hook-client.ts';
import { compiledForwarder, runProcess } from './hook-process.ts';
import { quantile, timed } from './timing.ts';

const AT_ONCE = 16;
const ROUNDS = 400;
const PROCESS_ROUNDS = 5;

export async function run(): Promise<BenchRow[]> {
	await using server = await openServer();
	await using echo = await openEcho();
	using opened = new DisposableStack();
	const floors: RoundTrip[] = [];
	const hooks: RoundTrip[] = [];
	for (let index = 0; index < AT_ONCE; index++) {
		floors.push(opened.use(await echo.open()));
		hooks.push(opened.use(await server.openHttpHook()));
	}
	const timings = await measure(floors, hooks);
	return toRows(timings, await measureForwarders(server.env));
}

type Timings = { floor: number[]; hooks: number[] };

async function measure(floors: RoundTrip[], hooks: RoundTrip[]): Promise<Timings> {
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
	const forwarder = compiledForwarder();
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
			floor: `${AT_ONCE} lines over sockets at once, parsed and answered`,
			floorValue,
			value,
			unit: 'ms',
			ratio: value / floorValue,
		};
	};
	const http = row(`${AT_ONCE} hooks at once, HTTP`, quantile(hooks, 0.5));
	const processes = row(`${AT_ONCE} hooks at once, process per hook`, quantile(forwarders, 0.5));
	return [
		{ ...http, target: '<= 3x', met: http.ratio <= 3 },
		{ ...processes, target: 'printed', met: true },
	];
}
