// Any value as JSON that people can read.
export function toJson(value: unknown): string {
	return JSON.stringify(value, null, 2) ?? '';
}
