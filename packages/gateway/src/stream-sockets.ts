// Upgrades to WebSockets: checks each one, and connects it to the stream or to a terminal.
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError } from '@roost/protocol/app-error';
import { sockets } from '@roost/protocol/contract/machine';
import type { TerminalId } from '@roost/protocol/ids';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Caller } from './access/caller.ts';
import { type Checks, pathOf } from './access/checks.ts';
import type { Peers } from './access/peers.ts';
import type { Logins } from './access/secrets.ts';
import { errorReply, toAppError } from './http/errors.ts';
import type { GatewayLimits } from './http/limits.ts';
import type { Log } from './http/log.ts';
import { type Reply, writeRawReply } from './http/reply.ts';
import type { Callable } from './operations/api.ts';
import type { Backend } from './operations/backend.ts';
import { createClients, dismiss } from './sockets/clients.ts';
import { createWaitingRoom } from './sockets/waiting-room.ts';
import { type CallByFrame, createCalls } from './stream/calls.ts';
import { type Connection, createConnection } from './stream/connection.ts';
import { createCork } from './stream/cork.ts';
import { createFanOut } from './stream/fan-out.ts';
import { createTerminalSockets, terminalOf } from './terminals/terminal-sockets.ts';

export type SocketsDeps = {
	backend: Backend;
	api: readonly Callable[];
	checks: Checks;
	peers: Peers;
	logins: Pick<Logins, 'onEnd'>;
	limits: GatewayLimits;
	newId: () => string;
	log: Log;
};

export type Sockets = {
	serve(server: Server): void;
	clients(): number;
	/** Number of people watching. */
	watching(): number;
	lag(): Lag;
	close(): Promise<void>;
};

/** How often a client was too slow for live lines, and the largest number of unsent bytes. */
export type Lag = { times: number; bytes: number };

export function createSockets(deps: SocketsDeps): Sockets {
	const { backend, limits } = deps;
	const upgrader = new WebSocketServer({ noServer: true, maxPayload: limits.bodyBytes, perMessageDeflate: false });
	const calls = createCalls(deps);
	const fanOut = createFanOut(backend);
	const connections = new Map<WebSocket, Connection>();
	const streaming = createClients({ ...deps, pingMs: limits.pingMs, name: 'the stream' });
	const terminals = createTerminalSockets({ ...deps, screens: backend.screens });
	const room = createWaitingRoom(deps);
	const clients = () => streaming.count() + terminals.clients();
	let lagged = 0;
	let closing = false;

	function accept(socket: WebSocket, caller: Caller, request: IncomingMessage): void {
		const cork = createCork(request.socket);
		const wire = {
			write(frame: Buffer, taken: () => void) {
				cork();
				socket.send(frame, { binary: false }, taken);
			},
			close: (code: number, reason: string) => socket.close(code, reason),
			cut: () => socket.terminate(),
			later: (action: () => void) => setImmediate(() => socket.readyState === socket.OPEN && action()),
		};
		const admit = (operation: string) => deps.peers.admit(request, caller, operation);
		const call: CallByFrame = (frame) => calls.call(frame, caller, admit);
		const connection = createConnection({ backend, call, limits, wire, onLag: () => lagged++ });
		connections.set(socket, connection);
		const leave = fanOut.add(connection);
		streaming.add(socket, caller, {
			onMessage: (message, isBinary) => connection.receive(isBinary ? undefined : message.toString()),
			onClose() {
				leave();
				connection.end();
				connections.delete(socket);
			},
		});
	}

	function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
		socket.on('error', () => socket.destroy());
		const admission = deps.checks.admitUpgrade(request);
		if (!admission.ok) {
			deps.log({ level: 'warn', msg: 'refused an upgrade', check: admission.check, status: admission.reply.status });
			writeRawReply(socket, admission.reply);
			return;
		}
		const refusal = findRefusal(request, isFull());
		const { caller } = admission;
		const terminal = terminalOf(pathOf(request));
		if (refusal) writeRawReply(socket, refusal);
		else if (terminal !== undefined) void upgradeTerminal(terminal, request, socket, head, caller);
		else {
			upgrader.handleUpgrade(request, socket, head, (opened) =>
				admitOpened(opened, request, caller, (known) => accept(opened, known, request)),
			);
		}
	}

	/** Viewers of a terminal may type into it. */
	async function upgradeTerminal(
		terminal: TerminalId,
		request: IncomingMessage,
		socket: Duplex,
		head: Buffer,
		caller: Caller,
	): Promise<void> {
		const decider = await deps.peers.admit(request, caller, `GET ${pathOf(request)}`);
		if (!decider.ok) return writeRawReply(socket, errorReply(decider.error));
		terminals.upgrade(request, socket, head, (opened) =>
			admitOpened(opened, request, caller, (known) => terminals.accept(opened, terminal, known)),
		);
	}

	/** At once if the request had a credential, else after its first frame. */
	function admitOpened(opened: WebSocket, request: IncomingMessage, caller: Caller, admit: (known: Caller) => void): void {
		if (caller.via !== 'nobody') {
			admit(caller);
			return;
		}
		const findCaller = (bearer: string) => findDevice(bearer, request);
		room.add({ socket: opened, raw: request.socket, findCaller }, (known) => {
			if (isFull()) void dismiss(opened, 1013, 'too many clients');
			else admit(known);
		});
	}

	function findDevice(bearer: string, request: IncomingMessage): Caller | undefined {
		const admission = deps.checks.admitFrame(request, bearer);
		return admission.ok ? admission.caller : undefined;
	}

	function isFull(): boolean {
		return closing || clients() >= limits.clients;
	}

	return {
		serve: (server) => void server.on('upgrade', upgrade),
		clients,
		watching() {
			const visible = [...connections].filter(([, connection]) => connection.isVisible());
			return countWatching(visible.map(([socket]) => streaming.faceOf(socket) ?? ''));
		},
		lag() {
			const admitted = [...connections].filter(([socket]) => streaming.has(socket));
			return { times: lagged, bytes: Math.max(0, ...admitted.map(([, connection]) => connection.backlog())) };
		},
		async close() {
			closing = true;
			fanOut[Symbol.dispose]();
			streaming[Symbol.dispose]();
			await terminals.close();
			await Promise.all([...upgrader.clients].map((client) => dismiss(client, 1001, 'the runner ends')));
		},
	};
}

function findRefusal(request: IncomingMessage, full: boolean): Reply | undefined {
	const path = pathOf(request);
	if (path !== sockets.stream.path && terminalOf(path) === undefined) return errorReply(toAppError(404, ''));
	if (full) return errorReply(new AppError('store_busy', 'Too many clients are connected. Close one, or retry later.'));
	return undefined;
}

/** Faces that show pending requests; commands that follow a feed or ring a bell do not. */
const SHOWING_FACES = /^(?:tui|web(?::.+)?)$/;

export function countWatching(faces: Iterable<string>): number {
	let count = 0;
	for (const face of faces) if (SHOWING_FACES.test(face)) count++;
	return count;
}
