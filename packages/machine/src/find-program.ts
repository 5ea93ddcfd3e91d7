// Finds a program on the user's PATH, never in the current directory.
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

export function findProgram(name: string, env: NodeJS.ProcessEnv): string | null {
	const directories = (env.PATH ?? '').split(delimiter).filter(isAbsolute);
	return directories.map((directory) => join(directory, name)).find(isExecutable) ?? null;
}

export function isExecutable(path: string): boolean {
	try {
		accessSync(path, constants.X_OK);
		return statSync(path).isFile();
	} catch {
		// Missing or not accessible.
		return false;
	}
}
