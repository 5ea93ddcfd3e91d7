// The WebSocket side of terminals: one socket is one viewer.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { MOST_FRAME_BYTES } from '@roost/protocol/api/terminals';
import { terminals } from '@roost/protocol/contract/machine';
import { type TerminalId, terminalId } from '@roost/protocol/ids';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Caller } from '../access/caller.ts';
import type { Logins } from '../access/secrets.ts';
import type { GatewayLimits } from '../http/limits.ts';
import type { Log } from '../http/log.ts';
import type { TerminalScreens } from '../operations/backend.ts';
import type { PassTerminal } from '../operations/served-runner.ts';
import { createClients, dismiss } from '../sockets/clients.ts';
import { copyToBlock } from './send-blocks.ts';
import { createTerminalConnection } from './terminal-connection.ts';

export type TerminalSockets = {
	upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, opened: (socket: WebSocket) => void): void;
	/** For a caller who was admitted. */
	accept(socket: WebSocket, terminal: ServedTerminal, caller: Caller): void;
	clients(): number;
	close(): Promise<void>;
};

export type ServedTerminal = { screens: TerminalScreens; pass?: PassTerminal | undefined; id: TerminalId };

export type TerminalSocketsDeps = {
	logins: Pick<Logins, 'onEnd'>;
	limits: GatewayLimits;
	log: Log;
};

/** The terminal of a path, if it is valid. */
export function terminalOf(path: string): TerminalId | undefined {
	const folder = `${terminals.list.path}/`;
	return path.startsWith(folder) ? terminalId.safeParse(path.slice(folder.length)).data : undefined;
}

/** The most unsent bytes of a client: a snapshot, and what the watermarks allow. */
const MOST_UNSENT = 16 * 1024 * 1024;

/** Close codes of a client that leaves on purpose: normal, or none. */
const ON_PURPOSE = new Set([1000, 1005]);

export function createTerminalSockets(deps: TerminalSocketsDeps): TerminalSockets {
	const { limits } = deps;
	const upgrader = new WebSocketServer({ noServer: true, maxPayload: MOST_FRAME_BYTES, perMessageDeflate: false });
	const clients = createClients({ ...deps, pingMs: limits.pingMs, name: 'its terminal' });

	return {
		upgrade: (request, socket, head, opened) => upgrader.handleUpgrade(request, socket, head, opened),
		accept(socket, terminal, caller) {
			const { pass, id, screens } = terminal;
			const connection = pass
				? pass(id, caller, socket)
				: createTerminalConnection({ screens, id, limits, wire: toWire(socket) });
			clients.add(socket, caller, {
				onMessage: connection.receive,
				onClose: (code) => connection.leave(ON_PURPOSE.has(code) ? 'left' : 'lost'),
			});
		},
		clients: clients.count,
		async close() {
			clients[Symbol.dispose]();
			await Promise.all([...upgrader.clients].map((client) => dismiss(client, 1001, 'the runner ends')));
		},
	};
}

function toWire(socket: WebSocket) {
	let unsent = 0;
	function send(content: string | Uint8Array, onSent?: () => void): void {
		const size = content.length;
		if (socket.readyState !== socket.OPEN) return;
		unsent += size;
		if (unsent > MOST_UNSENT) socket.terminate();
		else {
			socket.send(content, { binary: typeof content !== 'string' }, () => {
				unsent -= size;
				onSent?.();
			});
		}
	}
	function bytes(content: Uint8Array): void {
		if (socket.readyState !== socket.OPEN) return;
		const block = copyToBlock(content);
		send(block.bytes, block.release);
	}
	return { text: (text: string) => send(text), bytes, close: (code: number, reason: string) => socket.close(code, reason) };
}
