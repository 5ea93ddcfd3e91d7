// Hook to subscriber: the time from a report until a client has the stored line, at a low and at a high rate.
import { openCountingSocket } from '@roost/testkit/rigs/api/counting-sockets';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { arrive } from './arrivals.ts';
import { startBareServer } from './bare-server.ts';
import type { BenchRow } from './bench-row.ts';
import { openHttpHook, PAYLOAD, type Report } from './hook-client.ts';
import { startRunnerProcess } from './runner-process.ts';
import { quantile } from './timing.ts';

const RATES = [100, 2_000] as const;
const AGENTS = 16;
const TURN_SECONDS = 2.5;
/** Floor and value alternate, so that load on the machine affects both. */
const TURNS = 3;
/** Rounds that do not count, until V8 has compiled what a runner that is up for minutes has compiled. */
const WARM_UP_TURNS = 3;
const MAX_RATIO = 3;
/** Limits at the high rate, in milliseconds: still perceived as live. */
const BUSY_MS = { 0.5: 10, 0.99: 50 } as const;

export async function run(): Promise<BenchRow[]> {
	await using home = await createTempDir();
	await using runner = await startRunnerProcess(home.path);
	using bare = await startBareServer(home.path);
	using opened = new DisposableStack();
	const stopwatch = createStopwatch();
	opened.use(await runner.subscribe(0, stopwatch.seen));
	opened.use(await openCountingSocket(bare.subscribeUrl, {}, stopwatch.seen));
	const agents: Report[] = [];
	const bareAgents: Report[] = [];
	for (let index = 0; index < AGENTS; index++) {
		agents.push(inSession(opened.use(await runner.openHook()), `bench-${index}`));
		bareAgents.push(opened.use(await openHttpHook({ httpUrl: `http://127.0.0.1:${bare.relayPort}/`, secret: 'none' })));
	}
	const rows: BenchRow[] = [];
	for (const perSecond of RATES) {
		const times = { floor: [] as number[], value: [] as number[] };
		for (let turn = -WARM_UP_TURNS; turn < TURNS; turn++) {
			const floor = await stopwatch.measure(bareAgents, perSecond);
			const value = await stopwatch.measure(agents, perSecond);
			if (turn < 0) continue;
			times.floor.push(...floor);
			times.value.push(...value);
		}
		const limits = perSecond === RATES[0] ? undefined : BUSY_MS;
		rows.push(toRow(perSecond, 0.5, times, limits?.[0.5]), toRow(perSecond, 0.99, times, limits?.[0.99]));
	}
	return rows;
}

function inSession(report: Report, session_id: string): Report {
	return Object.assign((payload = {}) => report({ ...payload, session_id }), { [Symbol.dispose]: report[Symbol.dispose] });
}

/** Numbers every report and finds the number in the subscriber's frames. */
function createStopwatch() {
	const dueAt = new Map<number, number>();
	let times: number[] = [];
	let next = 0;

	function payloadAt(index: number): Record<string, unknown> {
		const hook_event_name = index % 2 === 0 ? 'PreToolUse' : 'PostToolUse';
		return { ...PAYLOAD, hook_event_name, tool_use_id: `toolu_mark${index}_` };
	}

	return {
		seen(frame: Buffer): void {
			const mark = Number(/toolu_mark(\d+)_/.exec(frame.toString())?.[1]);
			const due = dueAt.get(mark);
			if (due === undefined) return;
			dueAt.delete(mark);
			times.push(performance.now() - due);
		},
		async measure(agents: readonly Report[], perSecond: number): Promise<number[]> {
			const first = next;
			const count = Math.round(perSecond * TURN_SECONDS);
			next += count;
			times = [];
			await arrive({
				perSecond,
				count,
				agents,
				payloadAt: (index) => payloadAt(first + index),
				onDue: (index) => dueAt.set(first + index, performance.now()),
			});
			await waitFor(() => dueAt.size === 0 || undefined, { deadlineMs: 20_000, what: 'every report to be seen' });
			return times;
		},
	};
}

type Times = { floor: number[]; value: number[] };

/** Without a limit, the target is a ratio to the floor. */
function toRow(perSecond: number, share: number, { floor, value }: Times, mostMs?: number): BenchRow {
	const floorValue = quantile(floor, share);
	const ms = quantile(value, share);
	const ratio = ms / floorValue;
	return {
		bar: `hook → stored → received by a subscriber, ${perSecond} events/s, p${share * 100}`,
		floor: 'plain HTTP, one fdatasync, plain ws',
		floorValue,
		value: ms,
		unit: 'ms',
		ratio,
		target: mostMs === undefined ? `<= ${MAX_RATIO}x` : `<= ${mostMs} ms`,
		met: mostMs === undefined ? ratio <= MAX_RATIO : ms <= mostMs,
	};
}
