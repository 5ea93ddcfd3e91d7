// The visible state of a terminal as one value that tests compare.
import headless from '@xterm/headless';

export type TerminalLook = Disposable & {
	write(bytes: Uint8Array): Promise<void>;
	resize(size: { cols: number; rows: number }): void;
	/** Text, styles, cursor and modes of what is on the screen. */
	look(): unknown;
	/** The lines of the screen, without spaces at their ends. */
	lines(): string[];
	/** Everything the terminal sent to the program. */
	readonly replies: readonly string[];
};

export function createTerminalLook(size: { cols: number; rows: number }): TerminalLook {
	const terminal = new headless.Terminal({ ...size, scrollback: 1_000, allowProposedApi: true, logLevel: 'off' });
	const replies: string[] = [];
	let cursorShown = true;
	let title = '';
	for (const [final, shown] of [
		['h', true],
		['l', false],
	] as const) {
		terminal.parser.registerCsiHandler({ prefix: '?', final }, (params) => {
			if (params.includes(25)) cursorShown = shown;
			return false;
		});
	}
	terminal.onTitleChange((next) => {
		title = next;
	});
	terminal.onData((text) => replies.push(text));

	function rows<T>(of: (row: number) => T): T[] {
		return Array.from({ length: terminal.rows }, (_, row) => of(terminal.buffer.active.baseY + row));
	}
	return {
		write: (bytes) => new Promise((resolve) => terminal.write(bytes, resolve)),
		resize: ({ cols, rows: next }) => terminal.resize(cols, next),
		look: () => ({
			cells: rows((row) => cellsOf(terminal, row)),
			cursor: [terminal.buffer.active.cursorX, terminal.buffer.active.cursorY, cursorShown],
			screen: terminal.buffer.active.type,
			modes: { ...terminal.modes, synchronizedOutputMode: false },
			title,
		}),
		lines: () => rows((row) => terminal.buffer.active.getLine(row)?.translateToString(true) ?? ''),
		replies,
		[Symbol.dispose]: () => terminal.dispose(),
	};
}

/** An empty cell, one with a space, and half of a wide character without the other half look the same. */
function cellsOf(terminal: InstanceType<typeof headless.Terminal>, row: number): string {
	const line = terminal.buffer.active.getLine(row);
	const cells = Array.from({ length: terminal.cols }, (_, column) => {
		const cell = line?.getCell(column);
		if (!cell || (cell.getWidth() === 0 && column > 0 && line?.getCell(column - 1)?.getWidth() === 2)) return '';
		const letter = cell.getChars() || ' ';
		const background = [cell.getBgColorMode(), cell.getBgColor()];
		if (letter === ' ' && !cell.isInverse() && !cell.isUnderline()) return ` ${background}`;
		const flags = [cell.isBold(), cell.isDim(), cell.isItalic(), cell.isUnderline(), cell.isInverse()].map((flag) =>
			flag ? 1 : 0,
		);
		return `${letter}${[cell.getFgColorMode(), cell.getFgColor(), ...background, ...flags]}`;
	});
	return cells.join('|');
}
