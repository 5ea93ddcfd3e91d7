// The input of a tool in full: command, diff, prompt, or all fields.
import type { DiffLine, Hunk } from '@roost/core/display/line-diff';
import { toJson } from '@roost/core/display/to-json';
import { applyEdit } from '@roost/core/display/tools/apply-edit';
import { editOf } from '@roost/core/display/tools/edits';
import { type Fields, listAt, textAt } from '@roost/core/display/tools/fields';
import { subjectOf } from '@roost/core/display/tools/subject';
import { isMcp, toolName } from '@roost/core/display/tools/tool-name';
import type { FileBefore } from '@roost/protocol/api/asks';
import { markdownRows } from '../../parts/markdown.ts';
import { hanging, wrapped } from '../../parts/wrapped.ts';
import { type Row, row, span } from '../../screen/row.ts';
import type { Styles, Tone } from '../../screen/styles.ts';
import { type Context, fieldRows, jsonRows } from '../renderer.ts';

export type Call = {
	readonly tool: string;
	readonly input: Fields;
	readonly response?: unknown;
	/** Current content of the file to change. */
	readonly file?: FileBefore | undefined;
};

/** Nothing is left out: fields without a form of their own follow. */
export function* inputRows(call: Call, width: number, styles: Styles): Generator<Row> {
	const { tool, input, file } = call;
	const edit = editOf(tool, input, call.response, file?.state === 'text' ? file.text : undefined);
	if (edit) {
		yield* hanging([], textAt(input, 'file_path') ?? textAt(input, 'notebook_path') ?? '', width, 'accent');
		yield* fileNote(call, edit.hunks.length, width);
		yield* diffRows(edit.hunks, width, styles);
		return yield* fieldRows(input, width, edit.shown);
	}
	if (isMcp(tool)) return yield* jsonRows(input, width);
	const form = FORMS[tool];
	const shown = form ? yield* form(input, width, styles) : [];
	yield* fieldRows(input, width, shown);
}

function* fileNote({ tool, input, file }: Call, hunks: number, width: number): Generator<Row> {
	const isNew = file?.state === 'absent' && applyEdit(tool, input, '') !== undefined;
	if (isNew) yield* wrapped('new file', width, 'faint');
	if (file?.state === 'unread') yield* wrapped(`existing file not shown: ${file.why}`, width, 'warn');
	if (file?.state !== 'text') return;
	if (hunks === 0) yield* wrapped('no changes', width, 'faint');
	// Redacted text cannot be compared with the new text.
	if (file.text.includes('[redacted:')) yield* wrapped('redacted secrets are not compared', width, 'warn');
}

/** Draws some fields and returns their names. */
type Form = (input: Fields, width: number, styles: Styles) => Generator<Row, readonly string[]>;

function* commandForm(input: Fields, width: number): Generator<Row, readonly string[]> {
	const command = textAt(input, 'command');
	if (command === undefined) return [];
	yield* hanging([span('$ ', 'accent')], command, width, 'code');
	return ['command'];
}

function proseForm(key: string): Form {
	return function* prose(input, width, styles) {
		const text = textAt(input, key);
		if (text === undefined) return [];
		yield* markdownRows(text, width, styles);
		return [key];
	};
}

function* todoForm(input: Fields, width: number, styles: Styles): Generator<Row, readonly string[]> {
	const todos = listAt(input, 'todos');
	if (!todos) return [];
	yield* toolTodoRows(todos, width, styles);
	return ['todos'];
}

const FORMS: Record<string, Form | undefined> = {
	Bash: commandForm,
	Agent: proseForm('prompt'),
	Task: proseForm('prompt'),
	ExitPlanMode: proseForm('plan'),
	TodoWrite: todoForm,
};

function* toolTodoRows(todos: readonly unknown[], width: number, styles: Styles): Generator<Row> {
	for (const todo of todos) {
		const { sign, tone } = stateOf(textAt(todo, 'status'), styles);
		yield* hanging([span(`${sign} `, tone)], textAt(todo, 'content') ?? toJson(todo), width, tone);
	}
}

function stateOf(status: string | undefined, { glyphs }: Styles): { sign: string; tone?: Tone } {
	if (status === 'completed') return { sign: glyphs.todoDone, tone: 'faint' };
	return status === 'in_progress' ? { sign: glyphs.todoDoing, tone: 'accent' } : { sign: glyphs.todoOpen };
}

const TONES: Record<DiffLine['sign'], Tone | undefined> = { ' ': undefined, '-': 'removed', '+': 'added' };

/** Line numbers where they are known, a sign, and the line. */
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

export function callLine(data: { tool_name: string; tool_input: Fields }, { cwd }: Pick<Context, 'cwd'>): Row {
	const subject = subjectOf(data.tool_name, data.tool_input, cwd);
	return row(span(toolName(data.tool_name), 'tool'), ...(subject ? [span(` ${subject}`)] : []));
}
