// The text of a file after a call that changes it, so that the change can be shown in its place.
import { type Fields, isFields, listAt, textAt } from './fields.ts';

/** Undefined where the call does not fit the file: the text to replace is not in it. */
export function applyEdit(tool: string, input: Fields, before: string): string | undefined {
	switch (tool) {
		case 'Write':
			return textAt(input, 'content');
		case 'Edit':
			return input.deletes === true ? '' : replaceIn(before, input);
		case 'MultiEdit':
			return (listAt(input, 'edits') ?? []).reduce<string | undefined>(replaceIn, before);
		default:
			return undefined;
	}
}

function replaceIn(text: string | undefined, edit: unknown): string | undefined {
	const [old, fresh] = [textAt(edit, 'old_string'), textAt(edit, 'new_string')];
	if (text === undefined || old === undefined || fresh === undefined) return undefined;
	// An empty text to replace stands for a new file.
	if (old === '') return text === '' ? fresh : undefined;
	if (!text.includes(old)) return undefined;
	return isFields(edit) && edit.replace_all === true ? text.replaceAll(old, () => fresh) : text.replace(old, () => fresh);
}
