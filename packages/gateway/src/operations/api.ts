// The operations of the contract with their handlers: checks the caller, parses the input, runs a command once.
import { AppError } from '@roost/protocol/app-error';
import { type Contract, contract } from '@roost/protocol/contract/contract';
import {
	type Awaitable,
	type CallContext,
	type CallReply,
	type Handler,
	type Handlers,
	type Operation,
	type Operations,
	type Parts,
	placeInput,
} from '@roost/protocol/contract/operation';
import { err, ok, type Result } from '@roost/protocol/result';
import type { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import type { Download, RawJson } from '../http/reply.ts';
import type { Receipts } from './backend.ts';
import type { CommandProgressBoard } from './command-progress.ts';

/** The context of the gateway's own handlers, with the caller. */
export type GatewayContext = CallContext & { readonly caller: Caller };

export type ApiHandlers = {
	readonly [R in Exclude<keyof Contract, 'feed' | 'sockets'>]: Handlers<Contract[R], GatewayContext>;
} & {
	/** Stored lines are JSON already, and an export may be longer than memory. */
	readonly feed: {
		readonly [K in keyof Contract['feed']]: Handler<
			Contract['feed'][K],
			GatewayContext,
			RawJson | Download | CallReply<Contract['feed'][K]>
		>;
	};
};

/** An operation that can be called. */
export type Callable = {
	/** `<resource>.<operation>` */
	readonly name: string;
	readonly operation: Operation;
	call(input: Input, caller: Caller): Promise<Result<unknown>>;
};

/** A missing body counts as empty. */
export type Input = { params: unknown; query: unknown; body: unknown };

export type ApiDeps = { receipts: Pick<Receipts, 'run'>; progress: CommandProgressBoard };

type AnyHandler = (input: Parts, context: GatewayContext) => Awaitable<Result<unknown>>;

export function createApi(handlers: ApiHandlers, deps: ApiDeps): Callable[] {
	return createCallables(contract, handlers, deps);
}

/** Of any part of a contract; an operation without a handler is opened as a socket. */
export function createCallables<C extends Readonly<Record<string, Operations>>>(
	operations: C,
	handlers: { readonly [R in keyof C]?: { readonly [K in keyof C[R]]?: unknown } },
	deps: ApiDeps,
): Callable[] {
	const byResource: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>> = handlers;
	return Object.entries(operations).flatMap(([resource, named]) =>
		Object.entries(named).map(([name, operation]): Callable => {
			const handle = byResource[resource]?.[name];
			return toCallable(`${resource}.${name}`, operation, isHandler(handle) ? handle : refuseUpgrade, deps);
		}),
	);
}

function isHandler(value: unknown): value is AnyHandler {
	return typeof value === 'function';
}

/** For plain requests: an upgrade is handled before. */
function refuseUpgrade(): Result<never> {
	return err(new AppError('upgrade_required', 'Open this with a WebSocket.'));
}

function toCallable(name: string, operation: Operation, handle: AnyHandler, { receipts, progress }: ApiDeps): Callable {
	async function call(raw: Input, caller: Caller): Promise<Result<unknown>> {
		const refusal = findRefusal(operation, caller);
		if (refusal) return err(refusal);
		const parsed = parseInput(operation, raw);
		if (!parsed.ok) return parsed;
		const { commandId: named, ...input } = parsed.value;
		const hub = caller.via === 'hub' ? caller : undefined;
		const commandId = hub ? hub.commandId : named;
		const run = async (report: (line: string) => void) => await handle(input, { by: caller.principal, report, caller });
		if (typeof commandId !== 'string') return await run(() => {});
		const work = () => (operation.progress ? progress.run(commandId, run) : run(() => {}));
		// Without receipts of its own, its effect may be anywhere.
		const outside = operation.outside ?? !operation.command;
		return await receipts.run({ id: commandId, name, input, outside, work, keepsFailure: hub !== undefined, proof: hub?.proof });
	}
	return { name, operation, call };
}

/** A second check of the credential, in case the first one is bypassed. */
function findRefusal({ needs, tokenOnly = false, deviceOnly = false }: Operation, { via, roles }: Caller): AppError | undefined {
	if (needs === 'none') return undefined;
	if (via === 'nobody') return new AppError('unauthorized', 'Send the token as "Authorization: Bearer …".');
	if (tokenOnly && via !== 'token') return new AppError('denied', 'This needs the token, not a device.');
	if (deviceOnly && via !== 'device') return new AppError('denied', 'This needs a device, not the token.');
	if (!roles.includes(needs)) return new AppError('denied', `This needs the role "${needs}".`);
	return undefined;
}

/** As one flat object. */
export function parseInput(operation: Operation, raw: Input): Result<Parts> {
	const params = parse('params', operation.params, raw.params);
	if (!params.ok) return params;
	const query = parse('query', operation.query, raw.query);
	if (!query.ok) return query;
	const body = parse('body', operation.body, raw.body ?? {});
	if (!body.ok) return body;
	return ok(Object.assign({}, body.value, query.value, params.value));
}

export function parse<T>(where: string, schema: z.ZodType<T>, raw: unknown): Result<T> {
	const parsed = schema.safeParse(raw);
	if (parsed.success) return ok(parsed.data);
	const issue = parsed.error.issues[0];
	const field = [where, ...(issue?.path ?? [])].join('.');
	return err(new AppError('bad_request', `${field}: ${issue?.message ?? 'invalid'}`));
}

/** The same call with one flat input, as frames carry it. */
export function callFlat(callable: Callable, input: Parts, caller: Caller): Promise<Result<unknown>> {
	return callable.call(placeInput(callable.operation, input), caller);
}
