// Draws the permission dialog: head, input and choices.
import type { World } from '@roost/client/world/world';
import { CHOICES, type Choice, canChoose } from '@roost/core/answers/choices';
import type { AskRow } from '@roost/protocol/ask';
import type { Binding } from '../keys/keymap.ts';
import type { Drawn, Room } from '../pane.ts';
import { divider, elsewhere } from '../parts/cells.ts';
import { fieldBox, type TextField } from '../parts/text-field.ts';
import { wrapped } from '../parts/wrapped.ts';
import { type Row, row, rowWidth, span } from '../screen/row.ts';
import type { Styles, Tone } from '../screen/styles.ts';
import { drawAlways } from './always-rows.ts';
import { askHead, askInput } from './ask-parts.ts';
import type { PermissionState } from './permission.ts';

const MARGIN = 3;
/** Lines around the input; the lower one says what is not shown. */
const FRAME = 2;
const MESSAGE_ROWS = 4;

export function drawPermission(state: PermissionState, ask: AskRow | undefined, world: World, room: Room): Drawn {
	if (!ask) return { rows: [row(span(' No pending requests.', 'faint'))] };
	const head = askHead(ask, world, room);
	const { step } = state;
	if (step.at === 'edit') return drawEdit(head, step, room);
	const below = belowOf(state, ask, room);
	const input = inputPart(state, ask, room.height - head.length - below.rows.length, room);
	const rows = [...head, ...input, ...below.rows];
	const above = head.length + input.length;
	return { rows, cursor: below.cursor && { ...below.cursor, line: below.cursor.line + above } };
}

export function scrollInput(state: PermissionState, action: string, ask: AskRow, world: World, room: Room): number {
	const head = askHead(ask, world, room).length;
	const below = belowOf(state, ask, room).rows.length;
	const height = inputHeight(ask, room.height - head - below, room);
	const rows = askInput(ask, room.width - MARGIN - 1, room.styles);
	const wanted = { 'page-down': state.scroll + height, 'page-up': state.scroll - height }[action];
	const lines = { 'line-down': state.scroll + 1, 'line-up': state.scroll - 1, top: 0, bottom: Number.MAX_SAFE_INTEGER }[action];
	const to = wanted ?? lines ?? state.scroll;
	const last = Math.max(0, rows.count(to + height) - height);
	return Math.max(0, Math.min(to, last));
}

type Below = { rows: readonly Row[]; cursor?: Drawn['cursor'] };

function belowOf(state: PermissionState, ask: AskRow, room: Room): Below {
	const { step } = state;
	switch (step.at) {
		case 'always':
			return drawAlways(step.form, ask, step.problem, room);
		case 'message': {
			const label = row(span('   Reason for the agent:', 'accent'));
			return withLabel(label, fieldBox(step.field, MESSAGE_ROWS, room), step.problem, room);
		}
		default:
			return { rows: choiceRows(state, ask, room) };
	}
}

function drawEdit(head: readonly Row[], step: { field: TextField; problem: string }, room: Room): Drawn {
	const label = row(span('   Edit the input; Enter allows it.', 'accent'));
	const problemRows = step.problem === '' ? 0 : 2;
	const field = withLabel(label, fieldBox(step.field, room.height - head.length - 1 - problemRows, room), step.problem, room);
	return { rows: [...head, ...field.rows], cursor: field.cursor && { ...field.cursor, line: field.cursor.line + head.length } };
}

function withLabel(label: Row, field: Below, problem: string, { width }: Room): Below {
	const problems = [...wrapped(problem, width - MARGIN - 1, 'bad')].slice(0, 2).map((line) => row('   ', ...line));
	return { rows: [label, ...field.rows, ...problems], cursor: field.cursor && { ...field.cursor, line: field.cursor.line + 1 } };
}

/** Allow on the left, deny on the right. */
function choiceRows(state: PermissionState, ask: AskRow, { width, styles }: Room): Row[] {
	const half = Math.floor(width / 2);
	return CHOICES.slice(0, CHOICES_BELOW).map((_, index) => {
		const left = choiceCell(index, state, ask, styles);
		const gap = ' '.repeat(Math.max(1, half - rowWidth(left)));
		return [...left, span(gap), ...choiceCell(index + CHOICES_BELOW, state, ask, styles)];
	});
}

function choiceCell(index: number, { chosen }: PermissionState, ask: AskRow, { glyphs }: Styles): Row {
	const choice = CHOICES[index];
	if (!choice) return [];
	const over = index === chosen ? 'selected' : undefined;
	const canBe = canChoose(choice, ask);
	return [
		span(index === chosen ? ` ${glyphs.prompt} ` : '   '),
		{ text: choice.key, tone: canBe ? 'key' : 'faint', over },
		{ text: `  ${canBe ? choice.words : 'Cannot be edited'} `, tone: canBe ? TONES[choice.decision] : 'faint', over },
	];
}

function inputHeight(ask: AskRow, room: number, { width, styles }: Room): number {
	const most = Math.max(1, room - FRAME);
	return Math.min(most, askInput(ask, width - MARGIN - 1, styles).count(most));
}

function inputPart(state: PermissionState, ask: AskRow, most: number, room: Room): Row[] {
	const { width, styles } = room;
	const rows = askInput(ask, width - MARGIN - 1, styles);
	const height = inputHeight(ask, most, room);
	// A wider window has fewer rows than when it was scrolled.
	const from = Math.min(state.scroll, Math.max(0, rows.count(state.scroll + height) - height));
	const shown = rows.take(from, height).map((line) => row('   ', ...line));
	const isMore = rows.count(from + height + 1) > from + height;
	return [divider('', width, styles), ...shown, divider(elsewhere(isMore, from > 0), width, styles)];
}

/** Rows of choices. */
export const CHOICES_BELOW = 3;

const TONES: Record<Choice['decision'], Tone> = { allow: 'good', deny: 'bad' };

export const CHOICE_KEYS: readonly Binding[] = CHOICES.map(({ name, key, words }) => ({
	keys: [key],
	action: name,
	help: words.toLowerCase(),
	hint: name === 'allow' || name === 'deny',
}));
