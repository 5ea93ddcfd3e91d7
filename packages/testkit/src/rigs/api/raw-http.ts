// One HTTP request with exactly the given headers, including those that a browser or `fetch` would not send.
import { type Agent, type IncomingHttpHeaders, request } from 'node:http';

export type RawRequest = {
	port: number;
	method?: string;
	path: string;
	headers?: Record<string, string>;
	body?: string;
	/** Of its connections; else each request has its own. */
	agent?: Agent;
};

export type RawResponse = { status: number; headers: IncomingHttpHeaders; body: string };

export function sendRaw({ port, method = 'GET', path, headers = {}, body, agent }: RawRequest): Promise<RawResponse> {
	return new Promise((resolve, reject) => {
		const sent = request({ host: '127.0.0.1', port, method, path, headers, agent: agent ?? false }, (response) => {
			const chunks: Buffer[] = [];
			response.on('data', (chunk: Buffer) => chunks.push(chunk));
			response.on('error', reject);
			response.on('end', () => {
				resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks).toString() });
			});
		});
		sent.on('error', reject);
		sent.end(body);
	});
}
