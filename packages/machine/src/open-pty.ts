// A program in its own pseudoterminal: raw bytes, plain argv, and ended together with its descendants.
import { type IPty, spawn } from '@lydell/node-pty';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { endTree } from './end-process.ts';
import { isAlive, readIdentity } from './process-identity.ts';
import { readPtyOutput } from './pty-output.ts';
import type { TerminalEnd, TerminalProcess, TerminalProgram } from './terminal-process.ts';

/** The library drops output that is not read within 200 ms of the exit, so a paused terminal is polled more often. */
const PAUSED_POLL_MS = 40;

export function openPty(program: TerminalProgram): Result<TerminalProcess> {
	const [file, ...args] = program.argv;
	try {
		const { cwd, env, size } = program;
		return ok(toProcess(spawn(file, args, { cwd, env, ...size, name: env.TERM ?? 'xterm-256color', encoding: null })));
	} catch (cause) {
		const message = `${file} cannot be started in a terminal: ${cause instanceof Error ? cause.message : String(cause)}.`;
		return err(new AppError('cannot_start', message, { cause }));
	}
}

function toProcess(pty: IPty): TerminalProcess {
	const readers = new Set<(bytes: Buffer) => void>();
	const waiting = new Set<(end: TerminalEnd) => void>();
	let ended: TerminalEnd | undefined;
	let polling: NodeJS.Timeout | undefined;
	const output = readPtyOutput(pty, (bytes) => {
		for (const reader of readers) reader(bytes);
	});
	pty.onExit(({ exitCode, signal }) => {
		output.flush();
		ended = signal ? { signal } : { exitCode };
		clearInterval(polling);
		for (const handler of waiting) handler(ended);
		waiting.clear();
	});

	function resume(): void {
		clearInterval(polling);
		polling = undefined;
		if (!ended) pty.resume();
	}

	return {
		pid: pty.pid,
		write(bytes) {
			if (!ended) writePtyBytes(pty, bytes);
		},
		resize({ cols, rows }) {
			output.flush();
			if (!ended) pty.resize(cols, rows);
		},
		pause() {
			if (ended || polling) return;
			pty.pause();
			polling = setInterval(() => {
				if (!isAlive(pty.pid)) resume();
			}, PAUSED_POLL_MS);
		},
		resume,
		onBytes(handler) {
			readers.add(handler);
			return () => readers.delete(handler);
		},
		onExit(handler) {
			if (ended) handler(ended);
			else waiting.add(handler);
			return () => waiting.delete(handler);
		},
		async kill() {
			if (ended) return;
			resume();
			await endSession(pty.pid);
		},
		// A bare terminal cannot be reopened, so releasing it ends it.
		release: () => (ended ? Promise.resolve() : endSession(pty.pid)),
	};
}

async function endSession(leader: number): Promise<void> {
	const identity = readIdentity(leader);
	if (identity) await endTree(identity);
}

/** The library accepts bytes, contrary to its types. */
export function writePtyBytes(pty: IPty, bytes: Uint8Array): void {
	Reflect.apply(pty.write, pty, [Buffer.from(bytes)]);
}
