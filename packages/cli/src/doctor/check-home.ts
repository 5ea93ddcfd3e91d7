// Roost's home: that it can be written, that its configuration is valid, and that it is this user's alone.
import { existsSync, lstatSync, mkdtempSync, readdirSync, rmdirSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { configPath } from '@roost/home/config/config-file';
import { loadConfig } from '@roost/home/config/load-config';
import type { Home } from '@roost/home/home';
import { installedDir } from '@roost/home/installed-projects';
import { whyNotMade } from '@roost/machine/private-directory';
import { fail, fine, type Said } from './finding.ts';

/** Nothing where all is well: what there is to say of a home that can be used, other checks say. */
export function checkHome(home: Pick<Home, 'data' | 'run'>): Said[] {
	for (const directory of new Set([home.data, home.run])) {
		const why = tryToMake(nearest(directory));
		const what = existsSync(directory) ? 'written' : 'created';
		if (why !== null)
			return [fail(`${directory} cannot be ${what}: ${why}`, 'Set ROOST_HOME to a folder that you can write to.')];
	}
	return [];
}

function nearest(directory: string): string {
	return existsSync(directory) ? directory : nearest(dirname(directory));
}

/** Permissions alone do not tell: some file systems take nothing from anybody. */
function tryToMake(parent: string): string | null {
	try {
		rmdirSync(mkdtempSync(join(parent, '.roost-')));
		return null;
	} catch (cause) {
		return whyNotMade(cause);
	}
}

/** Whether the configuration can be read; each error says itself what is allowed. */
export function checkConfig(env: NodeJS.ProcessEnv): Said[] {
	const path = configPath(env);
	const config = loadConfig({ env });
	if (!config.ok) return [fail(config.error.message, `Fix ${path} or the variable that is named; no key is required.`)];
	const source = existsSync(path) ? path : 'none, so the defaults hold';
	return [fine(`${source}; the gate is set to ${config.value.gate.mode}`)];
}

/** Whether Roost's home is this user's alone: directories 0700, files in an open one 0600, no links. */
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
