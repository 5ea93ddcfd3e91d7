// Fan-out to 100 sockets: stored lines to all subscribers, against a plain broadcast of the same bytes; and the cost of one stalled client for the others.
import type { LogEntry } from '@roost/protocol/log-entry';
import { type CountingSocket, openBroadcaster, openCountingSocket } from '@roost/testkit/rigs/api/counting-sockets';
import { BEARER, startTestGateway, type TestGateway } from '@roost/testkit/rigs/api/test-gateway';
import type { BenchRow } from './bench-row.ts';
import { quantile, timed } from './timing.ts';

const SOCKETS = 100;
const BATCH = 20;
const BATCHES = 150;
const WARM_UP = 20;
/** The frames `hello` and `caught-up`. */
const GREETING = 2;

export async function run(): Promise<BenchRow[]> {
	const floor = await measureFloor();
	const all = await measureGateway(false);
	const beside = await measureGateway(true);
	const floorValue = perSecond(floor);
	const value = perSecond(all);
	const ratio = value / floorValue;
	const slowed = quantile(beside, 0.99) / quantile(all, 0.99);
	return [
		{
			bar: `fan-out to ${SOCKETS} sockets`,
			floor: 'bare ws broadcast loop',
			floorValue,
			value,
			unit: 'deliveries/s',
			ratio,
			target: '>= 0.5x',
			met: ratio >= 0.5,
		},
		{
			bar: `fan-out, p99 of ${BATCH} lines beside a stalled client`,
			floor: 'the same without a stalled client',
			floorValue: quantile(all, 0.99),
			value: quantile(beside, 0.99),
			unit: 'ms',
			ratio: slowed,
			target: '<= 2x',
			met: slowed <= 2,
		},
	];
}

async function measureFloor(): Promise<number[]> {
	const line = await sampleFrame();
	using broadcaster = await openBroadcaster();
	using opened = new DisposableStack();
	const sockets: CountingSocket[] = [];
	for (let index = 0; index < SOCKETS; index++) sockets.push(opened.use(await openCountingSocket(broadcaster.url)));
	return await timeBatches(sockets, 0, () => {
		for (let at = 0; at < BATCH; at++) broadcaster.broadcast(line);
	});
}

async function sampleFrame(): Promise<string> {
	await using rig = await startTestGateway();
	const [entry] = await rig.world.append('bench', 1);
	return `{"type":"line","line":${entry?.line}}`;
}

/** Stores the lines before they are announced, to measure only the fan-out. */
async function measureGateway(withStalled: boolean): Promise<number[]> {
	await using rig = await startTestGateway();
	using opened = new DisposableStack();
	const sockets: CountingSocket[] = [];
	for (let index = 0; index < SOCKETS; index++) sockets.push(opened.use(await subscribe(rig)));
	if (withStalled) opened.use(await subscribe(rig)).pause();
	const batches: LogEntry[][] = [];
	for (let index = 0; index < BATCHES; index++) batches.push(await rig.world.store('bench', BATCH));
	return await timeBatches(sockets, GREETING, (index) => rig.world.report({ entries: batches[index] ?? [] }));
}

async function subscribe(rig: TestGateway): Promise<CountingSocket> {
	const socket = await openCountingSocket(`ws://127.0.0.1:${rig.gateway.port}/api/v1/stream`, BEARER);
	socket.send(JSON.stringify({ type: 'subscribe-all', sub: 'bench', after: null }));
	await socket.received(GREETING);
	return socket;
}

async function timeBatches(sockets: CountingSocket[], before: number, send: (index: number) => void): Promise<number[]> {
	const times: number[] = [];
	for (let index = 0; index < BATCHES; index++) {
		const expected = before + (index + 1) * BATCH;
		times.push(
			await timed(async () => {
				send(index);
				await Promise.all(sockets.map((socket) => socket.received(expected)));
			}),
		);
	}
	return times.slice(WARM_UP);
}

function perSecond(times: readonly number[]): number {
	return (SOCKETS * BATCH) / (quantile(times, 0.5) / 1_000);
}
