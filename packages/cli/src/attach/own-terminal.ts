// The user's terminal while it shows another one: raw on the way in, and as it was on every way out, crashes and signals included.
import { setRaw } from '../tui/screen/terminal.ts';
import { writeNow } from '../tui/screen/write-now.ts';

export type OwnTerminal = Disposable & {
	/** An empty screen with nothing set, for what is drawn next. */
	clear(): void;
	/** Resolves when the terminal has taken it. */
	write(bytes: Uint8Array): Promise<void>;
};

/** Whatever a program may have set: both screens, colours, margins, modes, mouse, keyboard, paste, focus, cursor, letters. */
const RESET =
	'\x1b[?2026l\x1b[?1049l\x1b[0m\x1b[r\x1b[?6l\x1b[4l\x1b[?7h\x1b[?1l\x1b>\x1b[?9l\x1b[?1000l\x1b[?1002l\x1b[?1003l' +
	'\x1b[?1004l\x1b[?1005l\x1b[?1006l\x1b[?1015l\x1b[?1016l\x1b[?2004l\x1b[?45l\x1b[<u\x1b[>4m\x1b(B\x1b[0 q\x1b[?25h\x1b]8;;\x1b\\';
const ENDINGS = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const;

export function takeOwnTerminal(stdin: NodeJS.ReadStream, stdout: NodeJS.WriteStream & { fd: number }): OwnTerminal {
	let ours = true;

	function giveBack(): void {
		if (!ours) return;
		ours = false;
		setRaw(stdin, false);
		// Below what the program left, so that the shell's prompt does not overwrite it.
		writeNow(stdout.fd, `${RESET}\x1b[${stdout.rows};1H\r\n`);
	}

	function end(signal: NodeJS.Signals): void {
		release();
		process.kill(process.pid, signal);
	}

	function release(): void {
		giveBack();
		process.off('exit', giveBack);
		for (const signal of ENDINGS) process.off(signal, end);
	}

	setRaw(stdin, true);
	process.on('exit', giveBack);
	for (const signal of ENDINGS) process.on(signal, end);
	return {
		clear: () => writeNow(stdout.fd, `${RESET}\x1b[H\x1b[2J`),
		write: (bytes) => new Promise((resolve) => (ours ? void stdout.write(bytes, () => resolve()) : resolve())),
		[Symbol.dispose]: release,
	};
}
