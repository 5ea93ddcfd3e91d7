// Typed access to JSON of unknown shape.

export type JsonObject = Record<string, unknown>;

export function isJsonObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function stringAt(object: object, key: string): string | undefined {
	const value: unknown = Object.hasOwn(object, key) ? Reflect.get(object, key) : undefined;
	return typeof value === 'string' ? value : undefined;
}
