// Keys that other versions of Roost have or had, and that do nothing in this one: a user who sets one hears so.

const INSTEAD: ReadonlyMap<string, string> = new Map([
	['runner.id', 'a runner makes its ID once and keeps it, so remove the key'],
	['buffer', 'every event is kept in roost.db under ROOST_HOME, so remove the key'],
	['runtime.printCommand', 'remove the key; "roost run --agent" chooses the agent of a run'],
]);

/** What to do instead; undefined for a key that Roost never had. */
export function insteadOf(key: string): string | undefined {
	return INSTEAD.get(key);
}
