// Parses JSON from outside: an error is a value, and what is nested too deeply to walk safely is refused.
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';

/** Far above anything an agent sends, far below what exhausts the stack of a recursive walk. */
const MAX_DEPTH = 256;

export function parseBoundedJson(text: string): Result<unknown> {
	if (nestedDeeperThan(text, MAX_DEPTH))
		return err(new AppError('bad_request', `the JSON is nested deeper than ${MAX_DEPTH} levels`));
	try {
		const value: unknown = JSON.parse(text);
		return ok(value);
	} catch (cause) {
		return err(new AppError('bad_request', 'not valid JSON', { cause }));
	}
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

function nestedDeeperThan(text: string, limit: number): boolean {
	let depth = 0;
	let inString = false;
	for (let index = 0; index < text.length; index++) {
		const code = text.charCodeAt(index);
		if (inString) {
			if (code === BACKSLASH) index++;
			else if (code === QUOTE) inString = false;
		} else if (code === QUOTE) inString = true;
		else if (OPENING.has(code)) {
			depth++;
			if (depth > limit) return true;
		} else if (CLOSING.has(code)) depth--;
	}
	return false;
}
