// Messages between the nodes of a hub. They are hints: any may be lost, so nothing that must arrive is only here.
import { AppError } from '@roost/protocol/app-error';
import type { Result } from '@roost/protocol/result';

/** One member for each node; a node does not receive its own messages. */
export type Bus = AsyncDisposable & {
	/** Dropped while the bus is not connected, and if it is longer than MOST_MESSAGE. */
	publish(subject: string, text: string): void;
	/** In the order that one node published in. Returns the unsubscribe function. */
	subscribe(subject: string, handler: (text: string) => void): () => void;
	/** Answered by one node. `not_found` at once if no node serves the subject, `store_unavailable` if the bus is not connected. */
	request(subject: string, text: string, timeoutMs: number): Promise<Result<string>>;
	/** A reply may be longer than a message. Returns the function that ends it. */
	serve(subject: string, handler: (text: string) => Promise<string>): () => void;
	isConnected(): boolean;
};

/** In bytes, below the default of a NATS server. */
export const MOST_MESSAGE = 900_000;

export function isTooLong(text: string): boolean {
	return text.length > MOST_MESSAGE || Buffer.byteLength(text) > MOST_MESSAGE;
}

/** An id as one part of a subject, where `.`, `*`, `>` and spaces have a meaning. */
export function toToken(id: string): string {
	return /^[\w-]+$/.test(id) ? id : `=${Buffer.from(id).toString('base64url')}`;
}

export function noResponders(): AppError {
	return new AppError('not_found', 'No node of the hub serves this.');
}

export function disconnected(): AppError {
	return new AppError('store_unavailable', 'The nodes of the hub cannot reach each other. Retry later.');
}

export function tooLong(): AppError {
	return new AppError('too_large', `A request to another node has more than ${MOST_MESSAGE} bytes. Send less at once.`);
}

export function noReply(timeoutMs: number): AppError {
	return new AppError('timed_out', `Another node of the hub did not reply within ${timeoutMs / 1_000} seconds. Retry later.`);
}

export function brokenReply(): AppError {
	return new AppError('internal', 'Another node of the hub failed to reply.');
}
