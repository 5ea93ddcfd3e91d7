// A table from its lines: the head, the line that aligns its columns, and the rows.
import type { Alignment, Line, Table } from './block.ts';
import { readSpans } from './read-spans.ts';

/** Undefined if the second line does not align columns: then these are lines with bars. */
export function readTable([head = '', aligning = '', ...rows]: readonly string[]): Table | undefined {
	if (!isAligning(aligning)) return undefined;
	return {
		type: 'table',
		head: toCells(head),
		alignments: cellTexts(aligning).map(alignmentOf),
		rows: rows.map(toCells),
	};
}

function isAligning(line: string): boolean {
	return /^[\s|:-]+$/u.test(line) && line.includes('-');
}

function alignmentOf(cell: string): Alignment | undefined {
	const isRight = cell.endsWith(':');
	if (cell.startsWith(':')) return isRight ? 'center' : 'left';
	return isRight ? 'right' : undefined;
}

function toCells(line: string): Line[] {
	return cellTexts(line).map((text) => readSpans(text.replaceAll('\\|', '|')));
}

function cellTexts(line: string): string[] {
	const inner = line.trim().replace(/^\||\|$/gu, '');
	return inner.split(/(?<!\\)\|/u).map((cell) => cell.trim());
}
