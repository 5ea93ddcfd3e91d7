// Many clients that only count frames, and a minimal broadcast as the floor for a fan-out.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';

export type CountingSocket = Disposable & {
	send(text: string): void;
	pause(): void;
	/** Resolves after this many frames in total. */
	received(count: number): Promise<void>;
};

export async function openCountingSocket(
	url: string,
	headers: Record<string, string> = {},
	onFrame: (text: Buffer) => void = () => {},
): Promise<CountingSocket> {
	const socket = new WebSocket(url, { headers, perMessageDeflate: false });
	let count = 0;
	let waiting: { count: number; resolve: () => void } | undefined;
	socket.on('message', (frame) => {
		count++;
		if (frame instanceof Buffer) onFrame(frame);
		if (waiting && count >= waiting.count) waiting.resolve();
	});
	await once(socket, 'open');
	return {
		send: (text) => socket.send(text),
		pause: () => socket.pause(),
		received(wanted) {
			const { promise, resolve } = Promise.withResolvers<void>();
			waiting = { count: wanted, resolve };
			if (count >= wanted) resolve();
			return promise;
		},
		[Symbol.dispose]: () => socket.terminate(),
	};
}

export type Broadcaster = Disposable & { readonly url: string; broadcast(text: string): void };

export async function openBroadcaster(): Promise<Broadcaster> {
	const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
	await once(server, 'listening');
	return {
		url: `ws://127.0.0.1:${portOf(server.address())}`,
		broadcast(text) {
			for (const client of server.clients) client.send(text);
		},
		[Symbol.dispose]() {
			for (const client of server.clients) client.terminate();
			server.close();
		},
	};
}

function portOf(address: AddressInfo | string | null): number {
	if (address === null || typeof address === 'string') throw new Error('the broadcaster has no port');
	return address.port;
}
