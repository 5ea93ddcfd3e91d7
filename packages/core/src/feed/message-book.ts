// Messages of agents, put together from the pieces they show.
import type { FeedEventOf } from '@roost/protocol/feed/event';
import type { ActorId } from '@roost/protocol/ids';
import { keepNewest } from './keep-newest.ts';

export type MessageBook = {
	/**
	 * Pieces of unfinished messages by index. They come from transient events: after a restart in the middle of a
	 * message its beginning is missing, and the finished message starts with an ellipsis.
	 */
	pieces: Map<string, Map<number, string>>;
	/** The last message of each actor in this run, so that its stop does not repeat it. */
	last: Map<ActorId, { text: string; fromStop: boolean }>;
};

type Display = FeedEventOf<'message.display'>;

export function createMessageBook(): MessageBook {
	return { pieces: new Map(), last: new Map() };
}

export function foldDelta(book: MessageBook, event: Display): void {
	const key = keyOf(event.actor_id, event.data);
	const pieces = book.pieces.get(key) ?? new Map<number, string>();
	pieces.set(event.data.index ?? pieces.size, event.data.delta);
	book.pieces.set(key, pieces);
	keepNewest(book.pieces);
}

export function foldFinal(book: MessageBook, event: Display): void {
	book.pieces.delete(keyOf(event.actor_id, event.data));
}

export function foldMessage(book: MessageBook, event: FeedEventOf<'agent.message'>): void {
	book.last.delete(event.actor_id);
	book.last.set(event.actor_id, { text: event.data.text, fromStop: event.data.message_id === undefined });
	keepNewest(book.last);
}

export function forgetMessages(book: MessageBook): void {
	book.pieces.clear();
	book.last.clear();
}

/** The whole text of a message, given its final piece. */
export function finishedText(book: MessageBook, actorId: ActorId, final: Display['data']): string {
	const earlier = book.pieces.get(keyOf(actorId, final)) ?? new Map<number, string>();
	const index = final.index ?? earlier.size;
	const pieces = new Map(earlier).set(index, final.delta);
	const text = [...pieces].sort(([left], [right]) => left - right).map(([, piece]) => piece);
	return pieces.size > index ? text.join('') : `…${text.join('')}`;
}

/** Whether a stop's last message is the one the agent has shown already. */
export function isShown(book: MessageBook, actorId: ActorId, text: string): boolean {
	return book.last.get(actorId)?.text.trim() === text.trim();
}

/** Whether the stop reported a shown message already: the two reports may arrive in either order. */
export function isReportedByStop(book: MessageBook, actorId: ActorId, text: string): boolean {
	return isShown(book, actorId, text) && book.last.get(actorId)?.fromStop === true;
}

function keyOf(actorId: ActorId, { message_id }: Display['data']): string {
	return message_id ?? actorId;
}
