// A low-level client of a terminal: a test controls its acknowledgements, and it keeps every frame and byte.
import { once } from 'node:events';
import { type TerminalServerFrame, terminalServerFrame } from '@roost/protocol/api/terminals';
import { WebSocket } from 'ws';
import { waitFor } from '../wait-for.ts';
import { terminate, waitForFrame } from './raw-stream.ts';

export type RawTerminal = AsyncDisposable & {
	readonly frames: readonly TerminalServerFrame[];
	/** All received bytes, including snapshots. */
	bytes(): Buffer;
	/** The number of those bytes. */
	size(): number;
	text(): string;
	/** Resolves with the next bytes. */
	next(): Promise<void>;
	send(frame: unknown): void;
	type(keys: string): void;
	pause(): void;
	resume(): void;
	/** The close code, once it is closed. */
	closed(): number | undefined;
	/** The first matching frame, also one that arrived before. */
	frame<T extends TerminalServerFrame['type']>(type: T, fits?: (frame: Frame<T>) => boolean): Promise<Frame<T>>;
	/** Waits until the latest output contains these words. */
	shows(words: string | RegExp): Promise<string>;
};

type Frame<T extends TerminalServerFrame['type']> = Extract<TerminalServerFrame, { type: T }>;

export type RawAttach = {
	port: number;
	id: string;
	headers: Record<string, string>;
	/** Sent as the first frame. */
	bearer?: string;
	/** Null sends nothing. */
	attach?: Record<string, unknown> | null;
	/** Acknowledges everything; on by default. */
	acks?: boolean;
	/** Keeps every byte; on by default. Without it, only `shows` works. */
	keeps?: boolean;
	/** Timeout of its waits; longer for a flood. */
	deadlineMs?: number;
};

/** Searching all of a flood repeatedly would take longer than the flood. */
const TAIL_BYTES = 4 * 1024;

export async function openRawTerminal(options: RawAttach): Promise<RawTerminal> {
	const { port, id, headers, bearer, attach = {}, acks = true, keeps = true, deadlineMs = 60_000 } = options;
	const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v1/terminals/${id}`, { headers, perMessageDeflate: false });
	const frames: TerminalServerFrame[] = [];
	const chunks: Buffer[] = [];
	let tail: Buffer = Buffer.alloc(0);
	let closed: number | undefined;
	const waiting: (() => void)[] = [];
	let size = 0;
	let drawing = 0;
	let position = 0;
	const send = (frame: unknown) => socket.send(JSON.stringify(frame));
	socket.on('message', (message, isBinary) => {
		if (!isBinary) {
			const frame = terminalServerFrame.parse(JSON.parse(message.toString()));
			frames.push(frame);
			if (frame.type !== 'snapshot') return;
			drawing = frame.bytes;
			position = frame.position;
			if (acks && drawing === 0) send({ type: 'ack', position });
			return;
		}
		const bytes = Buffer.isBuffer(message) ? message : Buffer.alloc(0);
		if (keeps) chunks.push(bytes);
		size += bytes.length;
		for (const resolve of waiting.splice(0)) resolve();
		tail = bytes.length >= TAIL_BYTES ? bytes.subarray(-TAIL_BYTES) : Buffer.concat([tail, bytes]).subarray(-TAIL_BYTES);
		if (drawing > 0) drawing -= bytes.length;
		else position += bytes.length;
		if (acks && drawing === 0) send({ type: 'ack', position });
	});
	socket.on('close', (code) => {
		closed = code;
	});
	await once(socket, 'open');
	if (bearer !== undefined) send({ type: 'bearer', bearer });
	if (attach) send({ type: 'attach', cols: 80, rows: 24, want: 'control', ...attach });
	const text = () => Buffer.concat(chunks).toString();
	return {
		frames,
		bytes: () => Buffer.concat(chunks),
		size: () => size,
		next: () => new Promise((resolve) => waiting.push(resolve)),
		text,
		send,
		type: (keys) => socket.send(Buffer.from(keys)),
		pause: () => socket.pause(),
		resume: () => socket.resume(),
		closed: () => closed,
		frame: (type, fits) => waitForFrame(frames, type, fits ? { fits, deadlineMs } : { deadlineMs }),
		shows: (words) =>
			waitFor(() => (tail.toString().match(words) ? tail.toString() : undefined), {
				deadlineMs,
				what: `a terminal that shows ${words}`,
				seen: () => tail.toString().slice(-400),
				everyMs: 5,
			}),
		[Symbol.asyncDispose]: () => terminate(socket),
	};
}
