// What to show of the result of a tool: its text, its fields, or nothing where the call shows it already.
import { editOf } from './edits.ts';
import { type Fields, isFields, listAt, textAt } from './fields.ts';
import { responseText } from './response-text.ts';

type Call = { readonly tool: string; readonly input: Fields; readonly response: unknown };

export type ResultContent =
	| { readonly type: 'text'; readonly text: string }
	| { readonly type: 'fields'; readonly fields: Fields }
	| { readonly type: 'nothing' };

export function resultContent({ tool, input, response }: Call): ResultContent {
	if (!isFields(response)) return toText(responseText(response) ?? (response === null ? '' : JSON.stringify(response)));
	// The call shows the change.
	if (editOf(tool, input)) return { type: 'nothing' };
	const [out, err] = [textAt(response, 'stdout'), textAt(response, 'stderr')];
	if (out !== undefined || err !== undefined) return toText([out, err].filter(Boolean).join('\n'));
	const file = textAt(response.file, 'content');
	if (file !== undefined) return toText(file);
	if (isFields(response.answers)) return { type: 'fields', fields: response.answers };
	const found = textAt(response, 'content') ?? listAt(response, 'filenames')?.join('\n') ?? responseText(response);
	return found === undefined ? { type: 'fields', fields: response } : toText(found);
}

function toText(text: string): ResultContent {
	return { type: 'text', text };
}
