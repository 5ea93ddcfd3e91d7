// Makes a directory with its missing parents. Node's own way never ends on file systems where nothing can be created, such as /proc.
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { hasCode } from '@roost/machine/error-code';

/** Returns those that were made, the outermost first; throws as mkdir does. */
export function makeDirectories(path: string, mode = 0o777): string[] {
	const parent = dirname(path);
	const first = tryToMake(path, mode);
	if (first !== 'no-parent') return first;
	const above = parent === path ? [] : makeDirectories(parent, mode);
	mkdirSync(path, { mode });
	return [...above, path];
}

function tryToMake(path: string, mode: number): string[] | 'no-parent' {
	try {
		mkdirSync(path, { mode });
		return [path];
	} catch (cause) {
		if (hasCode(cause, 'EEXIST')) return [];
		if (hasCode(cause, 'ENOENT')) return 'no-parent';
		throw cause;
	}
}
