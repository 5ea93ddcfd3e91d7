// A low-level client of the stream: forged headers, bad frames, and paused reading.
import { once } from 'node:events';
import { type ServerFrame, serverFrame } from '@roost/protocol/api/stream-frames';
import { WebSocket } from 'ws';
import { waitFor } from '../wait-for.ts';

export type RawStream = AsyncDisposable & {
	/** Every received frame, in order, validated against the protocol. */
	readonly frames: readonly ServerFrame[];
	/** The same, as received bytes. */
	readonly texts: readonly string[];
	send(frame: unknown): void;
	sendText(text: string | Buffer): void;
	pause(): void;
	resume(): void;
	/** The close code, once it is closed. */
	closed(): number | undefined;
	/** The first matching frame, also one that arrived before. */
	frame<T extends ServerFrame['type']>(type: T, fits?: (frame: Frame<T>) => boolean): Promise<Frame<T>>;
};

type Frame<T extends ServerFrame['type']> = Extract<ServerFrame, { type: T }>;

export type RawUpgrade = { port: number; path?: string; headers?: Record<string, string>; autoPong?: boolean; bearer?: string };

/** The open stream, or the status and body it was refused with. */
export async function upgradeRaw(options: RawUpgrade): Promise<RawStream | { status: number; body: string }> {
	const { port, path = '/api/v1/stream', headers = {}, autoPong = true, bearer } = options;
	const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers, autoPong, perMessageDeflate: false });
	const stream = toStream(socket);
	return await new Promise((resolve, reject) => {
		socket.on('open', () => {
			if (bearer !== undefined) stream.send({ type: 'bearer', bearer });
			resolve(stream);
		});
		socket.on('error', reject);
		socket.on('unexpected-response', (_request, response) => {
			let body = '';
			response.on('data', (chunk: Buffer) => {
				body += chunk.toString();
			});
			response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
		});
	});
}

export async function openRawStream(options: RawUpgrade): Promise<RawStream> {
	const opened = await upgradeRaw(options);
	if ('status' in opened) throw new Error(`the stream was refused with ${opened.status}: ${opened.body}`);
	return opened;
}

function toStream(socket: WebSocket): RawStream {
	const frames: ServerFrame[] = [];
	const texts: string[] = [];
	let closed: number | undefined;
	socket.on('message', (message) => {
		texts.push(message.toString());
		frames.push(serverFrame.parse(JSON.parse(message.toString())));
	});
	socket.on('close', (code) => {
		closed = code;
	});
	return {
		frames,
		texts,
		send: (frame) => socket.send(JSON.stringify(frame)),
		sendText: (text) => socket.send(text),
		pause: () => socket.pause(),
		resume: () => socket.resume(),
		closed: () => closed,
		frame: (type, fits) => waitForFrame(frames, type, fits ? { fits } : {}),
		[Symbol.asyncDispose]: () => terminate(socket),
	};
}

/** The first frame of a type that fits, also one that arrived before. */
export function waitForFrame<F extends { type: string }, T extends F['type']>(
	frames: readonly F[],
	type: T,
	{ fits = () => true, deadlineMs }: { fits?: (frame: Extract<F, { type: T }>) => boolean; deadlineMs?: number } = {},
): Promise<Extract<F, { type: T }>> {
	const isFit = (frame: F): frame is Extract<F, { type: T }> => isType(frame, type) && fits(frame);
	return waitFor(() => frames.find(isFit), {
		what: `a frame "${type}"`,
		seen: () => frames.map((frame) => frame.type),
		everyMs: 2,
		...(deadlineMs === undefined ? {} : { deadlineMs }),
	});
}

function isType<F extends { type: string }, T extends F['type']>(frame: F, type: T): frame is Extract<F, { type: T }> {
	return frame.type === type;
}

export async function terminate(socket: WebSocket): Promise<void> {
	if (socket.readyState === WebSocket.CLOSED) return;
	const gone = once(socket, 'close');
	socket.terminate();
	await gone;
}
