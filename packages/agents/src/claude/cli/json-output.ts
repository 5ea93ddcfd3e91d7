// JSON that a program printed; undefined where it printed something else.

export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		// Not JSON: the caller keeps the text itself.
		return undefined;
	}
}
