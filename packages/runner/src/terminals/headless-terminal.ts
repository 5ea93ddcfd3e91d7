// The library's headless terminal, read at once and caught when it fails: a program must not be able to end the runner by what it writes.
import type { TerminalSize } from '@roost/machine/terminal-process';
import { SerializeAddon } from '@xterm/addon-serialize';
import headless, { type Terminal } from '@xterm/headless';
import { type ScreenModes, watchModes } from './screen-modes.ts';
import { serialiseText } from './serialise-text.ts';

export type HeadlessTerminal = Disposable & {
	/** False where the library failed on them: then this one is of no use any more. */
	read(bytes: Buffer): boolean;
	resize(size: TerminalSize): void;
	size(): TerminalSize;
	scrollsWhole: ScreenModes['scrollsWhole'];
	/** Bytes that draw it on an empty terminal of the same size. */
	serialise(scrollback: number): Buffer;
	/** What stands on the screen as text, without what scrolled away. */
	lines(): string[];
};

export function createHeadlessTerminal(
	size: TerminalSize,
	options: { scrollbackLines: number; onReply(text: string): void },
): HeadlessTerminal {
	const terminal = new headless.Terminal({
		...size,
		scrollback: options.scrollbackLines,
		allowProposedApi: true,
		logLevel: 'off',
	});
	const serialiser = new SerializeAddon();
	terminal.loadAddon(serialiser);
	const modes = watchModes(terminal);
	const core = coreOf(terminal);
	boundCounts(terminal, core, options.scrollbackLines);
	terminal.onData(options.onReply);
	return {
		read(bytes) {
			try {
				core.writeSync(bytes);
				return true;
			} catch {
				// Whatever it is, it is a fault of the library on input that may be hostile: the caller begins anew.
				return false;
			}
		},
		resize: ({ cols, rows }) => terminal.resize(cols, rows),
		size: () => ({ cols: terminal.cols, rows: terminal.rows }),
		scrollsWhole: modes.scrollsWhole,
		serialise: (scrollback) =>
			Buffer.from(`${drawText(terminal, scrollback, modes)}${modes.serialise()}${penOf(serialiser, terminal)}`),
		lines: () => readLines(terminal),
		[Symbol.dispose]: () => terminal.dispose(),
	};
}

type Core = Parsing & { writeSync(bytes: Uint8Array): void };

/** The public way to write reads later, on a timer of its own, where nobody could catch what it throws. */
function coreOf(terminal: Terminal): Core {
	const core: unknown = Reflect.get(terminal, '_core');
	if (!isCore(core)) throw new Error('this version of the headless terminal cannot be read at once');
	return core;
}

function isCore(core: unknown): core is Core {
	if (typeof core !== 'object' || core === null || !('writeSync' in core) || !('registerCsiHandler' in core)) return false;
	return typeof core.writeSync === 'function' && typeof core.registerCsiHandler === 'function';
}

function drawText(terminal: Terminal, scrollback: number, modes: ScreenModes): string {
	const { normal, alternate, active } = terminal.buffer;
	const { cols, rows } = terminal;
	const text = serialiseText(normal, { cols, rows }, scrollback);
	if (active.type === 'normal') return text;
	// Leaving the alternate screen goes back to where the cursor is when it is entered.
	const place = `\x1b[${normal.cursorY + 1};${Math.min(normal.cursorX + 1, cols)}H`;
	return `${text}${modes.serialiseBelow()}${place}\x1b[?1049h\x1b[H${serialiseText(alternate, { cols, rows }, 0)}`;
}

function readLines({ buffer: { active }, rows }: Terminal): string[] {
	return Array.from({ length: rows }, (_, line) => active.getLine(active.baseY + line)?.translateToString(true) ?? '');
}

/** How the next letter would look: only the library's serialiser can tell, of a line that is not there. */
function penOf(serialiser: SerializeAddon, terminal: Terminal): string {
	// Not even where the scrollback is full: whole numbers then begin again at its first line.
	const nowhere = terminal.buffer.normal.length + 0.5;
	return `\x1b[0m${serialiser.serialize({ range: { start: nowhere, end: nowhere }, excludeModes: true, excludeAltBuffer: true })}`;
}

/** More than fills what they work on changes nothing any more: lines inserted, deleted and scrolled, tabs back, the last letter again. */
export function boundCounts(terminal: Terminal, core: Parsing, scrollbackLines: number): void {
	const lines = () => terminal.rows;
	const bounds = { L: lines, M: lines, S: lines, T: lines, Z: () => terminal.cols, b: cells };
	function cells(): number {
		return terminal.cols * (terminal.rows + scrollbackLines);
	}
	for (const [final, most] of Object.entries(bounds)) {
		core.registerCsiHandler({ final }, ({ params }) => {
			params[0] = Math.min(params[0] ?? 0, most());
			// Now the library does it.
			return false;
		});
	}
}

/** The public way gives a copy of the parameters. */
export type Parsing = {
	registerCsiHandler(id: { final: string }, handler: (params: { params: Int32Array }) => boolean): unknown;
};
