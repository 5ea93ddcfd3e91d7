// A scripted model on loopback, for several APIs: a wire has the requests, the responses and the malformed responses of one API.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { apiError, type ErrorReply, type Malformation, type MessageReply, type ModelReply, type Pace } from './model-reply.ts';
import type { ModelRequest } from './model-request.ts';
import type { Script } from './script.ts';
import { type StreamEvent, type StreamStep, toSse } from './sse-step.ts';

export type FakeModel = AsyncDisposable & {
	/** Without a path. */
	readonly url: string;
	/** Every model call so far, in the order of arrival. */
	readonly requests: readonly ModelRequest[];
};

type Json = Readonly<Record<string, unknown>>;

export type ModelWire = {
	/** Where the model is called, by POST. */
	readonly path: string;
	/** The name of the API, such as "Messages API". */
	readonly title: string;
	/** Other requests with a fixed response, such as `GET /v1/models`. */
	readonly others: Readonly<Record<string, Json>>;
	/** Undefined when the body is no request of this API. */
	parse(index: number, headers: IncomingHttpHeaders, body: unknown): ModelRequest | undefined;
	toBody(request: ModelRequest, reply: MessageReply): Json;
	toSteps(request: ModelRequest, reply: MessageReply): readonly StreamStep[];
	toError(reply: ErrorReply): { readonly headers: Readonly<Record<string, string>>; readonly body: Json };
	/** One event on the wire, where it is not the usual form. */
	toSse?(event: StreamEvent): string;
	/** The number of steps before a message breaks, and the event that breaks it. */
	readonly half: { readonly steps: number; readonly event: string };
};

export async function startFakeModel(wire: ModelWire, script: Script): Promise<FakeModel> {
	const requests: ModelRequest[] = [];
	const server = createServer((request, response) => {
		// A client may disconnect at any time; only a broken script is an error.
		route(request, response, { wire, requests, script }).catch((error: unknown) => {
			if (response.destroyed) return;
			if (response.headersSent) response.destroy();
			else sendError(wire, response, apiError(500, 'api_error', `The script failed: ${String(error)}`));
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

type Playing = { readonly wire: ModelWire; readonly requests: ModelRequest[]; readonly script: Script };

async function route(request: IncomingMessage, response: ServerResponse, { wire, requests, script }: Playing): Promise<void> {
	const path = new URL(request.url ?? '/', 'http://fake').pathname;
	const asked = `${request.method} ${path}`;
	const other = Object.hasOwn(wire.others, asked) ? wire.others[asked] : undefined;
	if (other) return sendJson(response, 200, other);
	if (asked !== `POST ${wire.path}`) {
		return sendError(wire, response, apiError(404, 'not_found_error', `The fake model does not serve ${asked}.`));
	}
	const body = await json(request).catch((error: unknown) => {
		if (error instanceof SyntaxError) return undefined;
		throw error;
	});
	const index = requests.length;
	const seen = wire.parse(index, request.headers, body);
	if (seen === undefined)
		return sendError(wire, response, apiError(400, 'invalid_request_error', `Not a request of the ${wire.title}.`));
	requests.push(seen);
	await sendReply(wire, response, seen, await script(seen));
}

async function sendReply(wire: ModelWire, response: ServerResponse, request: ModelRequest, reply: ModelReply): Promise<void> {
	switch (reply.kind) {
		case 'message':
			return sendMessage(wire, response, request, reply);
		case 'error':
			return sendError(wire, response, reply);
		case 'malformed':
			return sendMalformed(wire, response, request, reply.how);
		case 'hang':
			return;
	}
}

async function sendMessage(wire: ModelWire, response: ServerResponse, request: ModelRequest, reply: MessageReply): Promise<void> {
	if (!request.stream) return sendJson(response, 200, wire.toBody(request, reply));
	startStream(response);
	const gone = new AbortController();
	response.once('close', () => gone.abort());
	for (const { event, paced } of wire.toSteps(request, reply)) {
		if (paced && reply.pace !== undefined) await waitPace(reply.pace, gone.signal);
		if (response.destroyed) return;
		response.write(toText(wire, event));
	}
	response.end();
}

/** Resolves early when the client disconnects, so that nothing waits for a gate that is never opened. */
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

function sendMalformed(wire: ModelWire, response: ServerResponse, request: ModelRequest, how: Malformation): void {
	if (how === 'not-sse') {
		response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>This is not a model.</body></html>');
		return;
	}
	startStream(response);
	const steps = wire.toSteps(request, { kind: 'message', blocks: [{ type: 'text', chunks: ['half a ', 'message'] }] });
	const firstHalf = steps
		.slice(0, wire.half.steps)
		.map(({ event }) => toText(wire, event))
		.join('');
	if (how === 'not-json')
		response.end(`${firstHalf}event: ${wire.half.event}\ndata: {"type":"${wire.half.event.slice(0, 9)}\n\n`);
	else response.write(firstHalf, () => response.destroy());
}

function toText(wire: ModelWire, event: StreamEvent): string {
	return wire.toSse?.(event) ?? toSse(event);
}

function startStream(response: ServerResponse): void {
	response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
	response.flushHeaders();
}

function sendError(wire: ModelWire, response: ServerResponse, reply: ErrorReply): void {
	const { headers, body } = wire.toError(reply);
	for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
	sendJson(response, reply.status, body);
}

function sendJson(response: ServerResponse, status: number, body: Json): void {
	response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
