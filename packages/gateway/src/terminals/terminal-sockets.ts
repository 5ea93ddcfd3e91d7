// The WebSocket side of terminals: one socket is one viewer, until either of them goes.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { NOT_ADMITTED } from '@roost/protocol/api/devices';
import { MOST_FRAME_BYTES } from '@roost/protocol/api/terminals';
import { terminals } from '@roost/protocol/contract/machine';
import { type TerminalId, terminalId } from '@roost/protocol/ids';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { Caller } from '../access/caller.ts';
import type { Logins } from '../access/logins.ts';
import type { GatewayLimits } from '../http/limits.ts';
import type { Log } from '../http/log.ts';
import type { TerminalScreens } from '../operations/backend.ts';
import { createAdmitted } from '../sockets/admitted.ts';
import { dismiss } from '../sockets/dismiss.ts';
import type { Heartbeat } from '../sockets/heartbeat.ts';
import { createTerminalConnection } from './terminal-connection.ts';

export type TerminalSockets = {
	upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, opened: (socket: WebSocket) => void): void;
	/** For a caller who was admitted. */
	accept(socket: WebSocket, id: TerminalId, caller: Caller): void;
	clients(): number;
	close(): Promise<void>;
};

export type TerminalSocketsDeps = {
	screens: TerminalScreens;
	logins: Pick<Logins, 'onEnd'>;
	limits: GatewayLimits;
	heartbeat: Heartbeat;
	log: Log;
};

/** The terminal that a path names, if it could be one. */
export function terminalOf(path: string): TerminalId | undefined {
	const folder = `${terminals.list.path}/`;
	return path.startsWith(folder) ? terminalId.safeParse(path.slice(folder.length)).data : undefined;
}

/** A client that takes nothing holds no more than this: a snapshot, and what the watermarks let through. */
const MOST_UNTAKEN = 16 * 1024 * 1024;

/** Closed by a client that means it: with a code of its own, or with none. */
const SAID_GOODBYE = new Set([1000, 1005]);

export function createTerminalSockets(deps: TerminalSocketsDeps): TerminalSockets {
	const { heartbeat } = deps;
	const upgrader = new WebSocketServer({ noServer: true, maxPayload: MOST_FRAME_BYTES, perMessageDeflate: false });
	const admitted = createAdmitted<WebSocket>(deps.logins, (socket) => void dismiss(socket, NOT_ADMITTED, 'device revoked'));
	let accepted = 0;

	function accept(socket: WebSocket, id: TerminalId, caller: Caller): void {
		const beating = { ping: () => socket.ping(), cut: () => socket.terminate() };
		const { screens, limits } = deps;
		const connection = createTerminalConnection({ screens, id, limits, wire: toWire(socket) });
		admitted.add(socket, caller);
		accepted++;
		heartbeat.add(beating);
		socket.on('pong', () => heartbeat.heard(beating));
		socket.on('message', (message, isBinary) => {
			heartbeat.heard(beating);
			if (admitted.has(socket)) connection.receive(toBuffer(message), isBinary);
		});
		socket.on('error', (error) => deps.log({ level: 'warn', msg: 'a client broke its terminal', error: error.message }));
		socket.on('close', (code) => {
			connection.leave(SAID_GOODBYE.has(code) ? 'left' : 'lost');
			accepted--;
			admitted.remove(socket);
			heartbeat.remove(beating);
		});
	}

	return {
		upgrade: (request, socket, head, opened) => upgrader.handleUpgrade(request, socket, head, opened),
		accept,
		clients: () => accepted,
		async close() {
			admitted[Symbol.dispose]();
			await Promise.all([...upgrader.clients].map((client) => dismiss(client, 1001, 'the runner ends')));
		},
	};
}

function toWire(socket: WebSocket) {
	let untaken = 0;
	function send(content: string | Uint8Array): void {
		if (socket.readyState !== socket.OPEN) return;
		const size = content.length;
		untaken += size;
		if (untaken > MOST_UNTAKEN) socket.terminate();
		else {
			socket.send(content, { binary: typeof content !== 'string' }, () => {
				untaken -= size;
			});
		}
	}
	return { text: send, bytes: send, close: (code: number, reason: string) => socket.close(code, reason) };
}

function toBuffer(message: RawData): Buffer {
	if (Buffer.isBuffer(message)) return message;
	return Array.isArray(message) ? Buffer.concat(message) : Buffer.from(message);
}
