// The WebSocket side of the stream: an upgrade passes the checks, becomes a connection, and is forgotten when it closes.
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@roost/protocol/app-error';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { Backend } from '../backend.ts';
import type { Caller } from '../caller.ts';
import { type Checks, pathOf } from '../checks.ts';
import { errorReply, toAppError } from '../errors.ts';
import type { GatewayLimits } from '../limits.ts';
import type { Log } from '../log.ts';
import { type Reply, writeRawReply } from '../reply.ts';
import { STREAM_PATH } from '../routes/stream.ts';
import { createCommands } from './commands.ts';
import { createConnection } from './connection.ts';
import { createFanOut } from './fan-out.ts';
import { createHeartbeat } from './heartbeat.ts';

export type SocketsDeps = { backend: Backend; checks: Checks; limits: GatewayLimits; newId: () => string; log: Log };

export type Sockets = { serve(server: Server): void; clients(): number; close(): Promise<void> };

export function createSockets(deps: SocketsDeps): Sockets {
	const { backend, limits } = deps;
	const upgrader = new WebSocketServer({ noServer: true, maxPayload: limits.bodyBytes, perMessageDeflate: false });
	const commands = createCommands({ asks: backend.asks, keptResults: limits.keptResults, newId: deps.newId, log: deps.log });
	const fanOut = createFanOut(backend);
	const heartbeat = createHeartbeat(limits.pingMs);
	let closing = false;

	function accept(socket: WebSocket, { principal }: Caller): void {
		const wire = {
			write: (frame: Buffer, taken: () => void) => socket.send(frame, { binary: false }, taken),
			close: (code: number, reason: string) => socket.close(code, reason),
			cut: () => socket.terminate(),
			ping: () => socket.ping(),
		};
		const connection = createConnection({ backend, commands, principal, limits, wire });
		heartbeat.add(wire);
		const leave = fanOut.add(connection);
		socket.on('pong', () => heartbeat.heard(wire));
		socket.on('message', (message, isBinary) => {
			heartbeat.heard(wire);
			connection.receive(isBinary ? undefined : toText(message));
		});
		socket.on('error', (error) => deps.log({ level: 'warn', msg: 'a client broke the stream', error: error.message }));
		socket.on('close', () => {
			leave();
			heartbeat.remove(wire);
		});
	}

	function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
		socket.on('error', () => socket.destroy());
		const admission = deps.checks.admit(request);
		if (!admission.ok) {
			deps.log({ level: 'warn', msg: 'refused an upgrade', check: admission.check, status: admission.reply.status });
			writeRawReply(socket, admission.reply);
			return;
		}
		const refusal = findRefusal(request, closing || upgrader.clients.size >= limits.clients);
		if (refusal) writeRawReply(socket, refusal);
		else upgrader.handleUpgrade(request, socket, head, (opened) => accept(opened, admission.caller));
	}

	return {
		serve: (server) => void server.on('upgrade', upgrade),
		clients: () => upgrader.clients.size,
		async close() {
			closing = true;
			fanOut[Symbol.dispose]();
			heartbeat[Symbol.dispose]();
			const gone = [...upgrader.clients].map(sayGoodbye);
			await Promise.race([Promise.all(gone), delay(GOODBYE_MS, undefined, { ref: false })]);
			for (const client of upgrader.clients) client.terminate();
			await Promise.all(gone);
		},
	};
}

/** How long a client may take to say goodbye too. */
const GOODBYE_MS = 500;

async function sayGoodbye(client: WebSocket): Promise<void> {
	const { promise, resolve } = Promise.withResolvers<void>();
	client.once('close', () => resolve());
	client.close(1001, 'the runner ends');
	await promise;
}

function findRefusal(request: IncomingMessage, full: boolean): Reply | undefined {
	if (pathOf(request) !== STREAM_PATH) return errorReply(toAppError(404, ''));
	if (full) return errorReply(new AppError('store_busy', 'No more clients can listen now: close one, or try again later.'));
	return undefined;
}

function toText(message: RawData): string {
	if (Buffer.isBuffer(message)) return message.toString();
	return (Array.isArray(message) ? Buffer.concat(message) : Buffer.from(message)).toString();
}
