// A TCP proxy in front of a server on loopback, which delays, splits and loses what passes, as a bad network does.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Seeded } from '../seeded.ts';

export type ChaosProxy = AsyncDisposable & {
	readonly port: number;
	/** Where the next connections go. */
	toPort: number;
	/** Of what passes from now on. */
	faults: { mostDelayMs: number; splits: boolean };
	/** `reset`: with an RST; `half-open`: both sides keep their connection, and nothing passes any more. */
	cut(how: 'close' | 'reset' | 'half-open'): void;
	connections(): number;
};

export async function startChaosProxy(firstPort: number, random: Seeded): Promise<ChaosProxy> {
	const pairs = new Set<{ near: Socket; far: Socket; isMute: boolean }>();
	const proxy = { toPort: firstPort, faults: { mostDelayMs: 0, splits: false } };
	const server = createServer((near) => {
		const far = connect({ host: '127.0.0.1', port: proxy.toPort });
		const pair = { near, far, isMute: false };
		pairs.add(pair);
		for (const [from, to] of [
			[near, far],
			[far, near],
		] as const) {
			let last: Promise<unknown> = Promise.resolve();
			from.on('data', (bytes) => {
				last = last.then(() => pass(bytes, to, () => pair.isMute));
			});
			from.on('error', () => undefined);
			from.on('close', () => {
				pairs.delete(pair);
				void last.then(() => to.destroy());
			});
		}
	});

	async function pass(bytes: Buffer, to: Socket, isMute: () => boolean): Promise<void> {
		const { mostDelayMs, splits } = proxy.faults;
		const at = splits && bytes.length > 1 ? 1 + random.below(bytes.length - 1) : bytes.length;
		for (const part of [bytes.subarray(0, at), bytes.subarray(at)]) {
			if (part.length === 0) continue;
			if (mostDelayMs > 0) await new Promise((resolve) => setTimeout(resolve, random.below(mostDelayMs)));
			if (!isMute() && to.writable) to.write(part);
		}
	}

	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return Object.assign(proxy, {
		port: (server.address() as AddressInfo).port,
		connections: () => pairs.size,
		cut(how: 'close' | 'reset' | 'half-open') {
			for (const pair of pairs) {
				pair.isMute = true;
				if (how === 'reset') for (const socket of [pair.near, pair.far]) socket.resetAndDestroy();
				if (how === 'close') for (const socket of [pair.near, pair.far]) socket.destroy();
			}
		},
		async [Symbol.asyncDispose]() {
			for (const { near, far } of pairs) for (const socket of [near, far]) socket.destroy();
			server.close();
			await once(server, 'close');
		},
	});
}
