// Writes changed lines to the terminal, in one write, without clearing the screen.

type Painter = {
	/** The whole screen, top to bottom, no line wider than it. */
	paint(lines: readonly string[], cursor?: Cursor): void;
	resize(size: { columns: number; rows: number }): void;
	/** The terminal was used by another program. */
	forget(): void;
};

/** From 0; hidden if undefined. */
export type Cursor = { line: number; column: number };

const BEGIN = '\x1b[?2026h';
const END = '\x1b[?2026l';
const HIDE = '\x1b[?25l';
const SHOW = '\x1b[?25h';

export function createPainter(write: (bytes: string) => void): Painter {
	let shown: readonly string[] = [];
	let cursorShown: Cursor | undefined;
	let known = false;
	let size = { columns: 0, rows: 0 };

	return {
		paint(lines, cursor) {
			const height = Math.max(lines.length, known ? shown.length : 0);
			let bytes = '';
			for (let index = 0; index < height; index += 1) {
				const line = lines[index] ?? '';
				if (known && line === (shown[index] ?? '')) continue;
				// Erased first: afterwards, at the right edge, this would remove the last character.
				bytes += `${place(index, 0)}\x1b[K${line}\x1b[0m`;
			}
			const moved = cursor?.line !== cursorShown?.line || cursor?.column !== cursorShown?.column;
			if (known && !moved && bytes === '') return;
			// Clears leftover colours, and text below the last line.
			if (!known) bytes = `\x1b[0m${bytes}${place(lines.length, 0)}\x1b[J`;
			const hide = cursorShown || !known ? HIDE : '';
			write(`${BEGIN}${hide}${bytes}${cursor ? place(cursor.line, cursor.column) + SHOW : ''}${END}`);
			shown = lines;
			cursorShown = cursor;
			known = true;
		},
		resize(next) {
			if (next.columns !== size.columns || next.rows !== size.rows) known = false;
			size = next;
		},
		forget() {
			known = false;
		},
	};
}

function place(line: number, column: number): string {
	return `\x1b[${line + 1};${column + 1}H`;
}
