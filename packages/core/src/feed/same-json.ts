// Whether two JSON values are equal, in any order of their keys.

/** Deeper values are not compared: an agent's input must not exhaust the stack. */
const MAX_DEPTH = 64;

export function isSameJson(left: unknown, right: unknown, depth = 0): boolean {
	if (Object.is(left, right)) return true;
	if (depth > MAX_DEPTH || typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
	if (Array.isArray(left) !== Array.isArray(right)) return false;
	const entries = Object.entries(left);
	const others = new Map<string, unknown>(Object.entries(right));
	if (entries.length !== others.size) return false;
	return entries.every(([key, value]) => others.has(key) && isSameJson(value, others.get(key), depth + 1));
}
