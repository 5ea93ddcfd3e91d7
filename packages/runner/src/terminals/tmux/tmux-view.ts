// What a tmux session shows, as a stream of bytes that can be paused and that outlives the tmux client it comes through.
import { setTimeout as delay } from 'node:timers/promises';
import type { TerminalProcess, TerminalSize } from '../terminal-process.ts';
import { type AttachClient, attachClient } from './attach-client.ts';
import type { Attachment } from './tmux.ts';

export type TmuxView = Pick<TerminalProcess, 'write' | 'resize' | 'pause' | 'resume' | 'onBytes'> & {
	/** With a new client: somebody sent the one before away. */
	attach(): void;
	/** Comes back when nothing more is being drawn; whoever paused it gets the rest nevertheless. */
	settled(): Promise<void>;
	/** From here on no byte is told: what a client draws when it leaves is not the program's. */
	close(): Promise<void>;
};

type ViewOptions = { attachment: Attachment; size: TerminalSize; history: string; onLost: () => void };

const QUIET_MS = 50;
const LONGEST_WAIT_MS = 500;

/** Nothing is read before somebody listens. While it is paused tmux drops what nobody saw, and then draws the screen anew. */
export function openTmuxView({ attachment, size: first, history, onLost }: ViewOptions): TmuxView {
	const listeners = new Set<{ handler: (bytes: Uint8Array) => void }>();
	let size = first;
	let lastByteAt = performance.now();
	let isPaused = false;
	let isHeard = false;
	let isClosed = false;
	const tell = (bytes: Uint8Array) => {
		lastByteAt = performance.now();
		if (!isClosed) for (const { handler } of [...listeners]) handler(bytes);
	};
	let client = open();

	function open(): AttachClient {
		const next = attachClient(attachment, size, { onBytes: tell, onEnd: () => isClosed || onLost() });
		if (isPaused || !isHeard) next.pause();
		return next;
	}
	const readOn = () => {
		if (!isPaused && isHeard) client.resume();
	};
	return {
		write: (bytes) => client.write(bytes),
		resize(next) {
			size = next;
			client.resize(next);
		},
		pause() {
			isPaused = true;
			client.pause();
		},
		resume() {
			isPaused = false;
			readOn();
		},
		onBytes(handler) {
			const entry = { handler };
			listeners.add(entry);
			if (!isHeard && history !== '') tell(toScrolledAway(history, size.rows));
			isHeard = true;
			readOn();
			return () => listeners.delete(entry);
		},
		attach() {
			if (!isClosed) client = open();
		},
		async settled() {
			client.resume();
			const from = performance.now();
			const isQuiet = () => performance.now() - Math.max(lastByteAt, from) >= QUIET_MS;
			while (!isQuiet() && performance.now() - from < LONGEST_WAIT_MS) await delay(QUIET_MS / 2);
		},
		async close() {
			isClosed = true;
			await client.close();
		},
	};
}

/** The lines, and then enough empty ones that all of them have left the screen before it is drawn. */
function toScrolledAway(history: string, rows: number): Uint8Array {
	const lines = history.replace(/\n$/, '').replaceAll('\n', '\r\n');
	return Buffer.from(`${lines}\u001b[0m${'\r\n'.repeat(rows)}`);
}
