// One operation of the API as data. The gateway's routes, the client, OpenAPI and the access checks are derived from it.
import { z } from 'zod';
import type { Principal } from '../ask.ts';
import type { Result } from '../result.ts';
import { API } from './api-path.ts';

/**
 * What a caller may do: read and watch; prompt and steer sessions; allow and answer;
 * change rules, plugins and everything else of the machine; manage devices and people.
 */
export const ROLES = ['view', 'operate', 'approve', 'own', 'admin'] as const;
export type Role = (typeof ROLES)[number];

export type Operation<
	P extends z.ZodObject = z.ZodObject,
	Q extends z.ZodObject = z.ZodObject,
	B extends z.ZodType = z.ZodType,
	R extends z.ZodType = z.ZodType,
> = Omit<Head, 'status' | 'isBare'> & {
	/** The whole path, with `:name` for each parameter. */
	readonly path: string;
	readonly summary: string;
	readonly status: number;
	readonly params: P;
	readonly query: Q;
	readonly body: B;
	readonly reply: R;
};

type Head = {
	readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	/** Of a reply that is no error; 200 unless named. */
	readonly status?: number;
	/** Its path is not below the API's. */
	readonly isBare?: boolean;
	/** `none`: open to everyone, because it holds no data or the request proves itself. */
	readonly needs: Role | 'none';
	/** Whether the stored record answers it, or only the machine that the agents run on. */
	readonly from: 'record' | 'machine';
	/** Refused to devices: it answers with a secret, or acts on all devices. */
	readonly tokenOnly?: boolean;
	/** Refused to the token: it acts on the calling device. */
	readonly deviceOnly?: boolean;
	/** An agent's own process may call it, although it is not a GET. */
	readonly agentsMay?: boolean;
	/** Takes a `commandId`: a repeat returns the first result and does nothing twice. */
	readonly command?: boolean;
	/** A command whose effect is outside the record: a repeat after a kill cannot know the outcome of the first. */
	readonly outside?: boolean;
	/** Long-running: reports lines of progress. */
	readonly progress?: boolean;
	/** Its body may be as long as a prompt. */
	readonly takesPrompt?: boolean;
	/** Opened as a WebSocket. */
	readonly upgrade?: boolean;
	/** Media type of the reply; JSON unless named. */
	readonly media?: string;
};

/** For parts that an operation does not have. */
export const none = z.strictObject({});
type None = typeof none;

/** The reply of an operation without a result. */
export const nothing = z
	.strictObject({})
	.optional()
	.transform((): void => undefined);

/** In a query every value is text. */
export const wholeNumber = z.union([
	z.int().nonnegative(),
	z
		.string()
		.regex(/^\d{1,15}$/, 'expected a whole number')
		.transform(Number),
]);
export const yesOrNo = z.union([
	z.boolean(),
	z.enum(['true', 'false', '1', '0']).transform((word) => word === 'true' || word === '1'),
]);
export const pageSize = wholeNumber.refine((limit) => limit >= 1 && limit <= 1_000, 'expected 1 to 1000');

/** A page of events, by offset. */
export const page = z.strictObject({ after: wholeNumber.default(0), limit: pageSize.default(500) });

export function operation<
	R extends z.ZodType,
	P extends z.ZodObject = None,
	Q extends z.ZodObject = None,
	B extends z.ZodType = None,
>(head: Head, path: string, summary: string, parts: { params?: P; query?: Q; body?: B; reply: R }): Operation<P, Q, B, R>;
export function operation(
	{ isBare = false, status = 200, ...head }: Head,
	path: string,
	summary: string,
	parts: Partial<Operation> & Pick<Operation, 'reply'>,
): Operation {
	return { ...head, path: isBare ? path : API + path, summary, status, params: none, query: none, body: none, ...parts };
}

/** A resource with its operations, by name. */
export type Operations = Readonly<Record<string, Operation>>;

/** An empty object has no keys of its own, so it adds nothing to the others. */
type Part<T> = string extends keyof T ? unknown : T;
type WithoutCommandId<T> = T extends unknown ? Omit<T, 'commandId'> : never;

/** The input of a caller: path parameters, query and body as one object. */
export type CallInput<O extends Operation> = Part<z.input<O['params']>> & Part<z.input<O['query']>> & Part<z.input<O['body']>>;

/** The input of a handler: the same, parsed. */
export type HandlerInput<O extends Operation> = Part<z.output<O['params']>> &
	Part<WithoutCommandId<z.output<O['query']>>> &
	Part<WithoutCommandId<z.output<O['body']>>>;

export type CallReply<O extends Operation> = z.output<O['reply']>;

/** A value now, or later: a runner answers from its own database, a hub from one over the network. */
export type Awaitable<T> = T | Promise<T>;

export type CallContext = {
	/** Who calls. */
	readonly by: Principal;
	/** One line of progress. */
	readonly report: (line: string) => void;
};

export type Handler<O extends Operation, C = CallContext, R = CallReply<O>> = (
	input: HandlerInput<O>,
	context: C,
) => Awaitable<Result<R>>;

/** A port: one handler for each operation of a resource. */
export type Handlers<G extends Operations, C = CallContext> = { readonly [K in keyof G]: Handler<G[K], C> };

export type Parts = Readonly<Record<string, unknown>>;

/** Where the parts of an input go: what the path names, what the query names, and the rest in the body. */
export function placeInput({ params, query }: Operation, input: Parts): Record<'params' | 'query' | 'body', Parts> {
	const placeOf = (name: string) =>
		Object.hasOwn(params.shape, name) ? 'params' : Object.hasOwn(query.shape, name) ? 'query' : 'body';
	const partsAt = (place: string) => Object.fromEntries(Object.entries(input).filter(([name]) => placeOf(name) === place));
	return { params: partsAt('params'), query: partsAt('query'), body: partsAt('body') };
}
