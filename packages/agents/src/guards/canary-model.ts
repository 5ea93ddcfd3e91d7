// A model on loopback that says what it is told to: the agent under proof talks to it and to nobody else.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { parseJson } from '@roost/core/display/parse-json';

export type ModelCall = { method: string; path: string; body: unknown };

export type ModelAnswer = { contentType: string; body: string };

export type CanaryModel = AsyncDisposable & { readonly url: string };

const MAX_BYTES = 32 * 1024 * 1024;

export async function openCanaryModel(answer: (call: ModelCall) => ModelAnswer | null): Promise<CanaryModel> {
	const server = createServer((request, response) => {
		reply(request, response, answer).catch(() => response.destroy());
	});
	const { promise, resolve, reject } = Promise.withResolvers<void>();
	server.once('error', reject);
	server.listen(0, '127.0.0.1', resolve);
	await promise;
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('the model for the proof has no port');
	return {
		url: `http://127.0.0.1:${address.port}`,
		async [Symbol.asyncDispose]() {
			const closed = Promise.withResolvers<void>();
			server.close(() => closed.resolve());
			server.closeAllConnections();
			await closed.promise;
		},
	};
}

async function reply(
	request: IncomingMessage,
	response: ServerResponse,
	answer: (call: ModelCall) => ModelAnswer | null,
): Promise<void> {
	const path = new URL(request.url ?? '/', 'http://model').pathname;
	const said = answer({ method: request.method ?? '', path, body: await readJson(request) });
	if (said === null) response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"not served"}}');
	else response.writeHead(200, { 'content-type': said.contentType }).end(said.body);
}

/** Undefined for what is no JSON. */
async function readJson(request: IncomingMessage): Promise<unknown> {
	const parts: Buffer[] = [];
	let size = 0;
	for await (const part of request) {
		if (!Buffer.isBuffer(part)) continue;
		size += part.length;
		if (size > MAX_BYTES) throw new Error('the request is too long');
		parts.push(part);
	}
	return parseJson(Buffer.concat(parts).toString('utf8'));
}
