// Whether the clock can be right: deadlines and the times on record depend on it.
import { fail, fine, type Said, warn } from './finding.ts';

export type ClockReading = {
	/** What the clock says. */
	now: number;
	/** What it should say, counted from when this process started. */
	expected: number;
	/** Times that lie behind us, and what happened then. */
	past: readonly { what: string; at: number }[];
};

/** Clocks of file systems and machines differ a little. */
const TOLERANCE_MS = 60_000;
const STEP_MS = 2_000;

export function checkClock({ now, expected, past }: ClockReading): Said[] {
	const time = new Date(now).toISOString();
	const remedy = 'Set the clock of this machine, best by a time service, and restart the runner.';
	const ahead = past.find(({ at }) => at > now + TOLERANCE_MS);
	if (ahead) return [fail(`it says ${time}, which is before ${ahead.what}`, remedy)];
	if (Math.abs(now - expected) > STEP_MS) return [warn(`it was set to ${time} just now`, remedy)];
	return [fine(time)];
}
