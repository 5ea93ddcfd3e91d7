// The text of a screen as bytes that redraw it on an empty terminal of the same size, with styles and wrapped lines.
// The library's own serialiser loses lines that have only a background.
import type { IBuffer, IBufferCell, IBufferLine } from '@xterm/headless';

/** The screen and the last lines above it; the cursor position is not restored. */
export function serialiseText(buffer: IBuffer, size: { cols: number; rows: number }, scrollback: number): string {
	const first = Math.max(0, buffer.length - size.rows - scrollback);
	const scratch = buffer.getNullCell();
	const pen = { style: PLAIN };
	const parts: string[] = [];
	for (let y = first; y < buffer.length; y++) {
		const line = buffer.getLine(y);
		// A buffer keeps invisible lines beyond its length.
		const next = y + 1 < buffer.length ? buffer.getLine(y + 1) : undefined;
		if (!line) continue;
		const wraps = next?.isWrapped === true;
		parts.push(...drawLine(line, { cols: size.cols, pen, scratch, toTheEdge: wraps }));
		if (!next) break;
		// A new line takes the current colour, so it is reset.
		if (!wraps) parts.push(setStyle(pen, PLAIN), '\r\n');
	}
	return parts.join('') + setStyle(pen, PLAIN);
}

type Pen = { style: string };
type LineOptions = {
	cols: number;
	pen: Pen;
	scratch: IBufferCell;
	/** The next line continues this one, so the cursor has to pass the edge. */
	toTheEdge: boolean;
};

const PLAIN = '0';

function drawLine(line: IBufferLine, options: LineOptions): string[] {
	const { cols, pen, scratch } = options;
	const parts: string[] = [];
	const end = options.toTheEdge ? cols : lastMark(line, cols, scratch);
	// Only a character can wrap: over the edge before it, or to reach the one after it.
	const needsLetter = (x: number) => options.toTheEdge || (line.isWrapped && x === 0);
	let blanks = 0;
	let isWide = false;
	for (let x = 0; x < end; x++) {
		const cell = line.getCell(x, scratch);
		const isSecondHalf = isWide;
		isWide = cell?.getWidth() === 2;
		// A second half without the first, which an insertion leaves behind, is an empty cell.
		if (!cell || (isSecondHalf && cell.getWidth() === 0)) continue;
		const letter = cell.getChars();
		const isBlank = letter === '' && !needsLetter(x) && !isMarked(cell);
		const style = isBlank ? blankStyle(cell) : styleOf(cell);
		if (isBlank) {
			if (blanks > 0 && style !== pen.style) blanks = flushBlanks(parts, pen, blanks);
			parts.push(setStyle(pen, style));
			blanks++;
			continue;
		}
		blanks = flushBlanks(parts, pen, blanks);
		parts.push(setStyle(pen, style), letter || ' ');
		// If that character scrolled the screen, it coloured the whole new line.
		if (line.isWrapped && x === 0 && !cell.isBgDefault() && cell.getWidth() < cols) parts.push(setStyle(pen, PLAIN), '\x1b[K');
	}
	flushBlanks(parts, pen, blanks);
	return parts;
}

/** Empty cells: filled with the current colour and stepped over. */
function flushBlanks(parts: string[], pen: Pen, blanks: number): 0 {
	if (blanks > 0) parts.push(pen.style === PLAIN ? '' : `\x1b[${blanks}X`, `\x1b[${blanks}C`);
	return 0;
}

function lastMark(line: IBufferLine, cols: number, scratch: IBufferCell): number {
	for (let x = cols - 1; x >= 0; x--) {
		const cell = line.getCell(x, scratch);
		if (cell && (cell.getWidth() === 0 || cell.getChars() !== '' || !cell.isBgDefault() || isMarked(cell))) return x + 1;
	}
	return line.isWrapped ? 1 : 0;
}

/** Half of an overwritten wide character is empty but has a style. */
function isMarked(cell: IBufferCell): boolean {
	return [cell.isInverse(), cell.isUnderline(), cell.isStrikethrough(), cell.isOverline()].some((flag) => flag > 0);
}

function setStyle(pen: Pen, style: string): string {
	if (pen.style === style) return '';
	pen.style = style;
	return `\x1b[${style}m`;
}

function blankStyle(cell: IBufferCell): string {
	return cell.isBgDefault() ? PLAIN : [PLAIN, ...background(cell)].join(';');
}

/** The SGR parameters that set it from any state. */
export function styleOf(cell: IBufferCell): string {
	if (cell.isAttributeDefault()) return PLAIN;
	const flags = [
		cell.isBold() && 1,
		cell.isDim() && 2,
		cell.isItalic() && 3,
		cell.isUnderline() && 4,
		cell.isBlink() && 5,
		cell.isInverse() && 7,
		cell.isInvisible() && 8,
		cell.isStrikethrough() && 9,
		cell.isOverline() && 53,
	].filter((flag) => typeof flag === 'number' && flag > 0);
	return [PLAIN, ...flags, ...foreground(cell), ...background(cell)].join(';');
}

function foreground(cell: IBufferCell): number[] {
	return cell.isFgDefault() ? [] : colour(cell.isFgRGB(), cell.getFgColor(), 30);
}

function background(cell: IBufferCell): number[] {
	return cell.isBgDefault() ? [] : colour(cell.isBgRGB(), cell.getBgColor(), 40);
}

function colour(isRgb: boolean, value: number, base: 30 | 40): number[] {
	if (isRgb) return [base + 8, 2, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
	if (value >= 16) return [base + 8, 5, value];
	return [value < 8 ? base + value : base + 60 + value - 8];
}
