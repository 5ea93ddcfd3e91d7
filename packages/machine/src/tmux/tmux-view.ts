// What a tmux session shows, as a stream of bytes that can be paused and that outlives the tmux client it comes through.
import { setTimeout as delay } from 'node:timers/promises';
import { type IPty, spawn } from '@lydell/node-pty';
import { onPtyBytes, writePtyBytes } from '../open-pty.ts';
import type { TerminalProcess, TerminalSize } from '../terminal-process.ts';
import type { Attachment } from './tmux.ts';

export type TmuxView = Pick<TerminalProcess, 'write' | 'resize' | 'pause' | 'resume' | 'onBytes'> & {
	/** With a new client: somebody sent the one before away. */
	attach(): void;
	/** Comes back when everything is here that tmux has drawn; whoever paused it gets the rest nevertheless. */
	settled(): Promise<void>;
	/** From here on no byte is told: what a client draws when it leaves is not the program's. */
	close(): Promise<void>;
};

type ViewOptions = { attachment: Attachment; size: TerminalSize; history: string; onLost: () => void };

const LOOK_MS = 25;
/** tmux draws after it has answered: what it has written is all of it when the next answer says the same. */
const SAME_ANSWERS = 2;
/** A client draws the screen when it comes; on a busy machine it takes its time. */
const LONGEST_WAIT_MS = 5_000;

/** Nothing is read before somebody listens. While it is paused tmux drops what nobody saw, and then draws the screen anew. */
export function openTmuxView({ attachment, size: first, history, onLost }: ViewOptions): TmuxView {
	const listeners = new Set<{ handler: (bytes: Uint8Array) => void }>();
	let size = first;
	let isPaused = false;
	let isHeard = false;
	let isClosed = false;
	const tell = (bytes: Uint8Array) => {
		if (!isClosed) for (const { handler } of [...listeners]) handler(bytes);
	};
	let received = 0;
	let client = open();

	function open(): AttachClient {
		received = 0;
		const onBytes = (bytes: Uint8Array) => {
			received += bytes.length;
			tell(bytes);
		};
		const next = attachClient(attachment, size, { onBytes, onEnd: () => isClosed || onLost() });
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
			const deadline = performance.now() + LONGEST_WAIT_MS;
			for (let before = -1, same = 0; same < SAME_ANSWERS && client.isOpen() && performance.now() < deadline; ) {
				const written = await attachment.written(client.pid);
				same = written !== null && written === before && received >= written ? same + 1 : 0;
				before = written ?? -1;
				await delay(LOOK_MS);
			}
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

/** A tmux client in a terminal of its own: what a user attached to the session would see, as bytes. */
export type AttachClient = {
	readonly pid: number;
	isOpen(): boolean;
	write(bytes: Uint8Array): void;
	resize(size: TerminalSize): void;
	pause(): void;
	resume(): void;
	/** Detaches; resolves when the client is gone. The program keeps running. */
	close(): Promise<void>;
};

type AttachListener = {
	onBytes(bytes: Uint8Array): void;
	/** Told once, also after `close`. */
	onEnd(): void;
};

const CLOSE_MS = 2_000;
const MOST_CELLS = 10_000;

export function attachClient(
	{ file, args, env }: Omit<Attachment, 'written'>,
	size: TerminalSize,
	listener: AttachListener,
): AttachClient {
	const { cols, rows } = toPossible(size);
	const pty = spawn(file, args, { name: 'xterm-256color', cols, rows, cwd: '/', env, encoding: null });
	const ended = Promise.withResolvers<void>();
	let isOpen = true;
	onPtyBytes(pty, listener.onBytes);
	pty.onExit(() => {
		isOpen = false;
		ended.resolve();
		listener.onEnd();
	});
	return {
		pid: pty.pid,
		isOpen: () => isOpen,
		write(bytes) {
			if (isOpen) writePtyBytes(pty, bytes);
		},
		resize(next) {
			if (isOpen) resizePty(pty, toPossible(next));
		},
		pause: () => pty.pause(),
		resume: () => pty.resume(),
		async close() {
			if (!isOpen) return;
			// Nobody reads any more: what is still on its way would else keep it from ending.
			pty.resume();
			pty.kill('SIGHUP');
			const insist = setTimeout(() => pty.kill('SIGKILL'), CLOSE_MS);
			await ended.promise;
			clearTimeout(insist);
		},
	};
}

function toPossible({ cols, rows }: TerminalSize): TerminalSize {
	const within = (cells: number) => Math.min(Math.max(Math.trunc(cells) || 1, 1), MOST_CELLS);
	return { cols: within(cols), rows: within(rows) };
}

function resizePty(pty: IPty, { cols, rows }: TerminalSize): void {
	try {
		pty.resize(cols, rows);
	} catch (cause) {
		// Its end was not told yet, but the terminal is closed: there is nothing left to resize.
		if (!(cause instanceof Error)) throw cause;
	}
}
