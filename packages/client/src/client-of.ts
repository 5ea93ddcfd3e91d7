// A client of some operations, typed: one method for each, every reply parsed, every failure a value.
import type { CallInput, CallReply, Operation, Operations, Parts } from '@roost/protocol/contract/operation';
import { type ApiDeps, createApiCall, type Reply } from './api-call.ts';

export type ClientOf<C> = { readonly [R in keyof C]: { readonly [K in keyof C[R]]: Call<C[R][K]> } };

/** An operation that takes nothing is called with nothing. */
type Call<O> = O extends Operation
	? unknown extends CallInput<O>
		? () => Promise<Reply<CallReply<O>>>
		: Record<never, never> extends CallInput<O>
			? (input?: CallInput<O>) => Promise<Reply<CallReply<O>>>
			: (input: CallInput<O>) => Promise<Reply<CallReply<O>>>
	: never;

export function createClientOf<C extends Readonly<Record<string, Operations>>>(operations: C, deps: ApiDeps): ClientOf<C>;
export function createClientOf(operations: Readonly<Record<string, Operations>>, deps: ApiDeps): object {
	const call = createApiCall(deps);
	const toMethod =
		(resource: string) =>
		(operation: Operation, name: string) =>
		(input: Parts = {}) =>
			call(operation, input, `${resource}.${name}`);
	return mapValues(operations, (resource, name) => mapValues<Operation, object>(resource, toMethod(name)));
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, change: (value: T, name: string) => U): Record<string, U> {
	return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]));
}
