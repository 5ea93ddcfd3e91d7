// The terminal while it is ours: taken over on the way in, and given back on every way out, crashes and signals included.

import { writeSync } from 'node:fs';
import { hasCode } from '@roost/machine/error-code';

type Terminal = Disposable & {
	/** Gives the terminal back and stops the process, as Ctrl-Z does elsewhere. */
	suspend(): void;
	/** Not while it is given back: what is written then lands on somebody else's screen. */
	isOurs(): boolean;
};

/** The alternate screen, no cursor, no wrapping at the edge, pasted text marked as such, the mouse wheel told. */
const TAKE = '\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[?2004h\x1b[?1000h\x1b[?1006h';
/** Emptied from the top: a tmux that was resized meanwhile would push what is left into the shell's history. */
const GIVE_BACK = '\x1b[?2026l\x1b[0m\x1b[?1006l\x1b[?1000l\x1b[?2004l\x1b[?7h\x1b[H\x1b[J\x1b[?1049l\x1b[?25h';

const ENDINGS = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const;
/** After that long a stop that did nothing is known to have done nothing. */
export const STOP_TAKES_MS = 100;

export function takeTerminal(deps: {
	stdin: NodeJS.ReadStream;
	stdout: NodeJS.WriteStream & { fd: number };
	/** It is ours again, and shows something else than what we left. */
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
		// Where there is no shell to come back to, the signal does nothing and we are still here.
		stillHere = setTimeout(comeBack, STOP_TAKES_MS).unref();
	}

	function comeBack(): void {
		// What was set before the stop goes on after it, when somebody may have left already.
		clearTimeout(stillHere);
		process.off('SIGTSTP', suspend).on('SIGTSTP', suspend);
		// A shell has changed it meanwhile, and asking for what was asked for before does nothing.
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

/** A terminal that is gone needs nothing back. */
export function setRaw(stdin: NodeJS.ReadStream, raw: boolean): void {
	try {
		stdin.setRawMode(raw);
	} catch (error) {
		if (!hasCode(error, 'EIO', 'EBADF', 'ENOTTY')) throw error;
	}
}

/** A terminal that is read slowly takes nothing for a moment; one that is not read at all must not hold us for ever. */
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

/** How many bytes it took, or why none. */
function writeSome(fd: number, bytes: Buffer): number | 'full' | 'gone' {
	try {
		return writeSync(fd, bytes);
	} catch (error) {
		const code = error instanceof Error && 'code' in error ? error.code : undefined;
		if (code === 'EAGAIN') return 'full';
		// To a terminal that is gone there is nothing to say.
		if (code === 'EIO' || code === 'EPIPE' || code === 'EBADF') return 'gone';
		throw error;
	}
}

function pause(ms: number): void {
	Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
