// The end of a channel that is a WebSocket at this node.
import type { WebSocket } from 'ws';
import type { ChannelEnd, EndEvents } from './pipe.ts';

/** Close codes: normal, for a client that left on purpose; try again, for one whose connection was lost. */
const LEFT = 1000;
const LOST = 1013;
const LONGEST_REASON = 123;
/** How long it may take to answer a close. */
const CLOSE_MS = 2_000;

export function createSocketEnd(socket: WebSocket, events: Pick<EndEvents, 'drained'>): ChannelEnd {
	let unsent = 0;
	return {
		send({ data, isBinary }) {
			if (socket.readyState !== socket.OPEN) return;
			unsent += data.length;
			socket.send(data, { binary: isBinary }, () => {
				unsent -= data.length;
				events.drained();
			});
		},
		unsent: () => unsent,
		pause: () => socket.pause(),
		resume: () => socket.resume(),
		close({ how, reason }) {
			// A paused socket would not see the answer.
			socket.resume();
			socket.close(how === 'left' ? LEFT : LOST, shorten(reason));
			const timer = setTimeout(() => socket.terminate(), CLOSE_MS).unref();
			socket.once('close', () => clearTimeout(timer));
		},
	};
}

/** Codes of a client that leaves on purpose: normal, or none. */
export function isLeaving(code: number): boolean {
	return code === LEFT || code === 1005;
}

function shorten(reason: string): string {
	let short = reason;
	while (Buffer.byteLength(short) > LONGEST_REASON) short = short.slice(0, -1);
	return short.toWellFormed();
}
