// Draws the question dialog: question, options, and a summary of the answers.
import type { World } from '@roost/client/world/world';
import { questionsOf, SUMMARY_CHOICES } from '@roost/core/answers/ask-questions';
import { answerTo, nonePlace, ownPlace } from '@roost/core/answers/question-picks';
import { firstLine } from '@roost/core/display/first-line';
import type { AskRow } from '@roost/protocol/ask';
import type { Question } from '@roost/protocol/feed/decisions';
import type { Drawn, Room } from '../pane.ts';
import { divider } from '../parts/cells.ts';
import { createLazyRows, type LazyRows } from '../parts/lazy-rows.ts';
import { remembering } from '../parts/remembering.ts';
import { fieldBox } from '../parts/text-field.ts';
import { hanging, wrapped } from '../parts/wrapped.ts';
import { type Row, row, rowWidth, selectRow, span } from '../screen/row.ts';
import type { Styles } from '../screen/styles.ts';
import { askHead, askInput } from './ask-parts.ts';
import type { QuestionState } from './question.ts';
import { NO_PICKS, type PicksWithField, toPicks } from './question-picks.ts';

/** First row of each selectable line, number of rows, and rows that fit. */
type PageShape = { readonly starts: readonly number[]; readonly total: number; readonly height: number };

export function drawQuestion(state: QuestionState, ask: AskRow | undefined, world: World, room: Room): Drawn {
	if (!ask) return { rows: [row(span(' No pending requests.', 'faint'))] };
	const head = askHead(ask, world, room);
	if (state.writing) return drawWriting(state, ask, head, room);
	const height = pageHeight(head, room);
	// One row more than fits, to know whether there is more.
	const parts = partsOf(state, ask, room);
	const scroll = Math.min(state.scroll, Math.max(0, countRows(parts, state.scroll + height) - height));
	const rows = rowsBetween(parts, { ...state, scroll }, height + 1, room);
	return { rows: [...head, edge(state, ask, rows.length > height, room), ...rows.slice(0, height)] };
}

export function pageShape(state: QuestionState, ask: AskRow, world: World, room: Room): PageShape {
	const parts = partsOf(state, ask, room);
	const starts: number[] = [];
	let total = 0;
	for (const part of parts) {
		if (part.place !== undefined) starts.push(total);
		total += part.rows.count(Number.MAX_SAFE_INTEGER);
	}
	return { starts, total, height: pageHeight(askHead(ask, world, room), room) };
}

function countRows(parts: readonly Part[], limit: number): number {
	let count = 0;
	for (const { rows } of parts) count += rows.count(limit - count);
	return count;
}

function pageHeight(head: readonly Row[], room: Room): number {
	return Math.max(1, room.height - head.length - 1);
}

/** Scrolls as little as possible to show the selected line. */
export function scrollToShow({ marked, scroll }: QuestionState, { starts, total, height }: PageShape): number {
	const start = starts[marked] ?? 0;
	const end = starts[marked + 1] ?? total;
	return Math.min(start, Math.max(scroll, end - height));
}

type Part = { readonly rows: LazyRows; readonly place?: number };

const MARGIN = 3;

function partsOf(state: QuestionState, ask: AskRow, room: Room): readonly Part[] {
	const questions = questionsOf(ask);
	const question = questions[state.page];
	if (questions.length === 0) return unreadableParts(ask, room);
	if (!question) return summaryParts(state, questions, room);
	const fixed = fixedParts(question, room.width, room.styles);
	return [fixed.text, ...fixed.options, ...ownParts(question, state.picks[state.page] ?? NO_PICKS, room)];
}

/** Made once, because the question does not change. */
const fixedParts = remembering(
	(question: Question, width: number, _styles: Styles): { text: Part; options: readonly Part[] } => ({
		text: { rows: createLazyRows(questionRows(question, width)) },
		options: question.options.map((option, place) => ({ rows: createLazyRows(optionRows(option, width)), place })),
	}),
);

function* questionRows({ question, multi_select }: Question, width: number): Generator<Row> {
	for (const line of wrapped(question, width - MARGIN - 1, 'strong')) yield row('   ', ...line);
	if (multi_select) yield row(span('   Select any number: Space selects, Enter continues.', 'faint'));
	yield row('');
}

