// Floors that need a separate process: an echo server for lines, and a minimal path from a hook to a subscriber (HTTP, one fdatasync, WebSocket).
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Broadcaster, openBroadcaster } from '@roost/testkit/rigs/api/counting-sockets';

const KEEP_ALIVE_MS = 600_000;

type Places = { echoPort: number; relayPort: number; subscribeUrl: string };

export type BareServer = Disposable & Readonly<Places>;

export async function startBareServer(directory: string): Promise<BareServer> {
	const child = fork(fileURLToPath(import.meta.url), [join(directory, 'floor')], { execArgv: ['--conditions=source'] });
	const [ports]: Places[] = await once(child, 'message');
	if (!ports) throw new Error('the bare server has no ports');
	return { ...ports, [Symbol.dispose]: () => child.kill() };
}

async function serveBare(path: string): Promise<Places> {
	const echo = createServer((socket) => {
		socket.setNoDelay(true);
		socket.on('data', (chunk) => {
			const { tool_use_id } = JSON.parse(chunk.toString());
			socket.write(`${JSON.stringify({ tool_use_id })}\n`);
		});
	});
	const broadcaster = await openBroadcaster();
	const relay = createRelay(path, broadcaster);
	await Promise.all([once(echo.listen(0, '127.0.0.1'), 'listening'), once(relay.listen(0, '127.0.0.1'), 'listening')]);
	return { echoPort: portOf(echo.address()), relayPort: portOf(relay.address()), subscribeUrl: broadcaster.url };
}

/** Requests of one turn of the event loop share a sync, as in the store. */
function createRelay(path: string, broadcaster: Broadcaster) {
	const file = openSync(path, 'w');
	let waiting: string[] = [];
	const server = createHttpServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
		const parts: Buffer[] = [];
		request.on('data', (part: Buffer) => parts.push(part));
		request.on('end', () => {
			response.writeHead(204).end();
			if (waiting.push(JSON.stringify(JSON.parse(Buffer.concat(parts).toString()))) === 1) setImmediate(flush);
		});
	});
	function flush(): void {
		const lines = waiting;
		waiting = [];
		writeSync(file, lines.join('\n'));
		fdatasyncSync(file);
		for (const line of lines) broadcaster.broadcast(line);
	}
	server.on('close', () => closeSync(file));
	return server;
}

function portOf(address: AddressInfo | string | null): number {
	if (address === null || typeof address === 'string') throw new Error('the bare server has no port');
	return address.port;
}

if (process.send) process.send(await serveBare(process.argv[2] ?? ''));
