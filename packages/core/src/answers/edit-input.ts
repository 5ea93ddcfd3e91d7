// Editing an input before it is allowed: the command alone for a shell, else the whole input as JSON.
import { AppError } from '@roost/protocol/app-error';
import type { AskRow } from '@roost/protocol/ask';
import { err, ok, type Result } from '@roost/protocol/result';
import { isFields } from '../display/tools/fields.ts';

/** A text field is drawn whole, so its length is limited. */
export const MAX_EDITED = 20_000;

const REDACTED = '[redacted:';

/** The text to edit, or why it cannot be edited. */
export function toEditable(ask: AskRow): Result<string> {
	const known = remembered.get(ask);
	if (known) return known;
	const made = makeEditable(ask);
	remembered.set(ask, made);
	return made;
}

const remembered = new WeakMap<AskRow, Result<string>>();

function makeEditable({ tool, input }: AskRow): Result<string> {
	const json = JSON.stringify(input, null, 2);
	if (json.includes(REDACTED)) return err(new AppError('bad_request', 'This cannot be edited: it holds a redacted secret.'));
	const text = isCommand(tool, input) ? input.command : json;
	return text.length > MAX_EDITED
		? err(new AppError('bad_request', 'This cannot be edited here: it is too long. Use "roost allow --input".'))
		: ok(text);
}

/** The edited input, or the error in the text. */
export function fromEdited({ tool, input }: AskRow, text: string): Result<Record<string, unknown>> {
	if (text.includes(REDACTED)) return err(new AppError('bad_request', 'A redacted secret cannot be sent back. Remove the mark.'));
	if (isCommand(tool, input))
		return text.trim() === ''
			? err(new AppError('bad_request', 'Write a command, or deny it.'))
			: ok({ ...input, command: text });
	try {
		const value: unknown = JSON.parse(text);
		return isFields(value) ? ok({ ...value }) : err(new AppError('bad_request', 'The input must be a JSON object.'));
	} catch (cause) {
		return err(new AppError('bad_request', `This is not valid JSON yet: ${cause instanceof Error ? cause.message : ''}`));
	}
}

function isCommand(tool: string, input: AskRow['input']): input is AskRow['input'] & { command: string } {
	return tool === 'Bash' && typeof input.command === 'string';
}
