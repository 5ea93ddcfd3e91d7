// One exchange with the API: sends it, reads the reply by its schema, and turns every failure into a value.
import { decidedAlready, type Winner } from '@roost/protocol/api/answers';
import { AppError, wireError } from '@roost/protocol/app-error';
import { z } from 'zod';

/** Where every route of it begins. */
export const API = ['api', 'v1'] as const;

/** Where only the status counts. */
export const nothing = z.unknown().transform(() => undefined);

/** What the client needs of `fetch`: a browser, Node and a test can each provide it. */
export type Fetch = (
	url: string,
	init: { method: string; headers: Record<string, string>; body?: string },
) => Promise<{ status: number; text(): Promise<string> }>;

export type ApiDeps = {
	/** Where the runner listens, such as `http://127.0.0.1:3100`; asked each time where it may move. */
	baseUrl: string | (() => string);
	/** The runner's token, or the bearer of a device, asked for each time because it is renewed. */
	token: string | (() => Promise<string>);
	/** From where people answer: it is recorded with each answer. */
	face: string;
	fetch: Fetch;
};

export type ApiRequest = {
	method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	path: readonly string[];
	query?: Record<string, string | number | undefined>;
	body?: unknown;
};

/** A `Result` that, when somebody else was first, also says who and what they said. */
export type Reply<T> =
	| { readonly ok: true; readonly value: T }
	| { readonly ok: false; readonly error: AppError; readonly winner?: Winner };

export type ApiCall = <T>(request: ApiRequest, schema: z.ZodType<T>) => Promise<Reply<T>>;

export function createApiCall(deps: ApiDeps): ApiCall {
	const { baseUrl } = deps;
	const origin = () => (typeof baseUrl === 'string' ? baseUrl : baseUrl()).replace(/\/+$/, '');
	return async (request, schema) => {
		if (request.path.some(leavesItsPlace)) {
			return failed(new AppError('bad_request', `${JSON.stringify(request.path.at(-1))} is not an id. Check how it is spelled.`));
		}
		const exchanged = await exchange(deps, origin(), request);
		if (!exchanged.ok) return exchanged;
		return readReply(exchanged.value, `${request.method} /${request.path.join('/')}`, schema);
	};
}

/** URLs are normalised on the way, escaped or not: such an id would reach another route. */
function leavesItsPlace(segment: string): boolean {
	return segment === '' || segment === '.' || segment === '..';
}

type RawReply = { status: number; text: string };

async function exchange(deps: ApiDeps, origin: string, request: ApiRequest): Promise<Reply<RawReply>> {
	const body = request.body === undefined ? undefined : JSON.stringify(request.body);
	try {
		const token = typeof deps.token === 'string' ? deps.token : await deps.token();
		const response = await deps.fetch(toUrl(origin, request), {
			method: request.method,
			headers: toHeaders(token, deps.face, body !== undefined),
			...(body === undefined ? {} : { body }),
		});
		return { ok: true, value: { status: response.status, text: await response.text() } };
	} catch (cause) {
		const message = `Nothing answers at ${origin}. Start the runner with \`roost up\`, or check the address.`;
		return failed(new AppError('cannot_start', message, { cause }));
	}
}

function toUrl(origin: string, { path, query = {} }: ApiRequest): string {
	const words = Object.entries(query)
		.filter(([, value]) => value !== undefined)
		.map(([key, value]) => `${key}=${encodeURIComponent(String(value))}`);
	return `${origin}/${path.map(encodeURIComponent).join('/')}${words.length > 0 ? `?${words.join('&')}` : ''}`;
}

function toHeaders(token: string, face: string, hasBody: boolean): Record<string, string> {
	return {
		accept: 'application/json',
		'x-roost-face': face,
		authorization: `Bearer ${token}`,
		...(hasBody ? { 'content-type': 'application/json' } : {}),
	};
}

function readReply<T>({ status, text }: RawReply, what: string, schema: z.ZodType<T>): Reply<T> {
	const json = parseJson(text);
	if (json === undefined) return failed(notPromised(what, status, 'the reply is not JSON'));
	if (status < 200 || status >= 300) return readFailure(json.value, what, status);
	const parsed = schema.safeParse(json.value);
	if (!parsed.success) return failed(notPromised(what, status, 'the reply has another form', parsed.error));
	return { ok: true, value: parsed.data };
}

function readFailure(json: unknown, what: string, status: number): Reply<never> {
	const decided = decidedAlready.safeParse(json);
	if (decided.success && decided.data.winner !== undefined) {
		return { ...failed(new AppError('conflict', decided.data.message)), winner: decided.data.winner };
	}
	const wire = wireError.safeParse(json);
	if (wire.success) return failed(new AppError(wire.data.code, wire.data.message));
	return failed(notPromised(what, status, 'the error has another form', wire.error));
}

/** An empty body is a reply without content. */
function parseJson(text: string): { value: unknown } | undefined {
	if (text === '') return { value: undefined };
	try {
		return { value: JSON.parse(text) };
	} catch {
		// The caller says what was expected; the parser's words about somebody else's text add nothing.
		return undefined;
	}
}

function notPromised(what: string, status: number, why: string, cause?: unknown): AppError {
	const message = `${what} was answered with ${status}, but ${why}. Check that a runner of this version listens there.`;
	return new AppError('internal', message, { cause });
}

function failed(error: AppError): { ok: false; error: AppError } {
	return { ok: false, error };
}
