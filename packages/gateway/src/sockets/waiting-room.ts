// Sockets of browsers before their first frame: they get nothing until it brings a valid bearer.
import type { Duplex } from 'node:stream';
import { bearerFrame, NOT_ADMITTED } from '@roost/protocol/api/devices';
import type { RawData, WebSocket } from 'ws';
import type { Caller } from '../access/caller.ts';
import { parseBoundedJson } from '../http/bounded-json.ts';
import type { GatewayLimits } from '../http/limits.ts';
import type { Log } from '../http/log.ts';
import { dismiss, toBuffer } from './clients.ts';

export type WaitingRoom = {
	/** Calls `admit` with the caller of the bearer; closes the socket without one in time. */
	add(waiting: Waiting, admit: (caller: Caller) => void): void;
};

type Waiting = { socket: WebSocket; raw: Duplex; findCaller: (bearer: string) => Caller | undefined };

type WaitingLimits = Pick<GatewayLimits, 'waitingSockets' | 'firstFrameMs' | 'firstFrameBytes'>;

export function createWaitingRoom({ limits, log }: { limits: WaitingLimits; log: Log }): WaitingRoom {
	const waiting = new Map<WebSocket, () => void>();

	function add({ socket, raw, findCaller }: Waiting, admit: (caller: Caller) => void): void {
		let bytes = 0;
		const timer = setTimeout(refuse, limits.firstFrameMs).unref();

		function count(chunk: Buffer): void {
			bytes += chunk.length;
			if (bytes > limits.firstFrameBytes) cut();
		}

		function leave(): void {
			clearTimeout(timer);
			waiting.delete(socket);
			raw.off('data', count);
			socket.off('message', receive);
			socket.off('close', leave);
		}

		function cut(): void {
			leave();
			socket.terminate();
		}

		function refuse(): void {
			leave();
			log({ level: 'warn', msg: 'refused a socket without a valid bearer' });
			void dismiss(socket, NOT_ADMITTED, 'no valid bearer');
		}

		function receive(message: RawData, isBinary: boolean): void {
			const bearer = isBinary ? undefined : readBearer(toBuffer(message).toString());
			const caller = bearer === undefined ? undefined : findCaller(bearer);
			if (!caller) {
				refuse();
				return;
			}
			leave();
			admit(caller);
		}

		// Without a listener, an error would end the process.
		socket.on('error', () => undefined);
		raw.on('data', count);
		socket.on('message', receive);
		socket.on('close', leave);
		waiting.set(socket, cut);
		const [oldest] = waiting.values();
		if (waiting.size > limits.waitingSockets) oldest?.();
	}

	return { add };
}

function readBearer(text: string): string | undefined {
	const json = parseBoundedJson(text, 2);
	return json.ok ? bearerFrame.safeParse(json.value).data?.bearer : undefined;
}
