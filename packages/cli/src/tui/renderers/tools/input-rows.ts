// What a tool is asked to do, in full: the command, the diff, the prompt, or every field as it is.

import { applyEdit } from '@roost/core/display/tools/apply-edit';
import { editOf } from '@roost/core/display/tools/edits';
import { type Fields, listAt, textAt } from '@roost/core/display/tools/fields';
import { isMcp } from '@roost/core/display/tools/tool-name';
import type { FileBefore } from '@roost/protocol/api/asks';
import { diffRows } from '../../parts/diff-rows.ts';
import { markdownRows } from '../../parts/markdown.ts';
import { hanging, wrapped } from '../../parts/wrapped.ts';
import { type Row, span } from '../../screen/row.ts';
import type { Styles } from '../../screen/styles.ts';
import { fieldRows } from '../field-rows.ts';
import { jsonRows } from '../json-rows.ts';
import { toolTodoRows } from './todo-rows.ts';

export type Call = {
	readonly tool: string;
	readonly input: Fields;
	readonly response?: unknown;
	/** The file that it would change, as it is now. */
	readonly file?: FileBefore | undefined;
};

/** Nothing of the input is left out: what has no form of its own follows as fields. */
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
	// The same mark may stand for a secret in the file and for the word itself in what is written.
	if (file.text.includes('[redacted:')) yield* wrapped('redacted secrets are not compared', width, 'warn');
}

/** Draws some fields in its own way and says which. */
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
