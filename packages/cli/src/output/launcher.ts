// The launcher of this Roost, and whether a user who types "roost" gets it.
import { accessSync, constants, existsSync, realpathSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { PROGRAM_FOLDER } from '@roost/core/process/program-files';

export const LAUNCHER = join(PROGRAM_FOLDER, 'roost');

/** Else npm installed it, and its command with it. */
export function isClone(): boolean {
	return existsSync(join(PROGRAM_FOLDER, 'packages'));
}

/** The first one on the PATH, as a shell finds it. */
export function findOnPath(path = process.env.PATH ?? ''): string | undefined {
	return path
		.split(delimiter)
		.filter(isAbsolute)
		.map((folder) => join(folder, 'roost'))
		.find(isExecutable);
}

export function isLauncher(path: string): boolean {
	try {
		return realpathSync(path) === realpathSync(LAUNCHER);
	} catch {
		// A link to a clone that is gone.
		return false;
	}
}

function isExecutable(path: string): boolean {
	try {
		accessSync(path, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}
