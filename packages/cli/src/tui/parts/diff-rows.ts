// A diff as rows: line numbers where they are known, a sign, and the line in the tone of what happened to it.

import type { DiffLine, Hunk } from '@roost/core/display/line-diff';
import { type Row, row, span } from '../screen/row.ts';
import type { Styles, Tone } from '../screen/styles.ts';
import { hanging } from './wrapped.ts';

const TONES: Record<DiffLine['sign'], Tone | undefined> = { ' ': undefined, '-': 'removed', '+': 'added' };

export function* diffRows(hunks: readonly Hunk[], width: number, styles: Styles): Generator<Row> {
	const digits = String(highestNumber(hunks)).length;
	for (const [index, hunk] of hunks.entries()) {
		if (index > 0) yield row(span(`${' '.repeat(digits)} ${styles.glyphs.more}`, 'faint'));
		for (const line of hunk) yield* lineRows(line, digits, width);
	}
}

function* lineRows({ sign, text, number }: DiffLine, digits: number, width: number): Generator<Row> {
	const place = number === undefined ? '' : `${String(number).padStart(digits)} `;
	yield* hanging([span(place, 'faint'), span(`${sign} `, TONES[sign])], text, width, TONES[sign]);
}

function highestNumber(hunks: readonly Hunk[]): number {
	return (hunks.at(-1) ?? []).reduce((highest, { number = 0 }) => Math.max(highest, number), 0);
}
