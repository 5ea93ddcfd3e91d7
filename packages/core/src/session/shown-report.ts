// The redacted form of a report, from which everything that is kept and shown is derived. Decisions are made on the report itself.
import { keepNewest } from '../feed/keep-newest.ts';
import type { Redactor } from '../redaction/redact.ts';
import { createTextStream, type TextStream } from '../redaction/redact-stream.ts';
import type { EventBase, EventOf, RuntimeEvent, UnreadEvent } from '../runtime/event.ts';
import { readReport } from '../runtime/normal-form/read-report.ts';

/** Messages that are shown piece by piece. Pieces may arrive out of order. */
export type ShownMessages = Map<string, ShownMessage>;

type ShownMessage = { stream: TextStream; next: number; early: Map<number, string> };

/** The same report without secrets; a piece of a message may hold less or more text than was reported. */
export function toShownReport(messages: ShownMessages, event: RuntimeEvent, { redact }: Redactor): RuntimeEvent {
	if (!isPiece(event)) return redactReport(event, redact);
	const delta = redact(takePiece(messages, event)).value;
	const shown = redactReport(withDelta(event, ''), redact);
	return isPiece(shown) ? withDelta(shown, delta) : shown;
}

/** A redaction mark may not fit the schema, so a changed report is parsed again. */
function redactReport(event: RuntimeEvent, redact: Redactor['redact']): RuntimeEvent {
	const { value } = redact(event);
	if (value === event || event.unread !== undefined) return { ...value, id: event.id };
	const base: EventBase = { ...value, id: event.id };
	return { ...base, ...readReport(event.hookName, value.payload) };
}

/** A malformed piece may hold a part of a secret too. */
type Piece = EventOf<'MessageDisplay'> | (UnreadEvent & { payload: Record<string, unknown> & { delta: string } });

function isPiece(event: RuntimeEvent): event is Piece {
	const { hookName, payload } = event;
	return (
		hookName === 'MessageDisplay' &&
		typeof payload === 'object' &&
		payload !== null &&
		'delta' in payload &&
		typeof payload.delta === 'string'
	);
}

/** The compiler needs both branches, although they are the same. */
function withDelta(event: Piece, delta: string): Piece {
	if (event.unread === undefined) return { ...event, payload: { ...event.payload, delta } };
	return { ...event, payload: { ...event.payload, delta } };
}

/** After this many pieces without their predecessor, that one is treated as lost. */
const MOST_EARLY = 256;

/** In the order of the pieces; one whose predecessors are missing is buffered until they or the final piece arrive. */
function takePiece(messages: ShownMessages, { payload, agentId }: Piece): string {
	const { message_id: id, index: place, delta: text, final } = payload;
	const key = typeof id === 'string' ? id : (agentId ?? '');
	const index = typeof place === 'number' ? place : undefined;
	const message = messages.get(key) ?? { stream: createTextStream(), next: index ?? 0, early: new Map() };
	message.early.set(index ?? message.next, text);
	if (message.early.size > MOST_EARLY) message.next = Math.min(...message.early.keys());
	let shown = '';
	for (let next = message.early.get(message.next); next !== undefined; next = message.early.get(message.next)) {
		message.early.delete(message.next);
		message.next += 1;
		shown += message.stream.add(next);
	}
	if (final !== true) {
		messages.set(key, message);
		keepNewest(messages);
		return shown;
	}
	messages.delete(key);
	const late = [...message.early].sort(([left], [right]) => left - right).map(([, piece]) => message.stream.add(piece));
	return shown + late.join('') + message.stream.end();
}
