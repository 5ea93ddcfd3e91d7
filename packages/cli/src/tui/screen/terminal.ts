// Takes over the terminal, and restores it on every exit, including crashes and signals.
import { writeSync } from 'node:fs';
import { hasCode } from '@roost/machine/error-code';

type Terminal = Disposable & {
	/** As Ctrl-Z does. */
	suspend(): void;
	/** False while suspended: output would go to another program's screen. */
	isOurs(): boolean;
};

/** Alternate screen, no cursor, no line wrapping, bracketed paste, mouse wheel reports. */
const TAKE = '\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[?2004h\x1b[?1000h\x1b[?1006h';
/** Cleared from the top: a tmux that was resized would push the rest into the scrollback. */
const GIVE_BACK = '\x1b[?2026l\x1b[0m\x1b[?1006l\x1b[?1000l\x1b[?2004l\x1b[?7h\x1b[H\x1b[J\x1b[?1049l\x1b[?25h';

const ENDINGS = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const;
/** By then a stop signal has taken effect or was ignored. */
export const STOP_TAKES_MS = 100;

export function takeTerminal(deps: {
	stdin: NodeJS.ReadStream;
	stdout: NodeJS.WriteStream & { fd: number };
	/** Called after resuming, when the screen has to be drawn again. */
	onBack: () => void;
}): Terminal {
	const { stdin, stdout, onBack } = deps;
	let ours = false;
	let stillHere: NodeJS.Timeout | undefined;

	function take(): void {
		ours = true;
		setRaw(stdin, true);
		writeNow(stdout.fd, TAKE);
	}

	function giveBack(): void {
		if (!ours) return;
		ours = false;
		setRaw(stdin, false);
		writeNow(stdout.fd, GIVE_BACK);
	}

	function suspend(): void {
		giveBack();
		process.off('SIGTSTP', suspend);
		process.kill(0, 'SIGTSTP');
		// Without a shell to return to, the signal has no effect.
		stillHere = setTimeout(comeBack, STOP_TAKES_MS).unref();
	}

	function comeBack(): void {
		// The timer keeps running while stopped.
		clearTimeout(stillHere);
		process.off('SIGTSTP', suspend).on('SIGTSTP', suspend);
		// The shell may have changed raw mode, and setting the same mode again has no effect.
		setRaw(stdin, false);
		take();
		onBack();
	}

	function end(signal: NodeJS.Signals): void {
		release();
		process.kill(process.pid, signal);
	}

	function release(): void {
		clearTimeout(stillHere);
		giveBack();
		process.off('exit', giveBack).off('SIGTSTP', suspend).off('SIGCONT', comeBack);
		for (const signal of ENDINGS) process.off(signal, end);
	}

	take();
	process.on('exit', giveBack).on('SIGTSTP', suspend).on('SIGCONT', comeBack);
	for (const signal of ENDINGS) process.on(signal, end);
	return { suspend, isOurs: () => ours, [Symbol.dispose]: release };
}

export function setRaw(stdin: NodeJS.ReadStream, raw: boolean): void {
	try {
		stdin.setRawMode(raw);
	} catch (error) {
		if (!hasCode(error, 'EIO', 'EBADF', 'ENOTTY')) throw error;
	}
}

/** A slow terminal takes nothing for a moment; one that is never read must not block. */
const PAUSE_MS = 2;
const MOST_PAUSES = 250;

export function writeNow(fd: number, text: string, write: typeof writeSome = writeSome): void {
	const bytes = Buffer.from(text);
	let written = 0;
	for (let pauses = 0; written < bytes.length && pauses < MOST_PAUSES; ) {
		const outcome = write(fd, bytes.subarray(written));
		if (outcome === 'gone') return;
		if (outcome === 'full') {
			pauses += 1;
			pause(PAUSE_MS);
		} else written += outcome;
	}
}

function writeSome(fd: number, bytes: Buffer): number | 'full' | 'gone' {
	try {
		return writeSync(fd, bytes);
	} catch (error) {
		const code = error instanceof Error && 'code' in error ? error.code : undefined;
		if (code === 'EAGAIN') return 'full';
		if (code === 'EIO' || code === 'EPIPE' || code === 'EBADF') return 'gone';
		throw error;
	}
}

function pause(ms: number): void {
	Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
