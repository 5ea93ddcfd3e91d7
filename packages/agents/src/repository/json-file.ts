// JSON that somebody else wrote: read bounded, and looked into without trusting its keys.
import { type Found, readText } from '@roost/machine/foreign-file';

export type JsonRead = { kind: 'json'; value: unknown } | { kind: 'absent' } | { kind: 'refused'; why: string };

/** The default limit, for files of settings. */
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
		// The parser's words would repeat the file; that it is no JSON is all there is to say.
		return { kind: 'refused', why: 'it is not JSON' };
	}
}

/** The own keys of a map, `__proto__` included; undefined where the value is no map. */
export function entriesOf(value: unknown): [string, unknown][] | undefined {
	return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : undefined;
}

export function valueAt(value: unknown, ...keys: readonly string[]): unknown {
	return keys.reduce((found, key) => entriesOf(found)?.find(([name]) => name === key)?.[1], value);
}
