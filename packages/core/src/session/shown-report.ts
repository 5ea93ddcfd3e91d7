// What of a report may be kept and shown: redacted before anything is derived from it. Decisions are made on the report itself.
import { keepNewest } from '../feed/keep-newest.ts';
import type { Redactor } from '../redaction/redact.ts';
import { createTextStream, type TextStream } from '../redaction/redact-stream.ts';
import type { RuntimeEvent } from '../runtime/event.ts';

/** Messages that are being shown piece by piece. Pieces may overtake each other. */
export type ShownMessages = Map<string, ShownMessage>;

type ShownMessage = { stream: TextStream; next: number; early: Map<number, string> };

/** The same report under the same id, without secrets; a piece of a message may hold less, or more, than was reported. */
export function toShownReport(messages: ShownMessages, event: RuntimeEvent, { redact }: Redactor): RuntimeEvent {
	const piece = pieceOf(event);
	if (piece === undefined) return { ...redact(event).value, id: event.id };
	const delta = redact(takePiece(messages, piece)).value;
	const { delta: _, ...rest } = piece.payload;
	return { ...redact({ ...event, payload: rest }).value, id: event.id, payload: { ...redact(rest).value, delta } };
}

type Piece = { key: string; index: number | undefined; text: string; isLast: boolean; payload: Record<string, unknown> };

function pieceOf({ hookName, payload, agentId }: RuntimeEvent): Piece | undefined {
	if (hookName !== 'MessageDisplay' || !isRecord(payload) || typeof payload.delta !== 'string') return undefined;
	const { message_id: id, index, final } = payload;
	return {
		key: typeof id === 'string' ? id : (agentId ?? ''),
		index: typeof index === 'number' ? index : undefined,
		text: payload.delta,
		isLast: final === true,
		payload,
	};
}

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** So many pieces without the one before them: that one is not coming. */
const MOST_EARLY = 256;

/** In the order of the pieces; one whose predecessors are missing waits for them, and for the last one at the longest. */
function takePiece(messages: ShownMessages, { key, index, text, isLast }: Piece): string {
	const message = messages.get(key) ?? { stream: createTextStream(), next: index ?? 0, early: new Map() };
	message.early.set(index ?? message.next, text);
	if (message.early.size > MOST_EARLY) message.next = Math.min(...message.early.keys());
	let shown = '';
	for (let next = message.early.get(message.next); next !== undefined; next = message.early.get(message.next)) {
		message.early.delete(message.next);
		message.next += 1;
		shown += message.stream.add(next);
	}
	if (!isLast) {
		messages.set(key, message);
		keepNewest(messages);
		return shown;
	}
	messages.delete(key);
	const late = [...message.early].sort(([left], [right]) => left - right).map(([, piece]) => message.stream.add(piece));
	return shown + late.join('') + message.stream.end();
}
