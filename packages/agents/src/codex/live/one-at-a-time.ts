// Runs what it is given one after the other: two Codex that start at once in a new home break each other's database.

export type OneAtATime = <T>(run: () => Promise<T>) => Promise<T>;

export function createOneAtATime(): OneAtATime {
	let last: Promise<unknown> = Promise.resolve();
	return (run) => {
		const next = last.then(run);
		last = next.catch(() => undefined);
		return next;
	};
}
