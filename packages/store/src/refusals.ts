// Requests that every store refuses in the same words.
import { AppError } from '@roost/protocol/app-error';
import { err, type Result } from '@roost/protocol/result';
import type { AsksQuery, ReadQuery, SearchQuery } from './store.ts';

/** Undefined when the numbers of the query make sense. */
export function queryFault(query: ReadQuery | SearchQuery | AsksQuery): Result<never> | undefined {
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

function placeOf(query: ReadQuery | SearchQuery | AsksQuery): number {
	if ('after' in query) return query.after;
	return 'afterSeqNo' in query ? query.afterSeqNo : 0;
}
