// Reads untrusted JSON, bounded and without trusting its keys; and shows names that a repository chose.

import { sanitiseLine } from '@roost/core/display/sanitise';
import { type Found, readText } from '@roost/machine/foreign-file';

type JsonRead = { kind: 'json'; value: unknown } | { kind: 'absent' } | { kind: 'refused'; why: string };

/** Default limit for settings files. */
export const SETTINGS_BYTES = 1024 * 1024;

export async function readJson(
	path: string,
	options: { mostBytes?: number; refuse?: (found: Found) => string | undefined } = {},
): Promise<JsonRead> {
	const read = await readText(path, { mostBytes: SETTINGS_BYTES, ...options });
	if (read.kind !== 'text') return read;
	if (read.cut) return { kind: 'refused', why: 'it is too large' };
	try {
		return { kind: 'json', value: JSON.parse(read.text) };
	} catch {
		// Without the parser's message, which would repeat the file.
		return { kind: 'refused', why: 'it is not JSON' };
	}
}

/** Includes `__proto__`; undefined for other values. */
export function entriesOf(value: unknown): [string, unknown][] | undefined {
	return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : undefined;
}

export function valueAt(value: unknown, ...keys: readonly string[]): unknown {
	return keys.reduce((found, key) => entriesOf(found)?.find(([name]) => name === key)?.[1], value);
}

const LONGEST = 80;
const MOST_NAMES = 10;

export function shownName(name: string, longest = LONGEST): string {
	const line = sanitiseLine(name.slice(0, longest));
	return name.length > longest ? `${line}…` : line;
}

export function shownNames(names: readonly string[]): string {
	const shown = names.slice(0, MOST_NAMES).map((name) => shownName(name));
	return names.length > MOST_NAMES ? `${shown.join(', ')} and ${names.length - MOST_NAMES} more` : shown.join(', ');
}
