// Whether a file is there and may be run.
import { accessSync, constants } from 'node:fs';

export function isExecutable(path: string): boolean {
	try {
		accessSync(path, constants.X_OK);
		return true;
	} catch {
		// Absent, or not ours to run: either way the answer is no.
		return false;
	}
}
