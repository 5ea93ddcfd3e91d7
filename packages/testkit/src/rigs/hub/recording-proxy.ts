// A TCP proxy in front of a hub that keeps every byte, both ways.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type RecordingProxy = AsyncDisposable & {
	readonly url: string;
	/** Where connections go; it can be set later. */
	target: number;
	/** From and to the hub. Messages to a hub are masked by WebSocket clients, those from it are not. */
	received(): Buffer;
	sent(): Buffer;
	cut(): void;
};

export async function startRecordingProxy(): Promise<RecordingProxy> {
	const received: Buffer[] = [];
	const sent: Buffer[] = [];
	const ends = new Set<Socket>();
	const server = createServer((near) => {
		const far = connect(proxy.target, '127.0.0.1');
		for (const [end, other, kept] of [
			[near, far, received],
			[far, near, sent],
		] as const) {
			ends.add(end);
			end.on('data', (bytes: Buffer) => kept.push(Buffer.from(bytes)));
			end.on('error', () => other.destroy());
			end.on('close', () => {
				ends.delete(end);
				other.destroy();
			});
			end.pipe(other);
		}
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const proxy: RecordingProxy = {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		target: 0,
		received: () => Buffer.concat(received),
		sent: () => Buffer.concat(sent),
		cut() {
			for (const end of ends) end.destroy();
		},
		async [Symbol.asyncDispose]() {
			proxy.cut();
			server.close();
			await once(server, 'close');
		},
	};
	return proxy;
}
