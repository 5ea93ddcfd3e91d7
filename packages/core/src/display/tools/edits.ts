// Tools that change files, as diffs: from the file where it is known, else from the text to replace.
import { type DiffLine, diffTexts, type Hunk } from '../line-diff.ts';
import { applyEdit } from './apply-edit.ts';
import { type Fields, isFields, listAt, numberAt, textAt } from './fields.ts';

/** A change, and which fields of the input it shows. */
export type Edit = { readonly hunks: readonly Hunk[]; readonly shown: readonly string[] };

/** Undefined where the tool changes no file, or where a diff would be incomplete. */
export function editOf(tool: string, input: Fields, response?: unknown, before?: string): Edit | undefined {
	const shown = SHOWN[tool];
	const hunks = shown && (hunksOf(response) ?? hunksIn(before, tool, input) ?? wantedHunks(tool, input, response));
	return hunks && { hunks, shown };
}

/** In the file as it is, where that is known. */
function hunksIn(before: string | undefined, tool: string, input: Fields): readonly Hunk[] | undefined {
	const after = before === undefined ? undefined : applyEdit(tool, input, before);
	return before === undefined || after === undefined ? undefined : diffTexts(before, after, true);
}

const SHOWN: Record<string, readonly string[] | undefined> = {
	Edit: ['file_path', 'old_string', 'new_string'],
	MultiEdit: ['file_path', 'edits'],
	Write: ['file_path', 'content'],
	NotebookEdit: ['notebook_path', 'new_source'],
};

function wantedHunks(tool: string, input: Fields, response: unknown): readonly Hunk[] | undefined {
	switch (tool) {
		case 'Edit':
			return replaced(input);
		case 'MultiEdit':
			return allReplaced(listAt(input, 'edits') ?? []);
		case 'Write':
			return written(textAt(input, 'content'), textAt(response, 'originalFile'));
		default:
			return written(textAt(input, 'new_source'));
	}
}

function replaced(edit: unknown): Hunk[] | undefined {
	const [before, after] = [textAt(edit, 'old_string'), textAt(edit, 'new_string')];
	return before === undefined || after === undefined ? undefined : diffTexts(before, after, false);
}

/** Undefined if one of the edits replaces all occurrences, which a diff cannot show. */
function allReplaced(edits: readonly unknown[]): Hunk[] | undefined {
	const hunks = edits.map((edit) => (isFields(edit) && edit.replace_all !== true ? replaced(edit) : undefined));
	return hunks.includes(undefined) ? undefined : hunks.flatMap((one) => one ?? []);
}

function written(content: string | undefined, before = ''): Hunk[] | undefined {
	return content === undefined ? undefined : diffTexts(before, content, true);
}

/** The agent's own diff has the places in the file. */
function hunksOf(response: unknown): Hunk[] | undefined {
	const patch = listAt(response, 'structuredPatch');
	return patch && patch.length > 0 ? patch.map(toHunk) : undefined;
}

function toHunk(part: unknown): Hunk {
	let [old, fresh] = [numberAt(part, 'oldStart') ?? 1, numberAt(part, 'newStart') ?? 1];
	const lines = isFields(part) ? (listAt(part, 'lines') ?? []) : [];
	return lines.map((line): DiffLine => {
		const whole = String(line);
		const sign = whole[0] === '-' || whole[0] === '+' ? whole[0] : ' ';
		const number = sign === '-' ? old : fresh;
		if (sign !== '+') old += 1;
		if (sign !== '-') fresh += 1;
		return { sign, text: whole.slice(1), number };
	});
}
