// A route as data: its schemas validate the input, give the handler its types, and become the OpenAPI document.
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { z } from 'zod';
import type { Caller } from './caller.ts';
import { errorReply } from './errors.ts';
import type { Reply } from './reply.ts';

/** `open`: no credential. `any`: the token or the bearer of a device. `token`: nothing else. */
export type Access = 'open' | 'any' | 'token';

export type RouteShape = {
	method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	path: string;
	access: Access;
	summary: string;
	/** Whether it does something that only people may do; else every route that is no GET does. */
	decides?: boolean;
	/** Its body is as long as prompts are. */
	takesPrompt?: boolean;
	/** The body of a good answer, and its status. */
	reply: z.ZodType;
	status: number;
	/** What a good answer is written in; JSON unless it is named. */
	media?: string;
};

export type Schemas<P, Q, B> = { params: z.ZodType<P>; query: z.ZodType<Q>; body: z.ZodType<B> };

export type Route = RouteShape & Schemas<unknown, unknown, unknown> & { run(raw: RawInput, caller: Caller): Promise<Reply> };

export type RawInput = { params: unknown; query: unknown; body: unknown };

type Handler<P, Q, B> = (input: { params: P; query: Q; body: B; caller: Caller }) => Result<Reply> | Promise<Result<Reply>>;

/** For what a route does not take. */
export const nothing = z.strictObject({});
export const noBody = z.strictObject({}).nullish();

export function defineRoute<P, Q, B>(shape: RouteShape & Schemas<P, Q, B>, handle: Handler<P, Q, B>): Route {
	return {
		...shape,
		async run(raw, caller) {
			const refusal = refuseCaller(shape.access, caller);
			if (refusal) return refusal;
			const params = parse('params', shape.params, raw.params);
			if (!params.ok) return errorReply(params.error);
			const query = parse('query', shape.query, raw.query);
			if (!query.ok) return errorReply(query.error);
			const body = parse('body', shape.body, raw.body);
			if (!body.ok) return errorReply(body.error);
			const reply = await handle({ params: params.value, query: query.value, body: body.value, caller });
			return reply.ok ? reply.value : errorReply(reply.error);
		},
	};
}

/** The checks let nobody through to here; a route holds by itself all the same. */
function refuseCaller(access: Access, caller: Caller): Reply | undefined {
	if (access === 'open' || caller.via === 'token') return undefined;
	if (caller.via === 'nobody') return errorReply(new AppError('unauthorized', 'Send the token as "Authorization: Bearer …".'));
	if (access === 'token') return errorReply(new AppError('unauthorized', 'This needs the token, not a device.'), 403);
	return undefined;
}

export function parse<T>(where: string, schema: z.ZodType<T>, raw: unknown): Result<T> {
	const parsed = schema.safeParse(raw);
	if (parsed.success) return ok(parsed.data);
	const issue = parsed.error.issues[0];
	const field = [where, ...(issue?.path ?? [])].join('.');
	return err(new AppError('bad_request', `${field}: ${issue?.message ?? 'invalid'}`));
}

/** Whether a request goes to a route that needs no credential; anything unclear needs one. */
export function isOpenRoute(routes: readonly Route[], method: string, path: string): boolean {
	const parts = path.split('/');
	return routes.some((route) => {
		const own = route.path.split('/');
		if (route.access !== 'open' || route.method !== method || own.length !== parts.length) return false;
		return own.every((part, at) => (part.startsWith(':') ? parts[at] !== '' : part === parts[at]));
	});
}
