// Upgrades to WebSockets: checks each one, and connects it to the stream or to a terminal.
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { NOT_ADMITTED } from '@roost/protocol/api/devices';
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
import { writeRawReply } from './http/reply.ts';
import { type FindRunner, type ServedRunner, splitRunnerPath } from './operations/served-runner.ts';
import { createClients, dismiss } from './sockets/clients.ts';
import { createWaitingRoom } from './sockets/waiting-room.ts';
import type { CallByFrame } from './stream/calls.ts';
import { type Connection, createConnection } from './stream/connection.ts';
import { createCork } from './stream/cork.ts';
import { createWatchedRunners } from './stream/watched-runners.ts';
import { createTerminalSockets, terminalOf } from './terminals/terminal-sockets.ts';

export type SocketsDeps = {
	/** Whose sockets are at the root of the API. */
	root?: ServedRunner | undefined;
	findRunner: FindRunner;
	checks: Checks;
	peers: Peers;
	logins: Pick<Logins, 'onEnd'>;
	limits: GatewayLimits;
	newId: () => string;
	log: Log;
	/** Sockets that check their callers themselves, by path. */
	findDoor?: ((path: string) => Door | undefined) | undefined;
};

export type Door = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

export type Sockets = {
	serve(server: Server): void;
	clients(): number;
	/** Number of people watching, any runner or this one. */
	watching(runner?: ServedRunner): number;
	lag(): Lag;
	close(): Promise<void>;
};

/** How often a client was too slow for live lines, and the largest number of unsent bytes. */
export type Lag = { times: number; bytes: number };

export function createSockets(deps: SocketsDeps): Sockets {
	const { limits } = deps;
	const upgrader = new WebSocketServer({ noServer: true, maxPayload: limits.bodyBytes, perMessageDeflate: false });
	const watched = createWatchedRunners(deps);
	const connections = new Map<WebSocket, { connection: Connection; runner: ServedRunner }>();
	const streaming = createClients({ ...deps, pingMs: limits.pingMs, name: 'the stream' });
	const terminals = createTerminalSockets(deps);
	const room = createWaitingRoom(deps);
	const clients = () => streaming.count() + terminals.clients();
	let lagged = 0;
	let closing = false;

	function accept(socket: WebSocket, runner: ServedRunner, caller: Caller, request: IncomingMessage): void {
		const watch = watched.use(runner);
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
		const call: CallByFrame = (frame) => watch.calls.call(frame, caller, admit);
		const connection = createConnection({ backend: runner.backend, call, limits, wire, onLag: () => lagged++ });
		connections.set(socket, { connection, runner });
		const leave = watch.fanOut.add(connection);
		streaming.add(socket, caller, {
			onMessage: (message, isBinary) => connection.receive(isBinary ? undefined : message.toString()),
			onClose() {
				leave();
				watch[Symbol.dispose]();
				connection.end();
				connections.delete(socket);
			},
		});
	}

	function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
		socket.on('error', () => socket.destroy());
		const door = deps.findDoor?.(pathOf(request));
		const misplaced = door && deps.checks.refusePlace(request);
		if (door && !misplaced) {
			door(request, socket, head);
			return;
		}
		const admission = misplaced ?? deps.checks.admitUpgrade(request);
		if (!admission.ok) {
			deps.log({ level: 'warn', msg: 'refused an upgrade', check: admission.check, status: admission.reply.status });
			writeRawReply(socket, admission.reply);
			return;
		}
		const { caller } = admission;
		const place = placeOf(deps, pathOf(request), caller);
		if (!place || isFull()) {
			writeRawReply(socket, errorReply(place ? tooManyClients() : toAppError(404, '')));
			return;
		}
		const { runner, terminal } = place;
		if (terminal !== undefined && runner) void upgradeTerminal({ runner, terminal }, request, socket, head, caller);
		else {
			upgrader.handleUpgrade(request, socket, head, (opened) =>
				admitOpened({ opened, runner, request, caller }, (known) => runner && accept(opened, runner, known, request)),
			);
		}
	}

	/** Viewers of a terminal may type into it. */
	async function upgradeTerminal(
		{ runner, terminal }: { runner: ServedRunner; terminal: TerminalId },
		request: IncomingMessage,
		socket: Duplex,
		head: Buffer,
		caller: Caller,
	): Promise<void> {
		const decider = await deps.peers.admit(request, caller, `GET ${pathOf(request)}`);
		if (!decider.ok) return writeRawReply(socket, errorReply(decider.error));
		const place = { screens: runner.backend.screens, pass: runner.passTerminal, id: terminal };
		terminals.upgrade(request, socket, head, (opened) =>
			admitOpened({ opened, runner, request, caller }, (known) => terminals.accept(opened, place, known)),
		);
	}

	/** At once if the request had a credential, else after its first frame. */
	function admitOpened({ opened, runner, request, caller }: Opened, admit: (known: Caller) => void): void {
		const admitKnown = (found: Caller) => {
			const known = runner?.callerOf(found);
			if (!known?.roles.includes('view')) void dismiss(opened, NOT_ADMITTED, 'no role for this runner');
			else if (isFull()) void dismiss(opened, 1013, 'too many clients');
			else admit(known);
		};
		const findCaller = (bearer: string) => findDevice(bearer, request);
		if (caller.via === 'nobody') room.add({ socket: opened, raw: request.socket, findCaller }, admitKnown);
		else admitKnown(caller);
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
		watching(runner) {
			const visible = [...connections].filter(
				([, one]) => one.connection.isVisible() && (runner === undefined || one.runner === runner),
			);
			return countWatching(visible.map(([socket]) => streaming.faceOf(socket) ?? ''));
		},
		lag() {
			const admitted = [...connections].filter(([socket]) => streaming.has(socket));
			return { times: lagged, bytes: Math.max(0, ...admitted.map(([, { connection }]) => connection.backlog())) };
		},
		async close() {
			closing = true;
			watched[Symbol.dispose]();
			streaming[Symbol.dispose]();
			await terminals.close();
			await Promise.all([...upgrader.clients].map((client) => dismiss(client, 1001, 'the runner ends')));
		},
	};
}

/** Without a runner nobody is admitted. */
type Opened = { opened: WebSocket; runner: ServedRunner | undefined; request: IncomingMessage; caller: Caller };

type Place = { runner: ServedRunner | undefined; terminal: TerminalId | undefined };

/** What a path opens: the stream of a runner, or one of its terminals. Before its first frame, nobody learns which runners exist. */
function placeOf(
	{ root, findRunner }: Pick<SocketsDeps, 'root' | 'findRunner'>,
	path: string,
	caller: Caller,
): Place | undefined {
	const named = splitRunnerPath(path);
	const found = named ? findRunner(named.runner) : root;
	const terminal = terminalOf(named?.path ?? path);
	const isPlace = terminal !== undefined || (named?.path ?? path) === sockets.stream.path;
	if (!isPlace) return undefined;
	if (caller.via === 'nobody') return named || found ? { runner: found, terminal } : undefined;
	return found?.callerOf(caller).roles.includes('view') ? { runner: found, terminal } : undefined;
}

function tooManyClients(): AppError {
	return new AppError('store_busy', 'Too many clients are connected. Close one, or retry later.');
}

/** Faces that show pending requests; commands that follow a feed or ring a bell do not. */
const SHOWING_FACES = /^(?:tui|web(?::.+)?)$/;

export function countWatching(faces: Iterable<string>): number {
	let count = 0;
	for (const face of faces) if (SHOWING_FACES.test(face)) count++;
	return count;
}
