// Parses untrusted JSON: errors are values, and deep nesting is refused.
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';

/** Above anything an agent sends, below what exhausts the stack of a recursive walk. */
const MAX_DEPTH = 256;

export function parseBoundedJson(text: string): Result<unknown> {
	if (opensMoreThan(text, MAX_DEPTH) && nestedDeeperThan(text, MAX_DEPTH))
		return err(new AppError('bad_request', `the JSON is nested deeper than ${MAX_DEPTH} levels`));
	try {
		const value: unknown = JSON.parse(text);
		return ok(value);
	} catch (cause) {
		return err(new AppError('bad_request', 'not valid JSON', { cause }));
	}
}

/** Undefined for what is not JSON, or nested too deeply. */
export function parseBounded(text: string): unknown {
	const parsed = parseBoundedJson(text);
	return parsed.ok ? parsed.value : undefined;
}

/** A cheap check that is enough for nearly all input. */
function opensMoreThan(text: string, limit: number): boolean {
	let count = 0;
	for (const bracket of ['{', '[']) {
		for (let at = text.indexOf(bracket); at >= 0 && count <= limit; at = text.indexOf(bracket, at + 1)) count++;
	}
	return count > limit;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

function nestedDeeperThan(text: string, limit: number): boolean {
	let depth = 0;
	let inString = false;
	for (let index = 0; index < text.length; index++) {
		const code = text.charCodeAt(index);
		if (inString) {
			if (code === BACKSLASH) index++;
			else if (code === QUOTE) inString = false;
		} else if (code === QUOTE) inString = true;
		else if (code === OPEN_LIST || code === OPEN_OBJECT) {
			depth++;
			if (depth > limit) return true;
		} else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--;
	}
	return false;
}
