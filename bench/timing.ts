// How long something takes, and the quantiles of that.
export async function timed(action: () => Promise<unknown>): Promise<number> {
	const started = performance.now();
	await action();
	return performance.now() - started;
}

export function quantile(values: readonly number[], share: number): number {
	return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}
