// What `attach` needs around a terminal: the user's own terminal in raw mode, the detach keys, and the last output of a failed program.
import { sanitiseLine } from '@roost/core/display/sanitise';
import { loadHeadlessTerminal } from '../runner/open-runner.ts';
import { setRaw, writeNow } from '../tui/screen/terminal.ts';

/** Everything a program may have set: screens, colours, margins, modes, mouse, keyboard, paste, focus, cursor, character set. */
const RESET =
	'\x1b[?2026l\x1b[?1049l\x1b[0m\x1b[r\x1b[?6l\x1b[4l\x1b[?7h\x1b[?1l\x1b>\x1b[?9l\x1b[?1000l\x1b[?1002l\x1b[?1003l' +
	'\x1b[?1004l\x1b[?1005l\x1b[?1006l\x1b[?1015l\x1b[?1016l\x1b[?2004l\x1b[?45l\x1b[<u\x1b[>4m\x1b(B\x1b[0 q\x1b[?25h\x1b]8;;\x1b\\';
const ENDINGS = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const;

export function takeOwnTerminal(stdin: NodeJS.ReadStream, stdout: NodeJS.WriteStream & { fd: number }) {
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
		/** Resets everything that a program may have set. */
		clear: () => writeNow(stdout.fd, `${RESET}\x1b[H\x1b[2J`),
		write: (bytes: Uint8Array) => new Promise<void>((resolve) => (ours ? void stdout.write(bytes, () => resolve()) : resolve())),
		[Symbol.dispose]: release,
	};
}

type Typed = { keys: Uint8Array; wishes: ('leave' | 'take')[] };

/** Ctrl-] as a plain key, and in the encodings that programs can ask terminals for. */
const PREFIXES = ['\x1d', '\x1b[93;5u', '\x1b[27;5;93~'];

/** Keeps a prefix until the second key arrives. */
export function createLeaveKeys(): (typed: Uint8Array) => Typed {
	let prefix = '';
	return (typed) => {
		// One character per byte, so that no byte is changed.
		let rest = Buffer.from(typed).toString('latin1');
		let keys = '';
		const wishes: Typed['wishes'] = [];
		while (rest !== '') {
			const found = prefixOf(rest);
			if (prefix === '') {
				const at = found === '' ? firstPrefix(rest) : 0;
				keys += rest.slice(0, at);
				rest = rest.slice(at);
				prefix = prefixOf(rest);
				rest = rest.slice(prefix.length);
				continue;
			}
			if (found !== '') wishes.push('leave');
			else if (rest.startsWith('t')) wishes.push('take');
			else keys += prefix + rest.slice(0, 1);
			rest = rest.slice(found.length || 1);
			prefix = '';
		}
		return { keys: Buffer.from(keys, 'latin1'), wishes };
	};
}

function prefixOf(text: string): string {
	return PREFIXES.find((prefix) => text.startsWith(prefix)) ?? '';
}

function firstPrefix(text: string): number {
	const places = PREFIXES.map((prefix) => text.indexOf(prefix)).filter((at) => at >= 0);
	return places.length > 0 ? Math.min(...places) : text.length;
}

const MOST_LINES = 10;
const MOST_BYTES = 256 * 1024;

export type LastOutput = ReturnType<typeof createLastOutput>;

export function createLastOutput() {
	let kept: Uint8Array[] = [];
	let total = 0;
	let size = { cols: 80, rows: 24 };

	function keep(bytes: Uint8Array): void {
		kept.push(bytes);
		total += bytes.length;
		while (total > MOST_BYTES && kept.length > 1) total -= kept.shift()?.length ?? 0;
	}

	return {
		snapshot(bytes: Uint8Array, drawnAt: { cols: number; rows: number }) {
			kept = [];
			total = 0;
			size = drawnAt;
			keep(bytes);
		},
		bytes: keep,
		/** The last non-empty lines, sanitised. */
		async read(): Promise<string[]> {
			const { createHeadlessTerminal } = await loadHeadlessTerminal();
			using terminal = createHeadlessTerminal(size, { scrollbackLines: 0, onReply: () => {} });
			if (!terminal.read(Buffer.concat(kept))) return [];
			const lines = terminal.lines().map((line) => line.trimEnd());
			return lines
				.filter((line) => line !== '')
				.slice(-MOST_LINES)
				.map(sanitiseLine);
		},
	};
}
