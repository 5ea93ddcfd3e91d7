// A real hub with 1,000 runners: memory of those that are idle, and the time until all are back after they were cut at once.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { openSqliteHubStore } from '@roost/hub/store/sqlite-hub-store';
import { LINK_PATH } from '@roost/protocol/hub/link-frames';
import { startHubProcess } from '@roost/testkit/rigs/hub/hub-process';
import { type OpenSocket, openBareSocket, registerRunner } from '@roost/testkit/rigs/hub/many-sockets';
import { sampleRunner } from '@roost/testkit/rigs/hub/sample-log';
import { RUNNER_KEY } from '@roost/testkit/rigs/hub/scripted-runner';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import type { BenchRow } from './bench-row.ts';
import { costRow } from './hub-rows.ts';
import { quantile, timed, within } from './timing.ts';

const RUNNERS = 1_000;
const STORMS = 3;
const LIMIT_MS = 60_000;

/** Accepts TCP on one port and bare WebSockets on another. */
const BARE = `
	import { createServer } from 'node:net';
	import { WebSocketServer } from 'ws';
	const tcp = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
	const ws = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
	ws.on('connection', (socket) => socket.on('error', () => {}));
	ws.on('listening', () => console.log(JSON.stringify({ tcp: tcp.address().port, ws: ws.address().port })));
`;

export async function run(): Promise<BenchRow[]> {
	await using hub = await startHubProcess();
	await hub.kill();
	{
		await using store = unwrap(openSqliteHubStore({ path: join(hub.home, 'hub', 'hub.db') }));
		for (const id of ids()) unwrap(await store.runners.pair(sampleRunner(id, RUNNER_KEY.publicKey)));
	}
	await hub.restart();
	const bare = spawn(process.execPath, ['--input-type=module', '-e', BARE], {
		cwd: import.meta.dirname,
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	try {
		const [first] = await once(bare.stdout, 'data');
		const ports: { tcp: number; ws: number } = JSON.parse(String(first));
		const link = `${hub.url.replace('http', 'ws')}${LINK_PATH}`;
		const idle = await memoryPer(hub.program.pid, () => Promise.all(ids().map((id) => registerRunner(link, id))));
		const floor = await memoryPer(bare.pid, () => Promise.all(ids().map(() => openTcp(ports.tcp))));
		const [storms, upgrades]: number[][] = [[], []];
		for (let storm = 0; storm < STORMS; storm++) {
			upgrades?.push(await stormOf(() => openBareSocket(`ws://127.0.0.1:${ports.ws}`)));
			storms?.push(await stormOf((id) => registerRunner(link, id)));
		}
		return [
			costRow(
				{
					bar: `hub, ${RUNNERS} runners back after a cut, median of ${STORMS}`,
					floor: 'as many bare upgrades',
					value: quantile(storms ?? [], 0.5),
					floorValue: quantile(upgrades ?? [], 0.5),
				},
				2.5,
			),
			costRow(
				{ bar: `hub, memory of an idle runner, of ${RUNNERS}`, floor: 'bare TCP', value: idle, floorValue: floor },
				6,
				'KB',
			),
		];
	} finally {
		await end(bare);
	}
}

async function end(child: ChildProcess): Promise<void> {
	const exited = once(child, 'exit');
	child.kill();
	await exited;
}

const ids = () => Array.from({ length: RUNNERS }, (_, at) => `runner-${at}`);

/** All are connected, cut at once, and connected again: the time of the last part. */
async function stormOf(open: (id: string) => Promise<OpenSocket>): Promise<number> {
	for (const socket of await Promise.all(ids().map(open))) socket.end();
	let sockets: OpenSocket[] = [];
	const ms = await timed(async () => {
		sockets = await within(LIMIT_MS, Promise.all(ids().map(open)), 'a connection');
	});
	for (const socket of sockets) socket.end();
	return ms;
}

async function openTcp(port: number): Promise<Socket> {
	const socket = connect({ host: '127.0.0.1', port });
	await once(socket, 'connect');
	return socket;
}

/** In KB. Of a process that had no connections before: what it keeps of earlier ones would be used again. */
async function memoryPer(pid: number | undefined, open: () => Promise<{ end(): void }[]>): Promise<number> {
	const before = memoryOf(pid);
	const sockets = await open();
	const grown = memoryOf(pid) - before;
	for (const socket of sockets) socket.end();
	return grown / RUNNERS;
}

function memoryOf(pid: number | undefined): number {
	return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}
