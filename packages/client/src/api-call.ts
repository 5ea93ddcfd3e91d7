// One call of an operation over HTTP: sends it, parses the reply with its schema, and returns every failure as a value.
import { parseJson } from '@roost/core/display/parse-json';
import { decidedAlready, type Winner } from '@roost/protocol/api/answers';
import { AppError, wireError } from '@roost/protocol/app-error';
import { isOfRunner, toRunnerPath } from '@roost/protocol/contract/of-runner';
import { none, type Operation, type Parts, placeInput } from '@roost/protocol/contract/operation';
import type { QueuedCommand } from '@roost/protocol/hub/runners';
import type { Result } from '@roost/protocol/result';
import { readQueued } from './queued-reply.ts';

/** What the client needs of `fetch`: a browser, Node and a test can each provide it. */
export type Fetch = (
	url: string,
	init: { method: string; headers: Record<string, string>; body?: string },
) => Promise<{ status: number; text(): Promise<string> }>;

export type ApiDeps = {
	/** Where the runner listens, such as `http://127.0.0.1:3100`; a function where the address may change. */
	baseUrl: string | (() => string);
	/** The runner's token, or a function that returns the current bearer of a device. */
	token: string | (() => Promise<string>);
	/** Recorded with each answer. */
	face: string;
	fetch: Fetch;
	/** What to do when nothing answers. */
	ifDown?: string | undefined;
	/** One of the runners behind a hub: its operations are called there. */
	runner?: string | undefined;
	/** Asked before each call: what to send, or why not. The place where a device seals commands. */
	prepare?: Prepare | undefined;
};

export type Prepare = (call: {
	/** `<resource>.<operation>` */
	name: string;
	operation: Operation;
	input: Parts;
}) => Promise<Result<Prepared>>;

export type Prepared = { readonly input: Parts; readonly headers: Readonly<Record<string, string>> };

/** A `Result` that also has the first answer, where another caller was first, or until when a command is queued. */
export type Reply<T> =
	| { readonly ok: true; readonly value: T }
	| { readonly ok: false; readonly error: AppError; readonly winner?: Winner; readonly queued?: QueuedCommand };

/** `name`: `<resource>.<operation>` */
export type ApiCall = (operation: Operation, input: Parts, name: string) => Promise<Reply<unknown>>;

export function createApiCall(deps: ApiDeps): ApiCall {
	const { baseUrl } = deps;
	const origin = () => (typeof baseUrl === 'string' ? baseUrl : baseUrl()).replace(/\/+$/, '');
	const pathOf = ({ path }: Operation, name: string) =>
		deps.runner !== undefined && isOfRunner(name.split('.', 1)[0] ?? '') ? toRunnerPath(path, deps.runner) : path;
	return async (operation, given, name) => {
		const prepared = (await deps.prepare?.({ name, operation, input: given })) ?? {
			ok: true,
			value: { input: given, headers: {} },
		};
		if (!prepared.ok) return prepared;
		const { input, headers } = prepared.value;
		const { params, query, body } = placeInput(operation, input);
		const misplaced = Object.values(params).find(isUnsafeSegment);
		if (misplaced !== undefined) {
			return failed(new AppError('bad_request', `${JSON.stringify(misplaced)} is not an id. Check how it is spelled.`));
		}
		const path = toPath(pathOf(operation, name), params);
		const sent = operation.body === none ? undefined : JSON.stringify(body);
		const request = { origin: origin(), method: operation.method, path: path + toQuery(query), headers, sent };
		const exchanged = await exchange(deps, request);
		if (!exchanged.ok) return exchanged;
		return readReply(exchanged.value, `${operation.method} ${path}`, operation);
	};
}

/** URLs are normalised on the way, escaped or not: such an id would reach another route. */
function isUnsafeSegment(segment: unknown): boolean {
	return segment === '' || segment === '.' || segment === '..';
}

function toPath(pattern: string, params: Parts): string {
	return pattern.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
}

function toQuery(query: Parts): string {
	const words = Object.entries(query)
		.filter(([, value]) => value !== undefined)
		.map(([key, value]) => `${key}=${encodeURIComponent(String(value))}`);
	return words.length > 0 ? `?${words.join('&')}` : '';
}

