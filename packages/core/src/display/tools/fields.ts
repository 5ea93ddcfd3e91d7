// Reads inputs and responses of tools, which may have any shape.

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function textAt(value: unknown, key: string): string | undefined {
	const found = isFields(value) ? value[key] : undefined;
	return typeof found === 'string' ? found : undefined;
}

export function numberAt(value: unknown, key: string): number | undefined {
	const found = isFields(value) ? value[key] : undefined;
	return typeof found === 'number' ? found : undefined;
}

export function listAt(value: unknown, key: string): readonly unknown[] | undefined {
	const found = isFields(value) ? value[key] : undefined;
	return Array.isArray(found) ? found : undefined;
}
