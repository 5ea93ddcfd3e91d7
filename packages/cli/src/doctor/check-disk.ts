// Whether the disk that the record lies on has room for it.
import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { hasCode } from '@roost/machine/error-code';
import { fail, fine, type Said, warn } from './finding.ts';

const MB = 1024 * 1024;
const TOO_LITTLE = 100 * MB;
const LITTLE = 1024 * MB;

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
