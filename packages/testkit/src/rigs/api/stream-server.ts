// The server's side of `/stream` in memory, one frame at a time: a test controls delivery and disconnects.
import { type ClientFrame, clientFrame, type ServerFrame, STREAM_PROTOCOL } from '@roost/protocol/api/stream-frames';
import { projectId, runnerId, sessionId, streamId } from '@roost/protocol/ids';
import { STORED_LINE_VERSION, type StoredLine } from '@roost/protocol/stored-line';
import { sampleEvent } from '../record/sample-append.ts';

export type StreamServer = {
	openSocket(): MemorySocket;
	/** Every frame any client sent, in order. */
	readonly received: ClientFrame[];
	readonly log: StoredLine[];
	opened(): number;
	/** Sockets that neither side has closed. */
	stillOpen(): number;
	append(stream: string): void;
	/** Greets the newest connection. */
	greet(over?: { protocol?: number; runnerId?: string; epoch?: number }): void;
	/** Delivers up to `most` pending frames to the newest connection; returns their number. */
	deliver(most?: number): number;
	/** Makes every subscription fall behind: it is read again from some places earlier. */
	lag(places: number): void;
	push(frame: ServerFrame): void;
	pushText(text: string): void;
	/** The connection is lost, with all undelivered frames. */
	cut(reason?: string): void;
};

export type MemorySocket = {
	send(text: string): void;
	close(): void;
	onOpen(handler: () => void): void;
	onText(handler: (text: string) => void): void;
	onClose(handler: (reason: string) => void): void;
};

type Subscription = { stream?: string; after: number; caughtUp: boolean };
type Line = {
	subs: Map<string, Subscription>;
	receive: (text: string) => void;
	ended: (reason: string) => void;
	/** Lost: nothing arrives any more. A client that closed its side still receives frames in flight. */
	cut: boolean;
	left: boolean;
	turn: number;
};

export function createStreamServer(): StreamServer {
	const received: ClientFrame[] = [];
	const log: StoredLine[] = [];
	const lines: Line[] = [];
	const newest = () => lines.at(-1);
	const pushText = (text: string) => {
		if (!newest()?.cut) newest()?.receive(text);
	};
	const push = (frame: ServerFrame) => pushText(JSON.stringify(frame));

	return {
		received,
		log,
		push,
		pushText,
		opened: () => lines.length,
		stillOpen: () => lines.filter((line) => !line.cut && !line.left).length,
		openSocket() {
			const line: Line = { subs: new Map(), receive: () => {}, ended: () => {}, cut: false, left: false, turn: 0 };
			lines.push(line);
			return toSocket(line, (frame) => {
				received.push(frame);
				applySubscription(line.subs, frame, log.length);
			});
		},
		append: (stream) => log.push(toLine(log, stream)),
		greet: (over = {}) =>
			push({
				type: 'hello',
				protocol: over.protocol ?? STREAM_PROTOCOL,
				runnerId: runnerId.parse(over.runnerId ?? 'runner-1'),
				epoch: over.epoch ?? 1,
				version: '0.1.0',
			}),
		deliver(most = Number.POSITIVE_INFINITY) {
			let delivered = 0;
			while (delivered < most) {
				const frame = nextOwed(newest(), log);
				if (frame === undefined) break;
				push(frame);
				delivered += 1;
			}
			return delivered;
		},
		lag(places) {
			for (const [sub, subscription] of newest()?.subs ?? []) {
				subscription.after = Math.max(0, subscription.after - places);
				subscription.caughtUp = false;
				push({ type: 'lagged', sub, after: subscription.after });
			}
		},
		cut(reason = 'cut') {
			const line = newest();
			if (!line || line.cut) return;
			line.cut = true;
			line.ended(reason);
		},
	};
}

function toSocket(line: Line, take: (frame: ClientFrame) => void): MemorySocket {
	return {
		send(text) {
			if (line.cut || line.left) throw new Error('the socket is closed');
			take(clientFrame.parse(JSON.parse(text)));
		},
		close() {
			line.left = true;
		},
		onOpen() {},
		onText(handler) {
			line.receive = handler;
		},
		onClose(handler) {
			line.ended = handler;
		},
	};
}

function applySubscription(subs: Map<string, Subscription>, frame: ClientFrame, head: number): void {
	if (frame.type === 'subscribe') subs.set(frame.sub, { stream: frame.stream, after: frame.after, caughtUp: false });
	if (frame.type === 'subscribe-all')
		subs.set(frame.sub, { after: frame.after === 'now' ? head : (frame.after?.seqNo ?? 0), caughtUp: false });
	if (frame.type === 'unsubscribe') subs.delete(frame.sub);
}

/** Subscriptions take turns. Reading is sending: the subscription advances with the frame it returned. */
function nextOwed(line: Line | undefined, log: readonly StoredLine[]): ServerFrame | undefined {
	if (!line || line.cut) return undefined;
	line.turn += 1;
	const subs = [...line.subs];
	const first = line.turn % Math.max(1, subs.length);
	for (const [sub, subscription] of [...subs.slice(first), ...subs.slice(0, first)]) {
		const next = log.find((entry) => isOwed(subscription, entry));
		if (next !== undefined) {
			subscription.after = subscription.stream === undefined ? next.seqNo : next.offset;
			return { type: 'line', line: next };
		}
		if (!subscription.caughtUp) {
			subscription.caughtUp = true;
			return { type: 'caught-up', sub, after: subscription.after };
		}
	}
	return undefined;
}

function isOwed({ stream, after }: Subscription, entry: StoredLine): boolean {
	return stream === undefined ? entry.seqNo > after : entry.stream === stream && entry.offset > after;
}

function toLine(log: readonly StoredLine[], stream: string): StoredLine {
	const offset = log.filter((entry) => entry.stream === stream).length + 1;
	const event = sampleEvent(stream, offset);
	return {
		seqNo: log.length + 1,
		stream: streamId.parse(stream),
		offset,
		sessionId: sessionId.parse(stream),
		runnerId: runnerId.parse('runner-1'),
		projectId: projectId.parse('/project'),
		ts: event.ts,
		receivedAt: event.ts,
		v: STORED_LINE_VERSION,
		event,
	};
}
