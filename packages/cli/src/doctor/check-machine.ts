// What Roost needs of this machine: room on the disk, a recent Node, a clock that can be right.
import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { hasCode } from '@roost/machine/error-code';
import { fail, fine, type Said, warn } from './finding.ts';

const MB = 1024 * 1024;
const TOO_LITTLE = 100 * MB;
const LITTLE = 1024 * MB;

/** Whether the disk that the record lies on has room for it. */
export function checkDisk(directory: string, freeBytes = readFreeBytes): Said[] {
	const free = freeBytes(directory);
	const says = `${toSize(free)} free at ${directory}`;
	const remedy = 'Free some space on that disk, or set ROOST_HOME to a directory on another one.';
	if (free < TOO_LITTLE) return [fail(`only ${says}`, remedy)];
	return [free < LITTLE ? warn(`only ${says}`, remedy) : fine(says)];
}

function toSize(bytes: number): string {
	return bytes < 10 * LITTLE ? `${Math.floor(bytes / MB)} MB` : `${Math.floor(bytes / LITTLE)} GB`;
}

/** Of a directory that is not there yet: where it will be made. */
function readFreeBytes(directory: string): number {
	try {
		const { bavail, bsize } = statfsSync(directory);
		return bavail * bsize;
	} catch (cause) {
		if (!hasCode(cause, 'ENOENT') || dirname(directory) === directory) throw cause;
		return readFreeBytes(dirname(directory));
	}
}

const OLDEST = 24;

/** Whether this Node can run Roost. */
export function checkNode(version: string): Said[] {
	const major = Number(version.split('.')[0]);
	if (major >= OLDEST) return [fine(version)];
	return [fail(`${version} is too old`, `Run Roost with Node ${OLDEST} or newer; the "roost" script of a checkout fetches it.`)];
}

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

/** Whether the clock can be right: deadlines and the times on record depend on it. */
export function checkClock({ now, expected, past }: ClockReading): Said[] {
	const time = new Date(now).toISOString();
	const remedy = 'Set the clock of this machine, best by a time service, and restart the runner.';
	const ahead = past.find(({ at }) => at > now + TOLERANCE_MS);
	if (ahead) return [fail(`it says ${time}, which is before ${ahead.what}`, remedy)];
	if (Math.abs(now - expected) > STEP_MS) return [warn(`it was set to ${time} just now`, remedy)];
	return [fine(time)];
}
