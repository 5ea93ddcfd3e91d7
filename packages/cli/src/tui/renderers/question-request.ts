// Questions of an agent, with the answers it offers.

import { firstLine } from '@roost/core/display/first-line';
import type { Question } from '@roost/protocol/feed/decisions';
import { hanging } from '../parts/wrapped.ts';
import { type Row, row, span } from '../screen/row.ts';
import type { Styles } from '../screen/styles.ts';
import type { Renderer } from './renderer.ts';

export const questionRequest: Renderer<'question.request'> = {
	sign: () => ({ glyph: 'question', tone: 'warn' }),
	line: ({ data }) => {
		const [first, ...others] = data.questions;
		const more = others.length > 0 ? [span(`  and ${others.length} more`, 'faint')] : [];
		return row(span(firstLine(first?.question ?? ''), 'warn'), ...more);
	},
	body: ({ data }, { styles }, width) => questionRows(data.questions, width, styles),
};

export function* questionRows(questions: readonly Question[], width: number, styles: Styles): Generator<Row> {
	for (const { question, multi_select, options } of questions) {
		yield* hanging([], question, width, 'strong');
		if (multi_select) yield row(span('several may be chosen', 'faint'));
		for (const { label, description } of options) {
			const text = description ? `${label}: ${description}` : label;
			yield* hanging([span(`${styles.glyphs.bullet} `, 'accent')], text, width);
		}
	}
}
