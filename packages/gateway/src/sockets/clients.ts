// The open sockets of one kind: pinged, counted until they are closed, and closed when their device is revoked.
import { setTimeout as delay } from 'node:timers/promises';
import { NOT_ADMITTED } from '@roost/protocol/api/devices';
import type { RawData, WebSocket } from 'ws';
import type { Caller } from '../access/caller.ts';
import type { Logins } from '../access/secrets.ts';
import type { Log } from '../http/log.ts';

export type Clients = Disposable & {
	/** For a caller who was admitted. */
	add(socket: WebSocket, caller: Caller, handlers: ClientHandlers): void;
	/** False for a socket whose device was revoked, although it may still be closing. */
	has(socket: WebSocket): boolean;
	/** Until they are closed, also those whose device was revoked. */
	count(): number;
	/** Undefined for a socket whose device was revoked. */
	faceOf(socket: WebSocket): string | undefined;
};

export type ClientHandlers = {
	onMessage(message: Buffer, isBinary: boolean): void;
	onClose(code: number): void;
};

export function createClients(deps: { logins: Pick<Logins, 'onEnd'>; pingMs: number; name: string; log: Log }): Clients {
	const callers = new Map<WebSocket, Caller>();
	const heartbeat = createHeartbeat(deps.pingMs);
	let open = 0;
	const stop = deps.logins.onEnd((ended) => {
		for (const [socket, caller] of [...callers]) {
			if (caller.via !== 'device' || caller.device !== ended) continue;
			callers.delete(socket);
			void dismiss(socket, NOT_ADMITTED, 'device revoked');
		}
	});

	return {
		add(socket, caller, { onMessage, onClose }) {
			callers.set(socket, caller);
			open++;
			heartbeat.add(socket);
			socket.on('pong', () => heartbeat.received(socket));
			socket.on('message', (message, isBinary) => {
				heartbeat.received(socket);
				if (callers.has(socket)) onMessage(toBuffer(message), isBinary);
			});
			socket.on('error', (error) => deps.log({ level: 'warn', msg: `a client broke ${deps.name}`, error: error.message }));
			socket.on('close', (code) => {
				onClose(code);
				open--;
				callers.delete(socket);
				heartbeat.remove(socket);
			});
		},
		has: (socket) => callers.has(socket),
		count: () => open,
		faceOf: (socket) => callers.get(socket)?.principal.face,
		[Symbol.dispose]() {
			stop();
			heartbeat[Symbol.dispose]();
		},
	};
}

const MISSES = 2;

/** Pings every client; one without an answer for two intervals is lost, whatever its connection reports. */
function createHeartbeat(intervalMs: number) {
	const unanswered = new Map<WebSocket, number>();
	const timer = setInterval(beat, intervalMs);
	timer.unref();

	function beat(): void {
		for (const [socket, missed] of unanswered) {
			if (missed >= MISSES) {
				unanswered.delete(socket);
				socket.terminate();
				continue;
			}
			unanswered.set(socket, missed + 1);
			socket.ping();
		}
	}

	return {
		add: (socket: WebSocket) => void unanswered.set(socket, 0),
		received(socket: WebSocket) {
			if (unanswered.has(socket)) unanswered.set(socket, 0);
		},
		remove: (socket: WebSocket) => void unanswered.delete(socket),
		[Symbol.dispose]: () => clearInterval(timer),
	};
}

/** How long a client may take to answer a close. */
const CLOSE_MS = 500;

/** Closes a socket, by force where the client does not answer in time. */
export async function dismiss(client: WebSocket, code: number, reason: string): Promise<void> {
	const { promise: closed, resolve } = Promise.withResolvers<void>();
	client.once('close', () => resolve());
	client.close(code, reason);
	await Promise.race([closed, delay(CLOSE_MS, undefined, { ref: false })]);
	client.terminate();
	await closed;
}

export function toBuffer(message: RawData): Buffer {
	if (Buffer.isBuffer(message)) return message;
	return Array.isArray(message) ? Buffer.concat(message) : Buffer.from(message);
}
