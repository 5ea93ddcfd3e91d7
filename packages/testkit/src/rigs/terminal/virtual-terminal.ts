// A terminal without a window: takes the output of a program and returns the screen.
import headless from '@xterm/headless';

export type VirtualTerminal = Disposable & {
	/** Parsed asynchronously: `settled` resolves afterwards. */
	write(bytes: string): void;
	settled(): Promise<void>;
	/** The lines of the screen, without trailing spaces. */
	screen(): string[];
	text(): string;
	/** The same with styles. */
	styledScreen(): StyledLine[];
	cursor(): { readonly line: number; readonly column: number; readonly shown: boolean };
	modes(): TerminalModes;
	size(): { readonly columns: number; readonly rows: number };
	resize(columns: number, rows: number): void;
	/** Lines that left the screen at its top; programs that own the screen push none. */
	scrolledLines(): number;
	/** Everything the terminal sends to the program. */
	onReply(handler: (bytes: string) => void): void;
};

export type StyledLine = readonly StyledPiece[];

/** Neighbours of the same style in one piece; `column` counts cells. */
export type StyledPiece = { readonly text: string; readonly column: number; readonly cells: number; readonly style: Style };

export type Style = {
	readonly foreground: Colour;
	readonly background: Colour;
	readonly bold: boolean;
	readonly dim: boolean;
	readonly inverse: boolean;
	readonly underline: boolean;
};

/** A number is a place in the palette of 256. */
export type Colour = number | `#${string}` | null;

export type TerminalModes = {
	readonly alternateScreen: boolean;
	readonly bracketedPaste: boolean;
	readonly mouse: boolean;
};

export function createVirtualTerminal({ columns = 80, rows = 24 }: { columns?: number; rows?: number } = {}): VirtualTerminal {
	const terminal = new headless.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 10_000 });
	// The terminal does not expose whether its cursor is shown, so we follow the sequences.
	let cursorShown = true;
	const watchCursor = (shown: boolean) => (parameters: readonly (number | number[])[]) => {
		if (parameters.includes(25)) cursorShown = shown;
		return false;
	};
	terminal.parser.registerCsiHandler({ prefix: '?', final: 'h' }, watchCursor(true));
	terminal.parser.registerCsiHandler({ prefix: '?', final: 'l' }, watchCursor(false));

	const lineAt = (index: number) => terminal.buffer.active.getLine(terminal.buffer.active.baseY + index);
	// Cells beyond the edge of a window that was made narrower are kept, but not visible.
	const textAt = (index: number) => (lineAt(index)?.translateToString(true, 0, terminal.cols) ?? '').trimEnd();
	const screen = () => Array.from({ length: terminal.rows }, (_, index) => textAt(index));
	return {
		write: (bytes) => terminal.write(bytes),
		settled: () => new Promise((resolve) => terminal.write('', resolve)),
		screen,
		text: () => `${screen().join('\n').trimEnd()}\n`,
		styledScreen: () => Array.from({ length: terminal.rows }, (_, index) => piecesOf(cellsOf(lineAt(index), terminal.cols))),
		cursor: () => ({ line: terminal.buffer.active.cursorY, column: terminal.buffer.active.cursorX, shown: cursorShown }),
		modes: () => ({
			alternateScreen: terminal.buffer.active.type === 'alternate',
			bracketedPaste: terminal.modes.bracketedPasteMode,
			mouse: terminal.modes.mouseTrackingMode !== 'none',
		}),
		size: () => ({ columns: terminal.cols, rows: terminal.rows }),
		resize: (nextColumns, nextRows) => terminal.resize(nextColumns, nextRows),
		scrolledLines: () => terminal.buffer.active.baseY,
		onReply: (handler) => void terminal.onData(handler),
		[Symbol.dispose]: () => terminal.dispose(),
	};
}

type Line = NonNullable<ReturnType<InstanceType<typeof headless.Terminal>['buffer']['active']['getLine']>>;
type Cell = NonNullable<ReturnType<Line['getCell']>>;

function cellsOf(line: Line | undefined, columns: number): StyledPiece[] {
	return Array.from({ length: columns }, (_, column) => ({ cell: line?.getCell(column), column })).flatMap(({ cell, column }) =>
		// The second half of a wide character is a cell without width.
		cell === undefined || cell.getWidth() === 0
			? []
			: [{ text: cell.getChars() || ' ', column, cells: cell.getWidth(), style: styleOf(cell) }],
	);
}

/** Wide characters stay alone, so that their place is known. */
function piecesOf(cells: readonly StyledPiece[]): StyledLine {
	const pieces: StyledPiece[] = [];
	for (const cell of cells) {
		const last = pieces.at(-1);
		const joins = last && last.text.length === last.cells && cell.cells === 1 && isSameStyle(last.style, cell.style);
		if (joins) pieces[pieces.length - 1] = { ...last, text: last.text + cell.text, cells: last.cells + 1 };
		else pieces.push(cell);
	}
	return pieces;
}

function styleOf(cell: Cell): Style {
	return {
		foreground: colourOf(cell.isFgDefault(), cell.isFgRGB(), cell.getFgColor()),
		background: colourOf(cell.isBgDefault(), cell.isBgRGB(), cell.getBgColor()),
		bold: cell.isBold() !== 0,
		dim: cell.isDim() !== 0,
		inverse: cell.isInverse() !== 0,
		underline: cell.isUnderline() !== 0,
	};
}

function colourOf(isDefault: boolean, isRgb: boolean, value: number): Colour {
	if (isDefault) return null;
	return isRgb ? `#${value.toString(16).padStart(6, '0')}` : value;
}

function isSameStyle(one: Style, other: Style): boolean {
	return (
		one.foreground === other.foreground &&
		one.background === other.background &&
		one.bold === other.bold &&
		one.dim === other.dim &&
		one.inverse === other.inverse &&
		one.underline === other.underline
	);
}
