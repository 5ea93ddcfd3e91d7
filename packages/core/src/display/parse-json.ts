// Text from outside that should be JSON.

/** Undefined where it is not JSON, which a schema rejects. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
