// The output of a tmux session as a pausable byte stream that survives the loss of its tmux client.
import { setTimeout as delay } from 'node:timers/promises';
import { type IPty, spawn } from '@lydell/node-pty';
import { writePtyBytes } from '../open-pty.ts';
import { readPtyOutput } from '../pty-output.ts';
import type { TerminalProcess, TerminalSize } from '../terminal-process.ts';
import type { Attachment } from './tmux.ts';

export type TmuxView = Pick<TerminalProcess, 'write' | 'resize' | 'pause' | 'resume' | 'onBytes'> & {
	/** With a new client, after the previous one was detached. */
	attach(): void;
	/** Resolves when everything that tmux has drawn is received; also resumes a paused stream. */
	settled(): Promise<void>;
	/** No bytes are delivered after this: what a client draws on exit is not program output. */
	close(): Promise<void>;
};

const POLL_MS = 25;
/** tmux draws after it has answered: its byte count is final when two answers agree. */
const SAME_ANSWERS = 2;
/** A new client draws the screen, which is slow on a busy machine. */
const LONGEST_WAIT_MS = 5_000;

/** Reads nothing before the first listener. While it is paused, tmux drops output, and redraws the screen later. */
export function openTmuxView(options: {
	attachment: Attachment;
	size: TerminalSize;
	history: string;
	onLost: () => void;
}): TmuxView {
	const { attachment, size: first, history, onLost } = options;
	const listeners = new Set<{ handler: (bytes: Buffer) => void }>();
	let size = first;
	let isPaused = false;
	let hasListener = false;
	let isClosed = false;
	const emit = (bytes: Buffer) => {
		if (!isClosed) for (const { handler } of [...listeners]) handler(bytes);
	};
	let received = 0;
	let client = open();

	function open() {
		received = 0;
		const onBytes = (bytes: Buffer) => {
			received += bytes.length;
			emit(bytes);
		};
		const next = attachClient(attachment, size, { onBytes, onEnd: () => isClosed || onLost() });
		if (isPaused || !hasListener) next.pause();
		return next;
	}
	const readOn = () => {
		if (!isPaused && hasListener) client.resume();
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
			if (!hasListener && history !== '') emit(toScrolledAway(history, size.rows));
			hasListener = true;
			readOn();
			return () => listeners.delete(entry);
		},
		attach() {
			if (!isClosed) client = open();
		},
		async settled() {
			client.resume();
			const deadline = performance.now() + LONGEST_WAIT_MS;
			let drawn: number | undefined;
			for (let before = -1, same = 0; same < SAME_ANSWERS && client.isOpen() && performance.now() < deadline; ) {
				const written = await attachment.written(client.pid);
				// tmux holds output back from a client that is behind, so only a redraw that was asked for has all of it.
				if (written !== null && drawn === undefined) {
					drawn = written;
					await attachment.redraw(client.pid);
				}
				const isDrawn = written !== null && drawn !== undefined && written > drawn;
				same = isDrawn && written === before && received >= written ? same + 1 : 0;
				before = written ?? -1;
				await delay(POLL_MS);
			}
		},
		async close() {
			isClosed = true;
			await client.close();
		},
	};
}

/** The lines, and enough empty ones to scroll them off before the screen is drawn. */
function toScrolledAway(history: string, rows: number): Buffer {
	const lines = history.replace(/\n$/, '').replaceAll('\n', '\r\n');
	return Buffer.from(`${lines}\u001b[0m${'\r\n'.repeat(rows)}`);
}

const CLOSE_MS = 2_000;
const MOST_CELLS = 10_000;

/** A tmux client in its own terminal: the output of the session as bytes. `onEnd` is called once, also after `close`. */
export function attachClient(
	{ file, args, env }: Omit<Attachment, 'written' | 'redraw'>,
	size: TerminalSize,
	listener: { onBytes(bytes: Buffer): void; onEnd(): void },
) {
	const { cols, rows } = toPossible(size);
	const pty = spawn(file, args, { name: 'xterm-256color', cols, rows, cwd: '/', env, encoding: null });
	const ended = Promise.withResolvers<void>();
	let isOpen = true;
	const output = readPtyOutput(pty, listener.onBytes);
	pty.onExit(() => {
		output.flush();
		isOpen = false;
		ended.resolve();
		listener.onEnd();
	});
	return {
		pid: pty.pid,
		isOpen: () => isOpen,
		write(bytes: Uint8Array): void {
			if (isOpen) writePtyBytes(pty, bytes);
		},
		resize(next: TerminalSize): void {
			// What was drawn for the old size comes before the new one.
			output.flush();
			if (isOpen) resizePty(pty, toPossible(next));
		},
		pause: () => pty.pause(),
		resume: () => pty.resume(),
		/** Detaches; resolves when the client is gone. The program keeps running. */
		async close(): Promise<void> {
			if (!isOpen) return;
			// Pending output would keep it from exiting.
			pty.resume();
			pty.kill('SIGHUP');
			const kill = setTimeout(() => pty.kill('SIGKILL'), CLOSE_MS);
			await ended.promise;
			clearTimeout(kill);
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
		// The terminal is closed, but its exit is not reported yet.
		if (!(cause instanceof Error)) throw cause;
	}
}
