// Whether Roost's home is this user's alone: directories 0700, files in an open one 0600, no links.
import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import type { Home } from '@roost/home/home';
import { installedDir } from '@roost/home/installed-projects';
import { fail, fine, type Said } from './finding.ts';

export function checkPermissions(home: Pick<Home, 'data' | 'run'>, uid = process.getuid?.()): Said[] {
	const directories = [...new Set([home.data, home.run, installedDir(home)])];
	const problems = directories.flatMap((path) => problemsOf(path, uid));
	if (problems.length > 0) return problems;
	return [fine(lstat(home.data) ? `${home.data} is yours alone` : `${home.data} will be made when it is needed`)];
}

function problemsOf(directory: string, uid: number | undefined): Said[] {
	const found = lstat(directory);
	if (!found) return [];
	if (!found.isDirectory()) return [fail(`${directory} is a link or a file`, `Put a directory of your own there.`)];
	const own = problemOf(directory, found, uid, '700');
	const isClosed = (found.mode & 0o077) === 0;
	const inside = readdirSync(directory).flatMap((name) => {
		const path = join(directory, name);
		const entry = lstat(path);
		// Nobody else gets to a file in a directory that is closed to others.
		return entry && !entry.isDirectory() ? problemOf(path, entry, uid, '600', isClosed) : [];
	});
	return [...own, ...inside];
}

function problemOf(path: string, found: Stats, uid: number | undefined, mode: string, isCovered = false): Said[] {
	if (found.isSymbolicLink()) return [fail(`${path} is a link`, 'Remove it: Roost makes its own.')];
	if (uid !== undefined && found.uid !== uid)
		return [fail(`${path} belongs to another user`, `Run "sudo chown ${uid} ${path}".`)];
	if (isCovered || (found.mode & 0o077) === 0) return [];
	return [fail(`others can open ${path}`, `Run "chmod ${mode} ${path}".`)];
}

/** Undefined where it is not there, or is gone since it was listed. */
function lstat(path: string): Stats | undefined {
	return lstatSync(path, { throwIfNoEntry: false });
}
