// The end of a channel that is at another node. Each message is a request, answered when that node has room for more: a lost one,
// a dead node and a bus without a connection end the channel.
import { z } from 'zod';
import type { Bus } from '../bus/bus.ts';
import { readHint } from '../runners/runner-bus.ts';
import type { ChannelClose, ChannelEnd, EndEvents, Message } from './pipe.ts';

export type RelayDeps = {
	bus: Bus;
	/** Subjects of the other node and of this one. */
	to: string;
	from: string;
	events: EndEvents;
	/** Whether the other node is ready; else it is from its first message on. */
	isReady: boolean;
	/** How often an idle channel checks that the other node is there. */
	beatMs?: number;
};

/** Of one message on the bus, before base64. */
const PART_BYTES = 128 * 1024;
const REPLY_MS = 60_000;
const BEAT_MS = 1_000;

const BEAT = 'beat';
const CLOSE = 'close ';
const closing = z.object({ how: z.enum(['left', 'lost']), reason: z.string() });

export function createRelayEnd({ bus, to, from, events, isReady, beatMs = BEAT_MS }: RelayDeps): ChannelEnd {
	const join = joinParts(events.message);
	let room: PromiseWithResolvers<void> | undefined;
	let unsent = 0;
	let isBeating = false;
	let canBeat = isReady;
	let isOver = false;
	const timer = setInterval(() => void beat(), beatMs).unref();

	const stop = bus.serve(from, async (text) => {
		canBeat = true;
		if (isOver || text === BEAT) return '';
		if (text.startsWith(CLOSE)) {
			const end = readHint(closing, text.slice(CLOSE.length));
			lose(end ?? { how: 'lost', reason: '' });
			return '';
		}
		join(text);
		await room?.promise;
		return '';
	});

	async function ask(text: string): Promise<void> {
		const reply = await bus.request(to, text, REPLY_MS);
		if (!reply.ok) lose({ how: 'lost', reason: reply.error.code === 'not_found' ? GONE : reply.error.message });
	}

	async function beat(): Promise<void> {
		if (isBeating || !canBeat) return;
		isBeating = true;
		await ask(BEAT);
		isBeating = false;
	}

	async function give(text: string, bytes: number): Promise<void> {
		unsent += bytes;
		await ask(text);
		unsent -= bytes;
		if (!isOver) events.drained();
	}

	function lose(end: ChannelClose): void {
		if (isOver) return;
		finish();
		events.closed(end);
	}

	function finish(): void {
		isOver = true;
		clearInterval(timer);
		stop();
		room?.resolve();
	}

	return {
		send(message) {
			if (isOver) return;
			for (const { text, bytes } of toParts(message)) void give(text, bytes);
		},
		unsent: () => unsent,
		pause() {
			room ??= Promise.withResolvers();
		},
		resume() {
			room?.resolve();
			room = undefined;
		},
		close(end) {
			if (isOver) return;
			finish();
			void bus.request(to, CLOSE + JSON.stringify(end), REPLY_MS);
		},
	};
}

const GONE = 'Another node of the hub has ended. Reconnecting.';

/** The first letter: more parts follow, or it is the last one; the second: text or bytes. */
function* toParts({ data, isBinary }: Message): Generator<{ text: string; bytes: number }> {
	let at = 0;
	do {
		const part = data.subarray(at, at + PART_BYTES);
		at += PART_BYTES;
		const head = `${at < data.length ? 'm' : 'l'}${isBinary ? 'b' : 't'}`;
		yield { text: head + part.toString('base64'), bytes: part.length };
	} while (at < data.length);
}

function joinParts(done: (message: Message) => void): (text: string) => void {
	let parts: Buffer[] = [];
	return (text) => {
		parts.push(Buffer.from(text.slice(2), 'base64'));
		if (!text.startsWith('l')) return;
		const data = Buffer.concat(parts);
		parts = [];
		done({ data, isBinary: text[1] === 'b' });
	};
}
