// HTTP listener: `POST /hook` on loopback, for hooks of type "http".
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { warnOfFailure } from '@roost/machine/listeners';
import { AppError, type ErrorCode } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { isJsonObject, type JsonObject, stringAt } from '../base/json-object.ts';
import { parseBoundedJson } from './bounded-json.ts';
import type { HookResultPayload } from './envelope.ts';
import type { HookTarget } from './hook-targets.ts';

export type ListenerDeps = {
	findTarget: (secret: string | undefined) => HookTarget | undefined;
	now: () => number;
	newId: () => string;
	maxBytes: number;
	/** A request without a target. */
	onRefused: (error: AppError) => void;
};

export type HttpListener = { readonly url: string; close(): Promise<void> };

const UNPROCESSED = new AppError('internal', 'the request could not be processed');
const LOOPBACK = '127.0.0.1';
const PATH = '/hook';
/** Long, because a request on a connection that was just closed would fail open. */
const KEEP_ALIVE_MS = 600_000;
const BODY_DEADLINE_MS = 30_000;
const CLOSE_GRACE_MS = 1000;

export async function openHttpListener(deps: ListenerDeps, port = 0): Promise<HttpListener> {
	const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: BODY_DEADLINE_MS });
	const host = `${LOOPBACK}:${await listen(server, port)}`;
	server.on('request', (request, response) => {
		response.sendDate = false;
		response.on('close', () => {
			if (!server.listening) request.socket.end();
		});
		readBody(request, deps.maxBytes, (body) => {
			try {
				handle(deps, response, readHook(deps, host, request, body));
			} catch (cause) {
				// Later requests are still served.
				warnOfFailure('A hook request', cause);
				if (!response.headersSent) sendJson(response, 500, UNPROCESSED);
			}
		});
	});
	return { url: `http://${host}${PATH}`, close: () => closeServer(server) };
}

type Refusal = { status: number; error: AppError; target?: HookTarget };
type Hook = { target: HookTarget; payload: JsonObject };

function handle(deps: ListenerDeps, response: ServerResponse, hook: Hook | Refusal): void {
	if ('error' in hook) refuse(deps, response, hook);
	else accept(deps, response, hook);
}

/** Checks in order: origin, secret, route, body. */
function readHook(deps: ListenerDeps, host: string, request: IncomingMessage, body: Result<string>): Hook | Refusal {
	const stranger = originRefusal(request, host);
	if (stranger) return { status: 403, error: stranger };
	const target = deps.findTarget(bearerOf(request));
	if (!target) return { status: 401, error: new AppError('unauthorized', 'the hook secret is missing or wrong') };
	const misrouted = routeRefusal(request);
	if (misrouted) return { ...misrouted, target };
	const payload = body.ok ? parseHook(body.value) : body;
	if (!payload.ok) return { status: payload.error.code === 'too_large' ? 413 : 400, error: payload.error, target };
	return { target, payload: payload.value };
}

function accept(deps: ListenerDeps, response: ServerResponse, { target, payload }: Hook): void {
	const envelope = {
		request_id: deps.newId(),
		ts: deps.now(),
		session_id: stringAt(payload, 'session_id') ?? '',
		hook_event_name: stringAt(payload, 'hook_event_name') ?? '',
		payload,
	};
	const accepted = target.accept(envelope, (result) => reply(response, result));
	if (accepted.ok) response.on('close', accepted.value.abandon);
	else sendJson(response, accepted.error.code === 'too_large' ? 429 : 409, accepted.error);
}

/** Browsers send an Origin, and DNS rebinding a foreign Host: neither is an agent. */
function originRefusal(request: IncomingMessage, host: string): AppError | null {
	if (request.headers.host !== host) return new AppError('unauthorized', `the Host header must be ${host}`);
	if (request.headers.origin !== undefined) return new AppError('unauthorized', 'requests from a web page are refused');
	return null;
}

function bearerOf(request: IncomingMessage): string | undefined {
	return /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1];
}

function routeRefusal(request: IncomingMessage): { status: number; error: AppError } | null {
	const refusal = (status: number, code: ErrorCode, message: string) => ({ status, error: new AppError(code, message) });
	if (request.url !== PATH) return refusal(404, 'not_found', `only ${PATH} is served here`);
	if (request.method !== 'POST') return refusal(405, 'bad_request', 'only POST is served here');
	if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
		return refusal(415, 'bad_request', 'the body must be application/json');
	}
	return null;
}

/** Drains an oversized body without keeping it, so that the client gets the response. */
function readBody(request: IncomingMessage, maxBytes: number, done: (body: Result<string>) => void): void {
	let parts: Buffer[] = [];
	let size = 0;
	request.on('data', (chunk: Buffer) => {
		size += chunk.length;
		if (size <= maxBytes) parts.push(chunk);
		else parts = [];
	});
	// Not reached when the client disconnects mid-request.
	request.on('end', () => {
		if (size > maxBytes) done(err(new AppError('too_large', `the body is longer than ${maxBytes} bytes`)));
		else done(ok(Buffer.concat(parts).toString('utf8')));
	});
}

function parseHook(text: string): Result<JsonObject> {
	const parsed = parseBoundedJson(text);
	if (!parsed.ok) return parsed;
	if (isJsonObject(parsed.value) && stringAt(parsed.value, 'hook_event_name')) return ok(parsed.value);
	return err(new AppError('bad_request', 'the body must be an object with a hook_event_name'));
}

function reply(response: ServerResponse, result: HookResultPayload): void {
	if (result.action === 'passthrough') response.writeHead(204).end();
	else sendJson(response, 200, result.stdout_json);
}

function refuse(deps: ListenerDeps, response: ServerResponse, { status, error, target }: Refusal): void {
	if (target) target.report({ code: error.code, message: error.message });
	else deps.onRefused(error);
	sendJson(response, status, error);
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
	response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** On that port, or on any other if it is taken. */
function listen(server: Server, port: number): Promise<number> {
	return new Promise((resolve, reject) => {
		server.once('listening', () => {
			const address = server.address();
			if (typeof address === 'object' && address) resolve(address.port);
			else reject(new Error('the server has no port'));
		});
		server.once('error', (error) => {
			if (port === 0) reject(error);
			else server.once('error', reject).listen(0, LOOPBACK);
		});
		server.listen(port, LOOPBACK);
	});
}

/** Pending responses get a short time to be sent. */
function closeServer(server: Server): Promise<void> {
	return new Promise((resolve) => {
		const force = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
		server.close(() => {
			clearTimeout(force);
			resolve();
		});
		server.closeIdleConnections();
	});
}
