// Questions of agents and of MCP servers, and their answers.
import { because, firstLine } from '@roost/core/display/first-line';
import { elicitationWords } from '@roost/core/feed/plain-words';
import { decidedBy } from '@roost/core/views/words';
import type { Question } from '@roost/protocol/feed/decisions';
import type { FeedEventOf } from '@roost/protocol/feed/event';
import { hanging, wrapped } from '../parts/wrapped.ts';
import { type Row, row, span } from '../screen/row.ts';
import type { Styles } from '../screen/styles.ts';
import { jsonRows, type Renderer, type Sign } from './renderer.ts';

export const questionRequest: Renderer<'question.request'> = {
	sign: () => ({ glyph: 'question', tone: 'warn' }),
	line: ({ data }) => {
		const [first, ...others] = data.questions;
		const more = others.length > 0 ? [span(`  and ${others.length} more`, 'faint')] : [];
		return row(span(firstLine(first?.question ?? ''), 'warn'), ...more);
	},
	body: ({ data }, { styles }, width) => questionRows(data.questions, width, styles),
	opens: true,
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

export const questionAnswer: Renderer<'question.answer'> = {
	sign: (event) => (isAnswered(event) ? { glyph: 'ok', tone: 'good' } : { glyph: 'question', tone: 'warn' }),
	line: (event) => {
		const { data } = event;
		const answers = Object.values(data.answers).map(firstLine).join(', ');
		const message = isAnswered(event)
			? span(`Answered: ${answers}`, 'good')
			: span(`Not answered${because(data.reason)}`, 'warn');
		return row(message, span(`  ${decidedBy(data)}`, 'faint'));
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

export const elicitationRequest: Renderer<'elicitation.request'> = {
	sign: () => ({ glyph: 'question', tone: 'warn' }),
	line: ({ data }) => row(span(`${data.mcp_server_name}: `, 'tool'), span(firstLine(data.message), 'warn')),
	body: (event, _, width) => requestRows(event, width),
};

function* requestRows({ data }: FeedEventOf<'elicitation.request'>, width: number): Generator<Row> {
	yield* wrapped(data.message, width);
	if (data.requested_schema !== undefined) yield* jsonRows(data.requested_schema, width);
}

export const elicitationResult: Renderer<'elicitation.result'> = {
	sign: ({ data }) => signOf(data.action),
	line: ({ data }) =>
		row(span(`${data.mcp_server_name}: `, 'tool'), span(elicitationWords(data.action), signOf(data.action).tone)),
	body: ({ data }, _, width) => (data.content === undefined ? undefined : jsonRows(data.content, width)),
};

function signOf(action: string): Sign {
	return action === 'accept' ? { glyph: 'ok', tone: 'good' } : { glyph: 'failed', tone: 'warn' };
}
