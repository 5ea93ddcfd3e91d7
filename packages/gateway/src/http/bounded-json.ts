// Parses JSON from clients with a limit on nesting, so that no recursion over it can overflow the stack.
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';

export function parseBoundedJson(text: string, maxDepth: number): Result<unknown> {
	if (nestsDeeper(text, maxDepth)) return err(new AppError('too_large', `The JSON nests deeper than ${maxDepth} levels.`));
	try {
		const value: unknown = JSON.parse(text);
		return ok(value);
	} catch (cause) {
		return err(new AppError('bad_request', 'This is not valid JSON.', { cause }));
	}
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = new Set([0x5b, 0x7b]);
const CLOSE = new Set([0x5d, 0x7d]);

function nestsDeeper(text: string, maxDepth: number): boolean {
	let depth = 0;
	let quoted = false;
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		if (quoted && code === BACKSLASH) at++;
		else if (code === QUOTE) quoted = !quoted;
		else if (!quoted && OPEN.has(code)) depth++;
		else if (!quoted && CLOSE.has(code)) depth--;
		if (depth > maxDepth) return true;
	}
	return false;
}
