// The launcher of this Roost: where it is, and how to type its name in suggested commands.
import { accessSync, constants, existsSync, realpathSync } from 'node:fs';
import { basename, delimiter, isAbsolute, join } from 'node:path';
import { PROGRAM_FOLDER } from '@roost/core/process/program-files';

export const LAUNCHER = join(PROGRAM_FOLDER, 'roost');

/** Otherwise npm installed it. */
export function isClone(): boolean {
	return existsSync(join(PROGRAM_FOLDER, 'packages'));
}

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
		// A broken link.
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

/** `roost` if that is what a shell finds; otherwise the path it was called with. */
export function calledAs(argv0 = process.argv0, path = process.env.PATH): string {
	if (basename(argv0) !== 'roost') return 'roost';
	const found = findOnPath(path);
	if (found !== undefined && isLauncher(found)) return 'roost';
	return /^[\w@%+=:,./~-]+$/.test(argv0) ? argv0 : `'${argv0.replaceAll("'", `'\\''`)}'`;
}

/** Replaces "roost" in commands that a sentence suggests. */
export function asTyped(sentence: string): string {
	return sentence.replaceAll('"roost ', `"${calledAs()} `);
}
