// Errors for requests that the store refuses.
import { AppError } from '@roost/protocol/app-error';
import { err, type Result } from '@roost/protocol/result';
import type { AsksQuery, ReadQuery, SearchQuery, UnflushedQuery } from './store.ts';

type Query = ReadQuery | SearchQuery | AsksQuery | UnflushedQuery | { after?: number; limit?: number | undefined };

/** Undefined where the numbers of the query are valid. */
export function queryFault(query: Query): Result<never> | undefined {
	if ([query.limit ?? 0, placeOf(query)].every((value) => Number.isSafeInteger(value) && value >= 0)) return undefined;
	return err(new AppError('bad_request', 'The position to read from and the limit must be whole numbers, 0 or greater.'));
}

export function closedStore(): AppError {
	return new AppError('store_unavailable', 'The record is closed. Open it again first.');
}

export function duplicateEvent(id: string): AppError {
	return new AppError('duplicate_event', `Event ${id} is already in the log. An event can be appended only once.`);
}

export function decidedAsk(id: string, state: string): AppError {
	return new AppError('conflict', `Ask ${id} is already ${state}. An ask can be decided only once.`);
}

export function differentRule(id: string): AppError {
	return new AppError('conflict', `Another rule has the id ${id}. Remove it first, or choose another id.`);
}

function placeOf(query: Query): number {
	if ('after' in query) return query.after ?? 0;
	return 'afterSeqNo' in query ? query.afterSeqNo : 0;
}
