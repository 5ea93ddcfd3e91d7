// Somebody else's server on another port of this machine: it keeps every header that browsers send to it.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';

export type ThiefServer = AsyncDisposable & {
	readonly port: number;
	readonly url: string;
	/** Of every request that came. */
	readonly received: readonly { path: string; headers: IncomingHttpHeaders }[];
};

/** Answers every request with this page. */
export async function startThiefServer(page: string): Promise<ThiefServer> {
	const received: { path: string; headers: IncomingHttpHeaders }[] = [];
	const server = createServer((request, response) => {
		received.push({ path: request.url ?? '', headers: request.headers });
		response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
		response.end(page);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	const port = typeof address === 'object' && address ? address.port : 0;
	return {
		port,
		url: `http://127.0.0.1:${port}`,
		received,
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}
