// Requests that every store refuses in the same words.
import { AppError } from '@roost/protocol/app-error';
import { err, type Result } from '@roost/protocol/result';
import type { ReadQuery, SearchQuery } from './store.ts';

/** Undefined when the numbers of the query make sense. */
export function queryFault(query: ReadQuery | SearchQuery): Result<never> | undefined {
	if ([query.limit, placeOf(query)].every((value) => Number.isSafeInteger(value) && value >= 0)) return undefined;
	return err(new AppError('bad_request', 'The place to read from and the limit must be whole numbers, 0 or greater.'));
}

export function closedStore(): AppError {
	return new AppError('store_unavailable', 'The record was closed; open it again first.');
}

export function duplicateEvent(id: string): AppError {
	return new AppError('duplicate_event', `The event ${id} is already in the log; an event can be appended only once.`);
}

function placeOf(query: ReadQuery | SearchQuery): number {
	if ('words' in query) return 0;
	return 'stream' in query ? query.after : query.afterSeqNo;
}
