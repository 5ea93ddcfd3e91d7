// Tools that change files, as diffs: from what was there where that is known, else from what was to be replaced.
import { type DiffLine, diffTexts, type Hunk } from '../../parts/line-diff.ts';
import { type Fields, isFields, listAt, numberAt, textAt } from './fields.ts';

/** Undefined where the tool changes no file, or its input has another shape. */
export function editHunks(tool: string, input: Fields, response?: unknown): readonly Hunk[] | undefined {
	const known = isEdit(tool) ? hunksOf(response) : undefined;
	if (known) return known;
	switch (tool) {
		case 'Edit':
			return replaced(input);
		case 'MultiEdit':
			return listAt(input, 'edits')?.flatMap((edit) => replaced(edit) ?? []);
		case 'Write':
			return written(textAt(input, 'content'), textAt(response, 'originalFile'));
		case 'NotebookEdit':
			return written(textAt(input, 'new_source'));
		default:
			return undefined;
	}
}

/** What a diff shows, so that it need not be shown again. */
export const SHOWN_IN_DIFF = ['file_path', 'notebook_path', 'old_string', 'new_string', 'edits', 'content', 'new_source'];

function isEdit(tool: string): boolean {
	return tool === 'Edit' || tool === 'MultiEdit' || tool === 'Write';
}

function replaced(edit: unknown): Hunk[] | undefined {
	const [before, after] = [textAt(edit, 'old_string'), textAt(edit, 'new_string')];
	return before === undefined || after === undefined ? undefined : diffTexts(before, after, false);
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
