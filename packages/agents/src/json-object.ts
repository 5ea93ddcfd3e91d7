// Typed looks into JSON of unknown shape.

export type JsonObject = Record<string, unknown>;

export function isJsonObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The string under that key, if there is one. */
export function stringAt(object: JsonObject, key: string): string | undefined {
	const value = Object.hasOwn(object, key) ? object[key] : undefined;
	return typeof value === 'string' ? value : undefined;
}