/** Wider than the mark, key and sign before an option. */
const SIGN = 10;

function* optionRows({ label, description }: { label: string; description?: string }, width: number): Generator<Row> {
	yield* hanging([], label, width - MARGIN - SIGN);
	if (description) yield* hanging([span('  ')], description, width - MARGIN - SIGN, 'faint');
}

function ownParts(question: Question, { own }: PicksWithField, { width }: Room): Part[] {
	const words = own.text.trim() === '' ? 'Something else, in your own words' : `In your own words: ${firstLine(own.text)}`;
	return [
		{ rows: createLazyRows(wrapped(words, width - MARGIN - SIGN)), place: ownPlace(question) },
		{ rows: createLazyRows(wrapped('No answer', width - MARGIN - SIGN)), place: nonePlace(question) },
	];
}

function unreadableParts(ask: AskRow, { width, styles }: Room): readonly Part[] {
	return [{ rows: askInput(ask, width, styles) }, choicePart('Send no answer', 0)];
}

const ANSWER_ROWS = 3;

function summaryParts({ picks }: QuestionState, questions: readonly Question[], { width }: Room): Part[] {
	const rows = questions.flatMap((question, index) => {
		const answer = answerTo(question, toPicks(picks[index] ?? NO_PICKS));
		const message = hanging([span('     ')], answer ?? 'no answer', width, answer === undefined ? 'warn' : 'good');
		return [row(span(`   ${firstLine(question.header ?? question.question)}`)), ...createLazyRows(message).take(0, ANSWER_ROWS)];
	});
	return [{ rows: createLazyRows([...rows, row('')]) }, ...SUMMARY_CHOICES.map((words, place) => choicePart(words, place))];
}

function choicePart(words: string, place: number): Part {
	return { rows: createLazyRows([row(words)]), place };
}

function rowsBetween(parts: readonly Part[], state: QuestionState, height: number, room: Room): Row[] {
	const shown: Row[] = [];
	let skip = state.scroll;
	for (const part of parts) {
		if (shown.length >= height) break;
		const count = part.rows.count(skip + height - shown.length);
		const taken = part.rows.take(skip, height - shown.length);
		shown.push(
			...taken.map((line, index) =>
				part.place === undefined ? line : optionRow(line, part.place, skip + index === 0, state, room),
			),
		);
		skip = Math.max(0, skip - count);
	}
	return shown;
}

function optionRow(line: Row, place: number, first: boolean, state: QuestionState, { styles }: Room): Row {
	const isMarked = place === state.marked;
	const picked = state.picks[state.page];
	const sign = picked && `${picked.chosen.has(place) ? styles.glyphs.todoDone : styles.glyphs.todoOpen} `;
	const lead = [
		span(isMarked ? ` ${styles.glyphs.prompt} ` : '   ', 'accent'),
		span(place < 9 ? `${place + 1} ` : '  ', 'key'),
		span(sign ?? '', isMarked ? 'accent' : undefined),
	];
	const whole = first ? [...lead, ...line] : [span(' '.repeat(rowWidth(lead))), ...line];
	return isMarked ? selectRow(whole) : whole;
}

function edge({ page }: QuestionState, ask: AskRow, isMore: boolean, { width, styles }: Room): Row {
	const { length } = questionsOf(ask);
	const where = length < 2 ? '' : page < length ? `question ${page + 1} of ${length}` : 'your answers';
	const header = firstLine(questionsOf(ask)[page]?.header ?? '');
	const words = [header, where, isMore ? 'more below: PgDn' : ''].filter(Boolean).join(', ');
	return divider(words, width, styles);
}

const FIELD_ROWS = 5;

function drawWriting(state: QuestionState, ask: AskRow, head: readonly Row[], room: Room): Drawn {
	const question = questionsOf(ask)[state.page];
	const text = question
		? fixedParts(question, room.width, room.styles).text.rows.take(0, Math.max(1, room.height - head.length - FIELD_ROWS - 1))
		: [];
	const field = fieldBox((state.picks[state.page] ?? NO_PICKS).own, FIELD_ROWS, room);
	const above = [...head, ...text, row(span('   Your own answer:', 'accent'))];
	return { rows: [...above, ...field.rows], cursor: { ...field.cursor, line: field.cursor.line + above.length } };
}
