// What was answered, and by whom.

import { because, firstLine } from '@roost/core/display/first-line';
import type { FeedEventOf } from '@roost/protocol/feed/event';
import { decidedBy } from '../../output/decided-by.ts';
import { hanging, wrapped } from '../parts/wrapped.ts';
import { type Row, row, span } from '../screen/row.ts';
import type { Renderer } from './renderer.ts';

export const questionAnswer: Renderer<'question.answer'> = {
	sign: (event) => (isAnswered(event) ? { glyph: 'ok', tone: 'good' } : { glyph: 'question', tone: 'warn' }),
	line: (event) => {
		const { data } = event;
		const answers = Object.values(data.answers).map(firstLine).join(', ');
		const said = isAnswered(event) ? span(`Answered: ${answers}`, 'good') : span(`Not answered${because(data.reason)}`, 'warn');
		return row(said, span(`  ${decidedBy(data)}`, 'faint'));
	},
	body: (event, _, width) => (isAnswered(event) ? answerRows(event, width) : undefined),
};

type QuestionAnswer = FeedEventOf<'question.answer'>;

function isAnswered({ data }: QuestionAnswer): boolean {
	return Object.keys(data.answers).length > 0;
}

function* answerRows({ data }: QuestionAnswer, width: number): Generator<Row> {
	for (const [question, answer] of Object.entries(data.answers)) {
		yield* wrapped(question, width, 'faint');
		yield* hanging([span('  ')], answer, width);
	}
}