type RawReply = { status: number; text: string };

type Request = {
	origin: string;
	method: string;
	path: string;
	headers: Readonly<Record<string, string>>;
	sent: string | undefined;
};

async function exchange(deps: ApiDeps, { origin, method, path, headers: more, sent }: Request): Promise<Reply<RawReply>> {
	try {
		const token = typeof deps.token === 'string' ? deps.token : await deps.token();
		const headers = { ...toHeaders(token, deps.face, sent !== undefined), ...more };
		const response = await deps.fetch(`${origin}${path}`, { method, headers, ...(sent === undefined ? {} : { body: sent }) });
		return { ok: true, value: { status: response.status, text: await response.text() } };
	} catch (cause) {
		// The login failed, and it says why.
		if (cause instanceof AppError) return failed(cause);
		return failed(new AppError('cannot_start', whyNot(cause, origin, deps), { cause }));
	}
}

const OF_CERTIFICATES = /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED_CERT|UNABLE_TO_(GET|VERIFY|DECRYPT))/;

function whyNot(cause: unknown, origin: string, { ifDown = 'Start the runner with `roost up`, or check the address.' }: ApiDeps) {
	const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
	if (!OF_CERTIFICATES.test(code)) return `Nothing answers at ${origin}. ${ifDown}`;
	const why = cause instanceof Error ? cause.message.split(';', 1)[0] : code;
	const next = 'Check the address, or name the file of its issuer in NODE_EXTRA_CA_CERTS.';
	return `The certificate of ${origin} is not trusted (${why}). ${next}`;
}

function toHeaders(token: string, face: string, hasBody: boolean): Record<string, string> {
	return {
		accept: 'application/json',
		'x-roost-face': face,
		authorization: `Bearer ${token}`,
		...(hasBody ? { 'content-type': 'application/json' } : {}),
	};
}

function readReply({ status, text }: RawReply, what: string, { reply: schema, media }: Operation): Reply<unknown> {
	const isText = media !== undefined && status >= 200 && status < 300;
	if (isText) return { ok: true, value: text };
	const json = parseJson(text);
	if (json === undefined && PROXY_FAILED.has(status)) return failed(proxyFailed(what, status));
	// An empty body is a reply without content.
	if (json === undefined && text !== '') return failed(unexpectedReply(what, status, 'the reply is not JSON'));
	if (status < 200 || status >= 300) return readFailure(json, what, status);
	const queued = status === QUEUED ? readQueued(json) : undefined;
	if (queued) return queued;
	const parsed = schema.safeParse(json);
	if (!parsed.success) return failed(unexpectedReply(what, status, 'the reply has another form', parsed.error));
	return { ok: true, value: parsed.data };
}

function readFailure(json: unknown, what: string, status: number): Reply<never> {
	const decided = decidedAlready.safeParse(json);
	if (decided.success && decided.data.winner !== undefined) {
		return { ...failed(new AppError('conflict', decided.data.message)), winner: decided.data.winner };
	}
	const wire = wireError.safeParse(json);
	if (wire.success) return failed(new AppError(wire.data.code, wire.data.message));
	return failed(unexpectedReply(what, status, 'the error has another form', wire.error));
}

/** A hub has stored a command for a runner that is away. */
const QUEUED = 202;

/** Statuses that a proxy sends if the runner behind it is away. */
const PROXY_FAILED: ReadonlySet<number> = new Set([502, 503, 504]);

function proxyFailed(what: string, status: number): AppError {
	const message = `${what} was answered with ${status}: a proxy cannot reach the runner. Start the runner with "roost up", or check the proxy.`;
	return new AppError('cannot_start', message);
}

function unexpectedReply(what: string, status: number, why: string, cause?: unknown): AppError {
	const message = `${what} was answered with ${status}, but ${why}. Check that a runner of this version listens there.`;
	return new AppError('internal', message, { cause });
}

function failed(error: AppError): { ok: false; error: AppError } {
	return { ok: false, error };
}
