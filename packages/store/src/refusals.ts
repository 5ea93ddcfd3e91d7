// Requests that every store refuses in the same words.
import { AppError } from '@roost/protocol/app-error';
import { err, type Result } from '@roost/protocol/result';
import type { AsksQuery, ReadQuery, SearchQuery, UnflushedQuery } from './store.ts';

type Query = ReadQuery | SearchQuery | AsksQuery | UnflushedQuery | { after: number; limit: number };

/** Undefined when the numbers of the query make sense. */
export function queryFault(query: Query): Result<never> | undefined {
	if ([query.limit ?? 0, placeOf(query)].every((value) => Number.isSafeInteger(value) && value >= 0)) return undefined;
	return err(new AppError('bad_request', 'The place to read from and the limit must be whole numbers, 0 or greater.'));
}

export function closedStore(): AppError {
	return new AppError('store_unavailable', 'The record was closed; open it again first.');
}

export function duplicateEvent(id: string): AppError {
	return new AppError('duplicate_event', `The event ${id} is already in the log; an event can be appended only once.`);
}

export function decidedAsk(id: string, state: string): AppError {
	return new AppError('conflict', `The ask ${id} is ${state} already, and an ask is decided only once; read it to see how.`);
}

export function differentRule(id: string): AppError {
	return new AppError('conflict', `Another rule is kept as ${id}; remove that one first, or choose another id.`);
}

export function badAcknowledgement(seqNo: number): AppError {
	return new AppError('bad_request', `An acknowledgement names a seqNo, a whole number, 0 or greater; it was ${seqNo}.`);
}

export function notStoredYet(seqNo: number, lastSeqNo: number): AppError {
	const problem = `Events up to ${seqNo} were acknowledged, but the log ends at ${lastSeqNo}`;
	return new AppError('conflict', `${problem}; check that the hub speaks of this runner.`);
}

function placeOf(query: Query): number {
	if ('after' in query) return query.after;
	return 'afterSeqNo' in query ? query.afterSeqNo : 0;
}
