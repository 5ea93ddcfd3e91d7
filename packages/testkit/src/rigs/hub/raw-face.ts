// A face that follows a runner through a hub and keeps the bytes of each line, across lost connections.
import type { LogCursor } from '@roost/protocol/log-cursor';
import { WebSocket } from 'ws';

export type RawFace = Disposable & {
	/** The stored lines of the current epoch as they arrived, in order of arrival. */
	readonly lines: readonly string[];
	epoch(): number | undefined;
	/** Reads nothing more from its socket. */
	pause(): void;
	resume(): void;
	/** What it was told instead of lines. */
	readonly errors: readonly string[];
};

export type RawFaceOptions = {
	/** Of the stream of one runner. */
	url: string;
	bearer(): Promise<string>;
	retryMs?: number;
};

const LINE = '{"type":"line","line":';

/** From the first line on. */
export function openRawFace({ url, bearer, retryMs = 50 }: RawFaceOptions): RawFace {
	let lines: string[] = [];
	const errors: string[] = [];
	let cursor: LogCursor | null = null;
	let socket: WebSocket | undefined;
	let retry: NodeJS.Timeout | undefined;
	let isOver = false;

	async function connect(): Promise<void> {
		try {
			const headers = { authorization: `Bearer ${await bearer()}`, 'x-roost-face': 'test' };
			if (isOver) return;
			socket = new WebSocket(url, { headers, perMessageDeflate: false });
		} catch {
			later();
			return;
		}
		socket.on('error', () => undefined);
		socket.on('close', later);
		socket.on('message', (bytes) => receive(String(bytes)));
	}

	function later(): void {
		if (!isOver) retry = setTimeout(() => void connect(), retryMs);
	}

	function receive(text: string): void {
		if (text.startsWith(LINE)) {
			const line = text.slice(LINE.length, -1);
			lines.push(line);
			const seqNo: number = JSON.parse(line).seqNo;
			if (cursor) cursor = { ...cursor, seqNo };
			return;
		}
		const frame = JSON.parse(text);
		if (frame.type === 'error') {
			errors.push(text);
			// A hub that was restored has less for a while: asked again later.
			socket?.terminate();
		}
		if (frame.type !== 'hello') return;
		const { runnerId, epoch } = frame;
		if (cursor && cursor.epoch !== epoch) {
			cursor = null;
			lines = [];
		}
		const after = cursor;
		cursor ??= { runnerId, epoch, seqNo: 0 };
		socket?.send(JSON.stringify({ type: 'subscribe-all', sub: 'all', after }));
	}

	void connect();
	return {
		get lines() {
			return lines;
		},
		epoch: () => cursor?.epoch,
		pause: () => socket?.pause(),
		resume: () => socket?.resume(),
		errors,
		[Symbol.dispose]() {
			isOver = true;
			clearTimeout(retry);
			socket?.terminate();
		},
	};
}
