// A form with lines of text and of choices.
import type { Binding } from '../keys/keymap.ts';
import type { Drawn, Room } from '../pane.ts';
import { type Row, row, type Span, span } from '../screen/row.ts';
import { drawField, EDITING, EMPTY_FIELD, edit, insert, type TextField } from './text-field.ts';

export type Form<Name extends string> = { readonly lines: readonly FormLine<Name>[]; readonly at: number };

type FormLine<Name extends string> = TextLine<Name> | ChoiceLine<Name>;
type TextLine<Name> = { readonly type: 'text'; readonly name: Name; readonly label: string; readonly field: TextField };
type ChoiceLine<Name> = {
	readonly type: 'choice';
	readonly name: Name;
	readonly label: string;
	readonly options: readonly string[];
	readonly chosen: string;
};

export function textLine<Name extends string>(name: Name, label: string, field = EMPTY_FIELD): TextLine<Name> {
	return { type: 'text', name, label, field };
}

export function choiceLine<Name extends string>(name: Name, label: string, options: readonly string[]): ChoiceLine<Name> {
	return { type: 'choice', name, label, options, chosen: options[0] ?? '' };
}

const WALKING: readonly Binding[] = [
	{ keys: ['down', 'tab'], action: 'down', help: 'next line' },
	{ keys: ['up', 'shift+tab'], action: 'up', help: 'previous line' },
];
const TURNING: readonly Binding[] = [
	{ keys: ['right', 'l', 'space'], action: 'right', help: 'next choice', hint: true },
	{ keys: ['left', 'h'], action: 'left', help: 'previous choice' },
];

export function formKeys<Name extends string>(form: Form<Name>): readonly Binding[] {
	return [...WALKING, ...(isTyping(form) ? EDITING : TURNING)];
}

export function isTyping<Name extends string>(form: Form<Name>): boolean {
	return form.lines[form.at]?.type === 'text';
}

export function valueIn<Name extends string>(form: Form<Name>, name: Name): string {
	const line = form.lines.find((one) => one.name === name);
	if (!line) return '';
	return line.type === 'text' ? line.field.text.trim() : line.chosen;
}

export function typeInForm<Name extends string>(form: Form<Name>, text: string): Form<Name> {
	return changeLine(form, (line) =>
		line.type === 'text' ? { ...line, field: insert(line.field, text.replaceAll(/[\r\n]+/g, ' ')) } : line,
	);
}

export function actOnForm<Name extends string>(form: Form<Name>, action: string): Form<Name> {
	switch (action) {
		case 'down':
			return { ...form, at: (form.at + 1) % form.lines.length };
		case 'up':
			return { ...form, at: (form.at + form.lines.length - 1) % form.lines.length };
		case 'right':
			return changeLine(form, (line) => turn(line, 1));
		case 'left':
			return changeLine(form, (line) => turn(line, -1));
		default:
			return changeLine(form, (line) =>
				line.type === 'text' ? { ...line, field: edit(line.field, action) ?? line.field } : line,
			);
	}
}

function changeLine<Name extends string>(form: Form<Name>, change: (line: FormLine<Name>) => FormLine<Name>): Form<Name> {
	return { ...form, lines: form.lines.map((line, index) => (index === form.at ? change(line) : line)) };
}

function turn<Name extends string>(line: FormLine<Name>, step: number): FormLine<Name> {
	if (line.type === 'text') return line;
	const { options, chosen } = line;
	return { ...line, chosen: options[(options.indexOf(chosen) + step + options.length) % options.length] ?? chosen };
}

const LABEL = 13;
const TEXT_ROWS = 3;

export function drawForm<Name extends string>(form: Form<Name>, { width, styles }: Room): Drawn {
	const rows: Row[] = [];
	let cursor: Drawn['cursor'];
	for (const [index, line] of form.lines.entries()) {
		const here = index === form.at;
		const label = span(` ${here ? styles.glyphs.prompt : ' '} ${line.label}`.padEnd(LABEL), here ? 'accent' : undefined);
		if (line.type === 'choice') {
			rows.push(row(label, ...line.options.flatMap((option) => optionSpans(option, option === line.chosen))));
			continue;
		}
		const drawn = drawField(line.field, Math.max(1, width - LABEL - 1), 'code');
		const top = Math.max(0, drawn.cursor.line - TEXT_ROWS + 1);
		if (here) cursor = { line: rows.length + drawn.cursor.line - top, column: drawn.cursor.column + LABEL };
		const shown = drawn.rows.slice(top, top + TEXT_ROWS);
		rows.push(...shown.map((part, at) => row(at === 0 ? label : span(' '.repeat(LABEL)), ...part)));
	}
	return { rows, cursor };
}

export function optionSpans(words: string, chosen: boolean): Span[] {
	return [chosen ? span(`[${words}]`, 'strong') : span(` ${words} `, 'faint'), span(' ')];
}
