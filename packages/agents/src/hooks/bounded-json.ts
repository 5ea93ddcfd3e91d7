// Parses untrusted JSON: errors are values, and deep nesting is refused.
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';

/** Above anything an agent sends, below what exhausts the stack of a recursive walk. */
const MAX_DEPTH = 256;

export function parseBoundedJson(text: string): Result<unknown> {
	try {
		const value: unknown = JSON.parse(text);
		if (!opensMoreThan(text, MAX_DEPTH) || !isDeeperThan(value, MAX_DEPTH)) return ok(value);
		return err(new AppError('bad_request', `the JSON is nested deeper than ${MAX_DEPTH} levels`));
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

/** Level by level, without recursion. */
function isDeeperThan(value: unknown, limit: number): boolean {
	let level = [value].filter(isContainer);
	for (let depth = 0; level.length > 0; depth++) {
		if (depth >= limit) return true;
		level = level.flatMap((each) => Object.values(each)).filter(isContainer);
	}
	return false;
}

function isContainer(value: unknown): value is object {
	return typeof value === 'object' && value !== null;
}
