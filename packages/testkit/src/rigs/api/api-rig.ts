// A real gateway over a test backend on loopback, with what a client needs to reach it; it can go away and come back.
import { randomUUID } from 'node:crypto';
import { type Gateway, startGateway } from '@roost/gateway/gateway';
import { unwrap } from '../unwrap.ts';
import { createTestBackend, type TestBackend } from './test-backend.ts';

export type ApiRig = AsyncDisposable & {
	readonly world: TestBackend;
	readonly url: string;
	readonly token: string;
	openSocket(): RigSocket;
	/** The gateway ends, and with it every connection; what is stored stays. */
	stop(): Promise<void>;
	/** It listens again, at the same address. */
	start(): Promise<void>;
};

export type RigSocket = {
	send(text: string): void;
	close(): void;
	onOpen(handler: () => void): void;
	onText(handler: (text: string) => void): void;
	onClose(handler: (reason: string) => void): void;
};

export async function startApiRig(): Promise<ApiRig> {
	const world = createTestBackend();
	const token = randomUUID() + randomUUID();
	const open = async (port: number): Promise<Gateway> =>
		unwrap(await startGateway({ backend: world.backend, host: '127.0.0.1', port, token, now: Date.now, newId: randomUUID }));
	let gateway = await open(0);
	const { url, port } = gateway;
	return {
		world,
		url,
		token,
		openSocket: () => openRigSocket(`${url.replace('http', 'ws')}/api/v1/stream`, token),
		stop: () => gateway.close(),
		async start() {
			gateway = await open(port);
		},
		async [Symbol.asyncDispose]() {
			await gateway.close();
			await world[Symbol.asyncDispose]();
		},
	};
}

export function openRigSocket(url: string, token: string): RigSocket {
	const socket = new WebSocket(url, { headers: { authorization: `Bearer ${token}`, 'x-roost-face': 'cli' } });
	return {
		send: (text) => socket.send(text),
		close: () => socket.close(),
		onOpen: (handler) => socket.addEventListener('open', () => handler()),
		onText: (handler) => socket.addEventListener('message', ({ data }) => handler(String(data))),
		onClose: (handler) => socket.addEventListener('close', ({ reason }) => handler(reason)),
	};
}
