// What an ask is about, as lines of text: the questions, the command, or the diff of the file that it would change.

import { questionsOf } from '@roost/core/answers/ask-questions';
import { sanitiseLine } from '@roost/core/display/sanitise';
import type { AskDetail } from '@roost/protocol/api/asks';
import type { LineStyle } from '../output/feed-line.ts';
import { askInput } from '../tui/dialogs/ask-input.ts';
import { createLazyRows } from '../tui/parts/lazy-rows.ts';
import { questionRows } from '../tui/renderers/questions.ts';
import type { Row } from '../tui/screen/row.ts';
import { createStyles, type Styles } from '../tui/screen/styles.ts';

/** Not wrapped where no person looks: programs read whole lines. */
const WIDEST = 10_000;

export type AskText = {
	/** At most that many lines. */
	take(most: number): string[];
	/** Whether there are more than that. */
	isLonger(most: number): boolean;
};

/** `columns`: of the terminal, where there is one. */
export function askText(ask: AskDetail, style: LineStyle, columns: number = WIDEST): AskText {
	const styles = createStyles({ theme: 'dark', colour: style.colour, ascii: false });
	const questions = ask.kind === 'question' ? questionsOf(ask) : [];
	const rows =
		questions.length > 0
			? createLazyRows(questionRows(questions, columns - MARGIN.length, styles))
			: askInput(ask, columns - MARGIN.length, styles);
	return {
		take: (most) => rows.take(0, most).map((row) => toLine(row, styles, style)),
		isLonger: (most) => rows.count(most + 1) > most,
	};
}

const MARGIN = '  ';

function toLine(row: Row, styles: Styles, { colour }: LineStyle): string {
	const parts = row.map(({ text, tone }) => (colour ? styles.paint(tone, sanitiseLine(text)) : sanitiseLine(text)));
	return `${MARGIN}${parts.join('')}`.trimEnd();
}
