// One socket to the runner, from opening to its end: expects hello, sends pings, and detects silence.
import { type ClientFrame, type ServerFrame, STREAM_PROTOCOL } from '@roost/protocol/api/stream-frames';
import type { LogName } from '@roost/protocol/log-cursor';
import { createProbe } from './probe.ts';
import { type ReadFrame, readFrame } from './read-frame.ts';
import type { OpenSocket, Socket } from './socket.ts';

export type Timers = { after(ms: number, action: () => void): () => void };

export type AttemptDeps = {
	openSocket: OpenSocket;
	now: () => number;
	timers: Timers;
	pingIntervalMs: number;
};

export type AttemptEvents = {
	/** The runner sent hello: from now on frames can be sent. */
	onLive(log: LogName, version: string): void;
	onFrame(frame: ServerFrame): void;
	/** Once, unless it was closed from this side. `final` where another attempt would fail too; `woken` if it ended during a wake. */
	onEnd(end: { reason: string; final: boolean; woken: boolean }): void;
};

export type Attempt = {
	/** Dropped before hello. */
	send(frame: ClientFrame): void;
	/** Ends soon unless the runner answers. */
	wake(): void;
	close(): void;
};

export function openAttempt(deps: AttemptDeps, events: AttemptEvents): Attempt {
	const socket = deps.openSocket();
	let state: 'opening' | 'live' | 'ended' = 'opening';
	let receivedAt = deps.now();
	let cancelWatch = () => {};
	const probe = createProbe({ timers: deps.timers, onSilence: () => end(SILENT) });

	function receive(read: ReadFrame): void {
		receivedAt = deps.now();
		probe.stop();
		if (read.type === 'hello') greet(read);
		else if (state === 'opening') end('The server at this address is not a Roost runner. Check the address.');
		else if (read.type === 'frame') events.onFrame(read.frame);
		else if (read.type === 'unreadable') end(UNREADABLE, true);
	}

	function greet(hello: Extract<ReadFrame, { type: 'hello' }>): void {
		if (hello.protocol !== STREAM_PROTOCOL) {
			end(versionsDiffer(hello), true);
			return;
		}
		state = 'live';
		events.onLive({ runnerId: hello.runnerId, epoch: hello.epoch }, hello.version);
	}

	function watch(): void {
		const silentIn = receivedAt + 2 * deps.pingIntervalMs - deps.now();
		cancelWatch = deps.timers.after(Math.min(deps.pingIntervalMs, silentIn), () => {
			if (deps.now() >= receivedAt + 2 * deps.pingIntervalMs) {
				end(SILENT);
				return;
			}
			watch();
			send({ type: 'ping' });
		});
	}

	function send(frame: ClientFrame): void {
		if (state !== 'live') return;
		const failure = sendOrReason(socket, frame);
		if (failure !== undefined) end(failure);
	}

	function end(reason: string, final = false): void {
		if (state === 'ended') return;
		const woken = probe.isWaiting();
		close();
		events.onEnd({ reason, final, woken });
	}

	function close(): void {
		if (state === 'ended') return;
		state = 'ended';
		cancelWatch();
		probe.stop();
		socket.close();
	}

	watch();
	socket.onText((text) => {
		if (state !== 'ended') receive(readFrame(text));
	});
	socket.onClose((reason) => end(reason || (state === 'opening' ? NOT_REACHED : LOST)));
	return {
		send,
		wake() {
			if (state !== 'ended') probe.start(() => send({ type: 'ping' }));
		},
		close,
	};
}

/** A browser does not distinguish a runner that is down from one that refuses. */
const NOT_REACHED =
	'The runner cannot be reached or refuses this client. Check that it runs (`roost status`) and that the token is its own.';
const SILENT = 'The runner has gone silent.';
const LOST = 'The connection to the runner was lost.';
const UNREADABLE = 'The runner sent something this version cannot read. Use the same version of Roost on both sides.';

function versionsDiffer({ protocol, version }: { protocol: number; version: string }): string {
	const older = protocol > STREAM_PROTOCOL ? 'this side' : 'the runner';
	return `The runner (version ${version}) speaks protocol ${protocol} and this side speaks ${STREAM_PROTOCOL}: update ${older}, then restart it.`;
}

function sendOrReason(socket: Socket, frame: ClientFrame): string | undefined {
	try {
		socket.send(JSON.stringify(frame));
		return undefined;
	} catch (error) {
		return `The connection to the runner was lost: ${error instanceof Error ? error.message : String(error)}`;
	}
}
