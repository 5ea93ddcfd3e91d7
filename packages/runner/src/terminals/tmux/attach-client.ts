// A tmux client in a terminal of its own: what somebody who looks at the session would see, as bytes.
import { type IPty, spawn } from '@lydell/node-pty';
import type { TerminalSize } from '../terminal-process.ts';
import type { Attachment } from './tmux.ts';

export type AttachClient = {
	write(bytes: Uint8Array): void;
	resize(size: TerminalSize): void;
	pause(): void;
	resume(): void;
	/** Detaches; comes back when the client is gone. The program goes on. */
	close(): Promise<void>;
};

export type AttachListener = {
	onBytes(bytes: Uint8Array): void;
	/** Told once, also after `close`. */
	onEnd(): void;
};

const CLOSE_MS = 2_000;
const MOST_CELLS = 10_000;

export function attachClient({ file, args, env }: Attachment, size: TerminalSize, listener: AttachListener): AttachClient {
	const { cols, rows } = toPossible(size);
	const pty = spawn(file, args, { name: 'xterm-256color', cols, rows, cwd: '/', env, encoding: null });
	const ended = Promise.withResolvers<void>();
	let isOpen = true;
	// With no encoding the terminal gives bytes, whatever its types say.
	pty.onData((chunk: string | Uint8Array) => listener.onBytes(typeof chunk === 'string' ? Buffer.from(chunk) : chunk));
	pty.onExit(() => {
		isOpen = false;
		ended.resolve();
		listener.onEnd();
	});
	return {
		write(bytes) {
			// It takes bytes as they are, although its types speak of text only.
			if (isOpen) Reflect.apply(pty.write, pty, [Buffer.from(bytes)]);
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
