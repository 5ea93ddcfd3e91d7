// A scripted Anthropic Messages API on loopback: the real `claude` talks to it and cannot tell the difference.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { type MessageIdentity, toMessageBody, toSse, toStreamSteps } from './message-stream.ts';
import { apiError, type ErrorReply, type Malformation, type MessageReply, type ModelReply, type Pace } from './model-reply.ts';
import { type ModelRequest, parseModelRequest } from './model-request.ts';
import type { Script } from './script.ts';

export type FakeAnthropic = AsyncDisposable & {
	/** For ANTHROPIC_BASE_URL. */
	readonly url: string;
	/** Every model call so far, in the order of arrival. */
	readonly requests: readonly ModelRequest[];
};

export async function startFakeAnthropic(script: Script): Promise<FakeAnthropic> {
	const requests: ModelRequest[] = [];
	const server = createServer((request, response) => {
		// A client that goes away in mid-request is no fault of the server: only a broken script is.
		route(request, response, requests, script).catch((error: unknown) => {
			if (response.destroyed) return;
			if (response.headersSent) response.destroy();
			else sendError(response, apiError(500, 'api_error', `The script failed: ${String(error)}`));
		});
	});
	const { promise, resolve, reject } = Promise.withResolvers<void>();
	server.once('error', reject);
	server.listen(0, '127.0.0.1', resolve);
	await promise;
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('the fake model has no port');
	return {
		url: `http://127.0.0.1:${address.port}`,
		requests,
		async [Symbol.asyncDispose]() {
			const closed = Promise.withResolvers<void>();
			server.close(() => closed.resolve());
			server.closeAllConnections();
			await closed.promise;
		},
	};
}

async function route(
	request: IncomingMessage,
	response: ServerResponse,
	requests: ModelRequest[],
	script: Script,
): Promise<void> {
	const path = new URL(request.url ?? '/', 'http://fake').pathname;
	if (request.method === 'POST' && path === '/v1/messages/count_tokens') return sendJson(response, 200, { input_tokens: 1 });
	if (request.method !== 'POST' || path !== '/v1/messages') {
		return sendError(response, apiError(404, 'not_found_error', `The fake model does not serve ${request.method} ${path}.`));
	}
	const body = await json(request).catch((error: unknown) => {
		if (error instanceof SyntaxError) return undefined;
		throw error;
	});
	const index = requests.length;
	const seen = parseModelRequest(index, request.headers, body);
	if (seen === undefined) return sendError(response, apiError(400, 'invalid_request_error', 'Not a Messages API request.'));
	requests.push(seen);
	await sendReply(response, seen, await script(seen));
}

async function sendReply(response: ServerResponse, request: ModelRequest, reply: ModelReply): Promise<void> {
	switch (reply.kind) {
		case 'message':
			return sendMessage(response, request, reply);
		case 'error':
			return sendError(response, reply);
		case 'malformed':
			return sendMalformed(response, request, reply.how);
		case 'hang':
			return;
	}
}

async function sendMessage(response: ServerResponse, request: ModelRequest, reply: MessageReply): Promise<void> {
	const identity = identify(request);
	if (!request.stream) return sendJson(response, 200, toMessageBody(identity, reply));
	startStream(response);
	const gone = new AbortController();
	response.once('close', () => gone.abort());
	for (const { event, paced } of toStreamSteps(identity, reply)) {
		if (paced && reply.pace !== undefined) await waitPace(reply.pace, gone.signal);
		if (response.destroyed) return;
		response.write(toSse(event));
	}
	response.end();
}

/** Comes back early when the client is gone, so that nothing waits for a gate that is never opened. */
async function waitPace(pace: Pace, gone: AbortSignal): Promise<void> {
	const wait = new AbortController();
	const left = Promise.withResolvers<void>();
	const leave = () => left.resolve();
	gone.addEventListener('abort', leave);
	if (gone.aborted) leave();
	const due = 'gate' in pace ? pace.gate.opened : delay(pace.delayMs, undefined, { signal: wait.signal }).catch(leave);
	await Promise.race([due, left.promise]);
	gone.removeEventListener('abort', leave);
	wait.abort();
}

function sendMalformed(response: ServerResponse, request: ModelRequest, how: Malformation): void {
	if (how === 'not-sse') {
		response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>This is not a model.</body></html>');
		return;
	}
	startStream(response);
	const steps = toStreamSteps(identify(request), { kind: 'message', blocks: [{ type: 'text', chunks: ['half a ', 'message'] }] });
	const firstHalf = steps.slice(0, 3).map(({ event }) => toSse(event));
	if (how === 'not-json') response.end(`${firstHalf.join('')}event: content_block_delta\ndata: {"type":"content_blo\n\n`);
	else response.write(firstHalf.join(''), () => response.destroy());
}

function identify(request: ModelRequest): MessageIdentity {
	return { id: `msg_fake${String(request.index).padStart(4, '0')}`, model: request.model };
}

function startStream(response: ServerResponse): void {
	response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
	response.flushHeaders();
}

/** `x-should-retry` is the API's own word to its clients: without it they repeat a 5xx for minutes. */
function sendError(response: ServerResponse, { status, type, message, retry }: ErrorReply): void {
	response.setHeader('x-should-retry', String(retry === true));
	sendJson(response, status, { type: 'error', error: { type, message } });
}

function sendJson(response: ServerResponse, status: number, body: Readonly<Record<string, unknown>>): void {
	response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
