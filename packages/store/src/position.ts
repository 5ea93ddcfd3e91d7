// A row's key in the log: the runner and its seqNo in one integer, so that reading by seqNo needs no index of its own.

/** Room for 2^40 events of each of 2^13 runners below the largest safe integer. */
const SPAN = 2 ** 40;

export function toPosition(runnerNo: number, seqNo: number): number {
	return runnerNo * SPAN + seqNo;
}

export function seqNoOf(position: number): number {
	return position % SPAN;
}

export function runnerNoOf(position: number): number {
	return Math.floor(position / SPAN);
}

/** The last position a runner can have. */
export function lastPosition(runnerNo: number): number {
	return (runnerNo + 1) * SPAN - 1;
}
