// Text from outside that should be JSON.

/** Undefined where it is none: a schema refuses that like any other wrong value. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
