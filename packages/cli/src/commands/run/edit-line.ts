// An input that is edited in one line of a terminal: a command of one line as it is, anything else as JSON.

import { fromEdited, toEditable } from '@roost/core/answers/edit-input';
import type { AskRow } from '@roost/protocol/ask';
import { ok, type Result } from '@roost/protocol/result';

/** Or why it cannot be edited. */
export function toLine(ask: AskRow): Result<string> {
	const text = toEditable(ask);
	if (!text.ok || !text.value.includes('\n')) return text;
	return ok(JSON.stringify(ask.input));
}

/** The whole input again, or what is wrong with the line. */
export function fromLine(ask: AskRow, line: string): Result<Record<string, unknown>> {
	const text = toEditable(ask);
	const isJson = text.ok && text.value.includes('\n');
	return fromEdited(isJson ? { ...ask, tool: '' } : ask, line);
}
