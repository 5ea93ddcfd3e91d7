// The screen of a terminal on the page: xterm with the looks of the page.
import '@xterm/xterm/css/xterm.css';
import type { WindowSize } from '@roost/client/terminal-client';
import { FitAddon } from '@xterm/addon-fit';
import { type IBufferLine, Terminal } from '@xterm/xterm';
import { findAddresses, isWebAddress } from './addresses.ts';
import { openUnderPolicy } from './open-under-policy.ts';
import { toPasted } from './pasted.ts';
import { onSchemeChange, readFont, readTheme } from './theme.ts';

export type Screen = Disposable & {
	/** Replaces everything with what these bytes draw on an empty screen. Resolves when it was read. */
	draw(bytes: Uint8Array, size: WindowSize): Promise<void>;
	write(bytes: Uint8Array): Promise<void>;
	resize(size: WindowSize): void;
	/** The size that fills the place. */
	fitting(): WindowSize;
	/** Makes letters smaller where the screen is larger than the place. */
	shrink(): void;
	/** Without input, keys and the answers of the terminal itself are dropped. */
	setInput(isOn: boolean): void;
	setReader(isOn: boolean): void;
	focus(): void;
	paste(text: string): void;
	/** The selected text, else everything that is visible. */
	text(): string;
	/** Programs ask for other bytes of the arrow keys. */
	hasApplicationKeys(): boolean;
};

export type ScreenEvents = {
	/** Keys, and answers to queries of the program. */
	onKeys(keys: string): void;
	/** Mouse reports that are not UTF-8: one byte per character. */
	onBytes(bytes: string): void;
	/** The user chose a link. */
	onLink(address: string): void;
	/** The user wants the focus elsewhere. */
	onLeave(): void;
};

const SCROLLBACK = 10_000;
const SMALLEST_PX = 7;
/** WCAG AA, whatever colours a program chooses. */
const CONTRAST = 4.5;
/** Until the page has a size. */
const USUAL: WindowSize = { cols: 80, rows: 24 };

export function createScreen(place: HTMLElement, events: ScreenEvents): Screen {
	const font = readFont(place);
	const terminal = new Terminal({
		...font,
		theme: readTheme(place),
		scrollback: SCROLLBACK,
		minimumContrastRatio: CONTRAST,
		disableStdin: true,
		linkHandler: { activate: (_event, address) => openLink(address) },
		logLevel: 'off',
	});
	const fit = new FitAddon();
	terminal.loadAddon(fit);
	openUnderPolicy(terminal, place);
	terminal.onData(events.onKeys);
	terminal.onBinary(events.onBytes);
	const stopLooks = onSchemeChange(() => {
		terminal.options.theme = readTheme(place);
	});
	linkAddresses(terminal, openLink);
	handleKeys(terminal, events);
	place.addEventListener('paste', takePaste, { capture: true });

	function openLink(address: string): void {
		if (isWebAddress(address)) events.onLink(address);
	}

	/** Not xterm's own handler, which passes on escape sequences of the clipboard. */
	function takePaste(event: ClipboardEvent): void {
		event.preventDefault();
		event.stopPropagation();
		terminal.paste(toPasted(event.clipboardData?.getData('text/plain') ?? ''));
	}

	function fitting(): WindowSize {
		terminal.options.fontSize = font.fontSize;
		return fit.proposeDimensions() ?? USUAL;
	}

	const write = (bytes: Uint8Array) => new Promise<void>((resolve) => terminal.write(bytes, resolve));
	return {
		draw(bytes, { cols, rows }) {
			terminal.resize(cols, rows);
			terminal.write('\x1bc');
			return write(bytes);
		},
		write,
		resize: ({ cols, rows }) => terminal.resize(cols, rows),
		fitting,
		shrink() {
			const { cols, rows } = fitting();
			const share = Math.min(1, cols / terminal.cols, rows / terminal.rows);
			terminal.options.fontSize = Math.max(SMALLEST_PX, Math.floor(font.fontSize * share));
		},
		setInput(isOn) {
			terminal.options.disableStdin = !isOn;
		},
		setReader(isOn) {
			terminal.options.screenReaderMode = isOn;
		},
		focus: () => terminal.focus(),
		paste: (text) => terminal.paste(toPasted(text)),
		text: () => terminal.getSelection() || visibleText(terminal),
		hasApplicationKeys: () => terminal.modes.applicationCursorKeysMode,
		[Symbol.dispose]() {
			stopLooks();
			place.removeEventListener('paste', takePaste, { capture: true });
			terminal.dispose();
		},
	};
}

/** All keys belong to the program, except these: one leaves the terminal, and Ctrl-C copies while there is a selection. */
function handleKeys(terminal: Terminal, { onLeave }: ScreenEvents): void {
	terminal.attachCustomKeyEventHandler((event) => {
		if (event.key === 'Escape' && event.shiftKey) {
			event.preventDefault();
			event.stopPropagation();
			if (event.type === 'keydown') onLeave();
			return false;
		}
		const copies = event.key === 'c' && (event.ctrlKey || event.metaKey) && terminal.hasSelection();
		// After the browser has copied it.
		if (copies) setTimeout(() => terminal.clearSelection());
		return !copies;
	});
}

/** Addresses in plain text; xterm finds those that programs mark as links. */
function linkAddresses(terminal: Terminal, open: (address: string) => void): void {
	terminal.registerLinkProvider({
		provideLinks(y, give) {
			const { text, columns } = readLine(terminal.buffer.active.getLine(y - 1));
			const columnOf = (at: number) => (columns[at] ?? 0) + 1;
			give(
				findAddresses(text).map(({ address, at }) => ({
					text: address,
					range: { start: { x: columnOf(at), y }, end: { x: columnOf(at + address.length - 1), y } },
					activate: () => open(address),
				})),
			);
		},
	});
}

/** A wide letter has two columns, and a letter may be several characters. */
function readLine(line: IBufferLine | undefined): { text: string; columns: number[] } {
	const cells = Array.from({ length: line?.length ?? 0 }, (_, column) => line?.getCell(column)?.getChars() || ' ');
	return { text: cells.join(''), columns: cells.flatMap((letter, column) => Array.from(letter, () => column)) };
}

function visibleText({ buffer: { active }, rows }: Terminal): string {
	const lines = Array.from({ length: rows }, (_, row) => active.getLine(active.viewportY + row)?.translateToString(true) ?? '');
	return lines.join('\n').trimEnd();
}
