// What was approved is what runs: the input of a call is set to it, and no other extension can change it afterwards.

/** In place, because Pi executes this very object. A handler that tries to change it later fails, and Pi then blocks the call. */
export function settleInput(input: Record<string, unknown>, approved: Record<string, unknown>): void {
	for (const key of Object.keys(input)) delete input[key];
	Object.assign(input, structuredClone(approved));
	freeze(input);
}

function freeze(value: unknown): void {
	if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
	Object.freeze(value);
	for (const each of Object.values(value)) freeze(each);
}
