// The state of a screen besides its text: modes, margins, cursor. The library's serialiser covers only part of it.
import type { Terminal } from '@xterm/headless';
import { styleOf } from './serialise-text.ts';

export type ScreenModes = {
	/** Whether the whole screen scrolls, without margins. */
	scrollsWhole(): boolean;
	/** Sequences that restore the state on a terminal with the same text. */
	serialise(): string;
	/** The same for the normal screen while the alternate one is shown; written before entering it. */
	serialiseBelow(): string;
};

type Margins = { top: number; bottom: number };
type ScreenType = Terminal['buffer']['active']['type'];

/** Tracks sequences whose effect the terminal does not expose. */
export function watchModes(terminal: Terminal): ScreenModes {
	const seen = new Map<number, boolean>();
	const margins = new Map<ScreenType, Margins>();
	const { buffer } = terminal;
	let cursorStyle = 0;
	let lineDrawing = false;
	let title = '';

	function forget(): boolean {
		seen.clear();
		margins.delete(buffer.active.type);
		cursorStyle = 0;
		lineDrawing = false;
		return false;
	}
	const setMode = (on: boolean) => (params: readonly (number | number[])[]) => {
		for (const mode of params) if (typeof mode === 'number' && TRACKED.has(mode)) seen.set(mode, on);
		return false;
	};
	const { parser } = terminal;
	parser.registerCsiHandler({ prefix: '?', final: 'h' }, setMode(true));
	parser.registerCsiHandler({ prefix: '?', final: 'l' }, setMode(false));
	parser.registerCsiHandler({ final: 'r' }, ([top, bottom]) => {
		const wanted = toMargins(terminal.rows, top, bottom);
		if (wanted) margins.set(buffer.active.type, wanted);
		return false;
	});
	parser.registerCsiHandler({ intermediates: ' ', final: 'q' }, ([style]) => {
		cursorStyle = typeof style === 'number' ? style : 0;
		return false;
	});
	for (const final of ['0', 'B']) {
		parser.registerEscHandler({ intermediates: '(', final }, () => {
			lineDrawing = final === '0';
			return false;
		});
	}
	parser.registerEscHandler({ final: 'c' }, forget);
	parser.registerCsiHandler({ intermediates: '!', final: 'p' }, forget);
	terminal.onResize(() => margins.clear());
	// The alternate screen is new each time.
	buffer.onBufferChange(() => margins.delete('alternate'));
	terminal.onTitleChange((next) => {
		title = next.replaceAll(/\p{Cc}/gu, '').slice(0, MOST_TITLE);
	});

	function regionOf(type: ScreenType): Margins | undefined {
		const set = margins.get(type);
		return set && (set.top > 1 || set.bottom < terminal.rows) ? set : undefined;
	}
	return {
		scrollsWhole: () => !regionOf(buffer.active.type),
		serialiseBelow: () => toSequence(regionOf('normal')),
		serialise() {
			const region = regionOf(buffer.active.type);
			return [
				title && `\x1b]2;${title}\x1b\\`,
				cursorStyle > 0 && `\x1b[${cursorStyle} q`,
				...cursorOf(terminal, region),
				// After the cursor, whose last character must not be affected by these modes.
				...modesOf(terminal, seen),
				lineDrawing && '\x1b(0',
			]
				.filter((part) => typeof part === 'string')
				.join('');
		},
	};
}

const MOST_TITLE = 500;

/** Cursor visibility, and mouse and keyboard reporting. */
const TRACKED = new Set([25, 1005, 1006, 1015, 1016, 2031]);

/** Zero or nothing means the edge; an invalid region is ignored. */
function toMargins(rows: number, first?: number | number[], last?: number | number[]): Margins | undefined {
	const top = (typeof first === 'number' && first) || 1;
	const wanted = (typeof last === 'number' && last) || rows;
	const bottom = Math.min(wanted, rows);
	return bottom > top ? { top, bottom } : undefined;
}

function modesOf({ modes }: Terminal, seen: ReadonlyMap<number, boolean>): (string | false)[] {
	const mouse = { none: 0, x10: 9, vt200: 1000, drag: 1002, any: 1003 }[modes.mouseTrackingMode];
	return [
		modes.applicationCursorKeysMode && '\x1b[?1h',
		modes.applicationKeypadMode && '\x1b[?66h',
		modes.bracketedPasteMode && '\x1b[?2004h',
		modes.insertMode && '\x1b[4h',
		modes.reverseWraparoundMode && '\x1b[?45h',
		modes.sendFocusMode && '\x1b[?1004h',
		!modes.wraparoundMode && '\x1b[?7l',
		mouse > 0 && `\x1b[?${mouse}h`,
		...[...seen].map(([mode, on]) => on !== (mode === 25) && `\x1b[?${mode}${on ? 'h' : 'l'}`),
	];
}

/** Setting margins or origin mode moves the cursor, so its position comes last. */
function cursorOf(terminal: Terminal, region: Margins | undefined): (string | false)[] {
	const { cursorX, cursorY, baseY } = terminal.buffer.active;
	const top = terminal.modes.originMode ? (region?.top ?? 1) : 1;
	const row = cursorY + 2 - top;
	const place = `\x1b[${row};${Math.min(cursorX + 1, terminal.cols)}H`;
	const parts = [toSequence(region), terminal.modes.originMode && '\x1b[?6h', place];
	if (cursorX < terminal.cols) return parts;
	// Past the last column: only writing the last character again brings it there.
	const last = lastLetter(terminal, baseY + cursorY);
	return last ? [...parts, `\x1b[${row};${terminal.cols + 1 - last.width}H`, `\x1b[${last.style}m`, last.letter] : parts;
}

function toSequence(region: Margins | undefined): string {
	return region ? `\x1b[${region.top};${region.bottom}r` : '';
}

function lastLetter(terminal: Terminal, y: number): { letter: string; style: string; width: number } | undefined {
	const line = terminal.buffer.active.getLine(y);
	const narrow = line?.getCell(terminal.cols - 1);
	const width = narrow?.getWidth() === 0 ? 2 : 1;
	const cell = line?.getCell(terminal.cols - width);
	return cell && { letter: cell.getChars() || ' ', style: styleOf(cell), width };
}
