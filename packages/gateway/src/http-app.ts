// The HTTP side: a router behind the checks that reports every error as `{code, message}`.
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { AppError } from '@roost/protocol/app-error';
import { API } from '@roost/protocol/contract/api-path';
import { toRunnerPath } from '@roost/protocol/contract/of-runner';
import type { Operation } from '@roost/protocol/contract/operation';
import { err, ok, type Result } from '@roost/protocol/result';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply } from 'fastify';
import type { Caller } from './access/caller.ts';
import { type Checks, pathOf } from './access/checks.ts';
import { isBeforeDeciding, isDeciding, type Peers } from './access/peers.ts';
import { parseBoundedJson } from './http/bounded-json.ts';
import { errorReply, toAppError } from './http/errors.ts';
import type { GatewayLimits } from './http/limits.ts';
import type { Log } from './http/log.ts';
import type { Page, PageFile } from './http/page-files.ts';
import { type Reply, toHeaders, toReply, writeRawReply, writeReply } from './http/reply.ts';
import type { Callable, Input } from './operations/api.ts';
import { type FindRunner, RUNNER_OPERATIONS } from './operations/served-runner.ts';

export type HttpAppDeps = {
	api: readonly Callable[];
	findRunner: FindRunner;
	page: Page;
	checks: Checks;
	peers: Peers;
	limits: GatewayLimits;
	newId: () => string;
	log: Log;
	tls?: Certificate | undefined;
};

/** As PEM. */
export type Certificate = { cert: string; key: string };

export type HttpApp = { app: FastifyInstance; routes(): { method: string; url: string }[] };

export function createHttpApp(deps: HttpAppDeps): HttpApp {
	const callers = new WeakMap<IncomingMessage, Caller>();
	const registered: { method: string; url: string }[] = [];
	const app = Fastify({
		serverFactory: (handler) => createCheckedServer(deps, callers, handler),
		bodyLimit: deps.limits.bodyBytes,
		exposeHeadRoutes: false,
		forceCloseConnections: true,
		clientErrorHandler: (_error, socket) => writeRawReply(socket, errorReply(new AppError('bad_request', 'This is not HTTP.'))),
		frameworkErrors: (error, _request, reply) => void sendReply(reply, toErrorReply(deps, error)),
	});
	app.addHook('onRoute', ({ method, url }) => {
		for (const one of [method].flat()) registered.push({ method: one, url });
	});
	takeBoundedJson(app, deps.limits.jsonDepth);
	app.setNotFoundHandler(({ raw }, reply) =>
		isPlaceInPage(raw.method, pathOf(raw), raw.headers.accept)
			? sendPage(reply, deps.page.shell, raw)
			: sendReply(reply, errorReply(toAppError(404, ''))),
	);
	app.setErrorHandler<FastifyError>((error, request, reply) =>
		sendReply(reply, toErrorReply(deps, error, request.routeOptions.bodyLimit)),
	);
	for (const file of deps.page.files) app.get(file.path, ({ raw }, reply) => sendPage(reply, file, raw));
	app.get('/', ({ raw }, reply) => sendPage(reply, deps.page.shell, raw));
	for (const { operation, call } of deps.api) addRoute(operation.path, operation, (input, caller) => call(input, caller));
	for (const [name, operation] of RUNNER_OPERATIONS) {
		addRoute(toRunnerPath(operation.path), operation, async ({ params, ...input }, caller) => {
			const { runner: id, ...named } = params;
			const runner = deps.findRunner(id ?? '');
			const callable = runner?.api.get(name);
			const known = runner?.callerOf(caller);
			// The same words without a role, so that nobody learns which runners exist.
			if (!callable || !known?.roles.includes('view')) return err(unknownRunner(id));
			return await callable.call({ params: named, ...input }, known);
		});
	}

	function addRoute(url: string, operation: Operation, call: CallRoute): void {
		app.route<{ Params: Record<string, string> }>({
			method: operation.method,
			url,
			bodyLimit: operation.takesPrompt ? deps.limits.promptBytes : deps.limits.bodyBytes,
			async handler(request, reply) {
				const named = callers.get(request.raw) ?? NOBODY;
				const what = `${operation.method} ${pathOf(request.raw)}`;
				const caller = isDeciding(operation) ? await deps.peers.admit(request.raw, named, what) : ok(named);
				if (!caller.ok) return sendReply(reply, errorReply(caller.error));
				if (isBeforeDeciding(operation)) deps.peers.prepare(request.raw, what);
				const { params, query, body } = request;
				const result = await call({ params, query, body }, caller.value);
				return sendReply(reply, result.ok ? toReply(operation, result.value) : errorReply(result.error));
			},
		});
	}
	return { app, routes: () => registered };
}

