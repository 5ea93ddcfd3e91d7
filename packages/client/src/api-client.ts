// The API over HTTP, typed: one method for each operation of the contract, every reply parsed, every failure a value.
import { type Contract, contract } from '@roost/protocol/contract/contract';
import type { CallInput, CallReply, Operation, Parts } from '@roost/protocol/contract/operation';
import { tolerantEvent, tolerantLine } from '@roost/protocol/tolerant-line';
import { z } from 'zod';
import { type ApiDeps, createApiCall, type Reply } from './api-call.ts';

export type ApiClient = {
	readonly [R in Exclude<keyof Contract, 'sockets'>]: { readonly [K in keyof Contract[R]]: Call<Contract[R][K]> };
};

/** An operation that takes nothing is called with nothing. */
type Call<O> = O extends Operation
	? unknown extends CallInput<O>
		? () => Promise<Reply<CallReply<O>>>
		: Record<never, never> extends CallInput<O>
			? (input?: CallInput<O>) => Promise<Reply<CallReply<O>>>
			: (input: CallInput<O>) => Promise<Reply<CallReply<O>>>
	: never;

export function createApiClient(deps: ApiDeps): ApiClient;
export function createApiClient(deps: ApiDeps): object {
	const call = createApiCall(deps);
	const toMethods = (operations: Record<string, Operation>) =>
		mapValues(
			operations,
			(operation) =>
				(input: Parts = {}) =>
					call(operation, input),
		);
	return mapValues<Record<string, Operation>, object>(tolerantContract, toMethods);
}

const { feed, projects } = contract;
const pastPage = projects.events.reply;
const pastEvent = pastPage.shape.events.unwrap().element.extend({ event: tolerantEvent });

/** Replies with events are read as frames with events are: an unknown kind does not make the rest unreadable. */
const tolerantContract = {
	...contract,
	feed: {
		...feed,
		events: { ...feed.events, reply: z.array(tolerantLine) },
		event: { ...feed.event, reply: tolerantLine },
	},
	projects: { ...projects, events: { ...projects.events, reply: pastPage.extend({ events: z.array(pastEvent).readonly() }) } },
};

function mapValues<T, U>(record: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> {
	return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}
