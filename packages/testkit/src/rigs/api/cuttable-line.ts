// A line to a server that can be cut as a network is: without a word to either side.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type CuttableLine = AsyncDisposable & { readonly port: number; cut(): void };

export async function openCuttableLine(to: number): Promise<CuttableLine> {
	const ends = new Set<Socket>();
	const server = createServer((near) => {
		const far = connect(to, '127.0.0.1');
		for (const end of [near, far]) {
			ends.add(end);
			end.on('error', () => {});
			end.on('close', () => ends.delete(end));
		}
		// The server behind takes only requests that name its own port.
		near.once('data', (request: Buffer) => {
			far.write(request.toString('latin1').replace(`127.0.0.1:${port}`, `127.0.0.1:${to}`), 'latin1');
			near.pipe(far);
		});
		far.pipe(near);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	const cut = () => {
		for (const end of ends) end.destroy();
	};
	return {
		port,
		cut,
		async [Symbol.asyncDispose]() {
			cut();
			server.close();
			await once(server, 'close');
		},
	};
}
