// Makes a switch over a union exhaustive: a new member breaks the build wherever it is ignored.
export function assertNever(value: never): never {
	throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}
