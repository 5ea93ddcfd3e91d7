// The library's headless terminal, written synchronously and with its failures caught: program output must not crash the runner.
import type { TerminalSize } from '@roost/machine/terminal-process';
import { SerializeAddon } from '@xterm/addon-serialize';
import headless, { type Terminal } from '@xterm/headless';
import { type ScreenModes, watchModes } from './screen-modes.ts';
import { serialiseText } from './serialise-text.ts';

export function createHeadlessTerminal(size: TerminalSize, options: { scrollbackLines: number; onReply(text: string): void }) {
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
		/** False if the library failed: this terminal is then unusable. */
		read(bytes: Buffer): boolean {
			try {
				core.writeSync(bytes);
				return true;
			} catch {
				// A bug of the library on possibly hostile input: the caller opens a new terminal.
				return false;
			}
		},
		resize({ cols, rows }: TerminalSize) {
			terminal.resize(cols, rows);
			freeMemory(terminal);
		},
		size: (): TerminalSize => ({ cols: terminal.cols, rows: terminal.rows }),
		scrollsWhole: modes.scrollsWhole,
		/** Bytes that draw it on an empty terminal of the same size. */
		serialise: (scrollback: number) =>
			Buffer.from(`${drawText(terminal, scrollback, modes)}${modes.serialise()}${penOf(serialiser, terminal)}`),
		lines: () => readLines(terminal),
		[Symbol.dispose]: () => terminal.dispose(),
	};
}

type Core = Parsing & { writeSync(bytes: Uint8Array): void };

/** The public API writes later, on its own timer, where errors cannot be caught. */
function coreOf(terminal: Terminal): Core {
	const core: unknown = Reflect.get(terminal, '_core');
	if (!isCore(core)) throw new Error('this version of the headless terminal has no synchronous write');
	return core;
}

function isCore(core: unknown): core is Core {
	return hasMethod(core, 'writeSync') && hasMethod(core, 'registerCsiHandler');
}

/** Memory of a larger size: the library frees it later, on its own timer, and writes to the console if that takes long. */
function freeMemory({ buffer: { normal, alternate } }: Terminal): void {
	for (const view of [normal, alternate]) {
		const queue: unknown = Reflect.get(Object(Reflect.get(view, '_buffer')), '_memoryCleanupQueue');
		if (hasMethod(queue, 'flush')) queue.flush();
	}
}

function hasMethod<Name extends string>(value: unknown, name: Name): value is Record<Name, () => void> {
	return typeof value === 'object' && value !== null && typeof Reflect.get(value, name) === 'function';
}

function drawText(terminal: Terminal, scrollback: number, modes: ScreenModes): string {
	const { normal, alternate, active } = terminal.buffer;
	const { cols, rows } = terminal;
	const text = serialiseText(normal, { cols, rows }, scrollback);
	if (active.type === 'normal') return text;
	// Leaving the alternate screen restores the cursor position at its entry.
	const place = `\x1b[${normal.cursorY + 1};${Math.min(normal.cursorX + 1, cols)}H`;
	return `${text}${modes.serialiseBelow()}${place}\x1b[?1049h\x1b[H${serialiseText(alternate, { cols, rows }, 0)}`;
}

function readLines({ buffer: { active }, rows }: Terminal): string[] {
	return Array.from({ length: rows }, (_, line) => active.getLine(active.baseY + line)?.translateToString(true) ?? '');
}

/** The style of the next character: only the library's serialiser knows it, for a line that does not exist. */
function penOf(serialiser: SerializeAddon, terminal: Terminal): string {
	// A fraction, because line numbers wrap when the scrollback is full.
	const nowhere = terminal.buffer.normal.length + 0.5;
	return `\x1b[0m${serialiser.serialize({ range: { start: nowhere, end: nowhere }, excludeModes: true, excludeAltBuffer: true })}`;
}

/** The library repeats an operation as often as requested, which could take hours. Higher counts have no further effect. */
export function boundCounts(terminal: Terminal, core: Parsing, scrollbackLines: number): void {
	const lines = () => terminal.rows;
	const cells = () => terminal.cols * (terminal.rows + scrollbackLines);
	const bounds = { L: lines, M: lines, S: lines, T: lines, Z: () => terminal.cols, b: cells };
	for (const [final, most] of Object.entries(bounds)) {
		core.registerCsiHandler({ final }, ({ params }) => {
			params[0] = Math.min(params[0] ?? 0, most());
			// False: the library handles it.
			return false;
		});
	}
}

/** The public API passes a copy of the parameters. */
export type Parsing = {
	registerCsiHandler(id: { final: string }, handler: (params: { params: Int32Array }) => boolean): unknown;
};