type RouteInput = Input & { params: Record<string, string> };
type CallRoute = (input: RouteInput, caller: Caller) => Promise<Result<unknown>>;

export function unknownRunner(id: string | undefined): AppError {
	return new AppError('not_found', `Runner "${id ?? ''}" not found. GET ${API}/runners lists runners.`);
}

const NOBODY: Caller = { via: 'nobody', principal: { name: 'nobody', face: 'http' }, roles: [], address: '', origin: undefined };

/** Longer than a busy runner needs for other requests, so that a request on a kept connection does not find it closed. */
const KEEP_ALIVE_MS = 75_000;

/** The checks run before the router, so that no route and no odd URL can bypass them. */
function createCheckedServer(deps: HttpAppDeps, callers: WeakMap<IncomingMessage, Caller>, handler: RequestListener): Server {
	const listen: RequestListener = (request, response) => {
		const admission = deps.checks.admit(request);
		if (admission.ok) {
			callers.set(request, admission.caller);
			handler(request, response);
			return;
		}
		deps.log({ level: 'warn', msg: 'refused a request', check: admission.check, status: admission.reply.status });
		response.shouldKeepAlive = false;
		writeReply(response, admission.reply);
	};
	const options = { keepAliveTimeout: KEEP_ALIVE_MS };
	return deps.tls ? createTlsServer({ ...options, ...deps.tls }, listen) : createServer(options, listen);
}

function takeBoundedJson(app: FastifyInstance, maxDepth: number): void {
	app.removeAllContentTypeParsers();
	app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (_request, text, done) => {
		const parsed = text === '' ? undefined : parseBoundedJson(text, maxDepth);
		if (parsed && !parsed.ok) done(parsed.error);
		else done(null, parsed?.value);
	});
}

function toErrorReply(deps: HttpAppDeps, error: FastifyError | AppError, mostBytes = deps.limits.bodyBytes): Reply {
	if (error instanceof AppError) return errorReply(error);
	const status = error.statusCode ?? 500;
	if (status === 413) return errorReply(new AppError('too_large', `The body is too large: send at most ${mostBytes} bytes.`));
	if (status < 500) return errorReply(toAppError(status, error.message), status);
	const reference = deps.newId();
	deps.log({ level: 'error', msg: 'a request failed', reference, error: error.stack ?? error.message });
	return errorReply(new AppError('internal', `Internal error. See the runner log at ${reference}.`));
}

function sendReply(reply: FastifyReply, answer: Reply): FastifyReply {
	return reply.code(answer.status).headers(toHeaders(answer)).send(answer.body);
}

function sendPage(reply: FastifyReply, file: PageFile, { headers }: IncomingMessage): FastifyReply {
	return sendReply(reply, file.reply({ encodings: String(headers['accept-encoding'] ?? ''), etag: headers['if-none-match'] }));
}

/** Every address that a browser opens outside of the API is a place in the page, which shows it or says that it does not exist. */
function isPlaceInPage(method: string | undefined, path: string, accept: string | undefined): boolean {
	return method === 'GET' && accept?.includes('text/html') === true && !/^\/api(?:\/|$)/.test(path);
}

export type Served = { api: readonly Pick<Callable, 'operation'>[]; files: readonly Pick<PageFile, 'path'>[] };

export type Asked = { method: string; path: string; accept: string | undefined };

/** Whether a request needs no credential; unknown paths need one. */
export function isOpen({ api, files }: Served, { method, path, accept }: Asked): boolean {
	if (method === 'GET' && (path === '/' || files.some((file) => file.path === path))) return true;
	const known = api.find(({ operation }) => operation.method === method && fits(operation.path, path));
	return known ? known.operation.needs === 'none' : isPlaceInPage(method, path, accept);
}

function fits(pattern: string, path: string): boolean {
	const parts = path.split('/');
	const own = pattern.split('/');
	return own.length === parts.length && own.every((part, at) => (part.startsWith(':') ? parts[at] !== '' : part === parts[at]));
}
