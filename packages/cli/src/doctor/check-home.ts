// Roost's home: writable, private, with a valid configuration and a readable record.
import { existsSync, lstatSync, mkdtempSync, readdirSync, rmdirSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { configPath } from '@roost/home/config/config-file';
import { loadConfig } from '@roost/home/config/load-config';
import type { Home } from '@roost/home/home';
import { installedDir } from '@roost/home/installed-projects';
import { whyNotMade } from '@roost/machine/private-directory';
import { loadRecord } from '../runner/open-runner.ts';
import { fail, fine, type Outcome } from './finding.ts';

/** Empty if the home can be used. */
export function checkHome(home: Pick<Home, 'data' | 'run'>): Outcome[] {
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

/** Permissions alone are not enough: some file systems ignore them. */
function tryToMake(parent: string): string | null {
	try {
		rmdirSync(mkdtempSync(join(parent, '.roost-')));
		return null;
	} catch (cause) {
		return whyNotMade(cause);
	}
}

export function checkConfig(env: NodeJS.ProcessEnv): Outcome[] {
	const path = configPath(env);
	const config = loadConfig({ env });
	if (!config.ok) return [fail(config.error.message, `Fix ${path} or the variable that is named; no key is required.`)];
	const source = existsSync(path) ? path : 'none, so the defaults apply';
	return [fine(`${source}; the gate is set to ${config.value.gate.mode}`)];
}

/** Directories 0700, files in an open directory 0600, no links. */
export function checkPermissions(home: Pick<Home, 'data' | 'run'>, uid = process.getuid?.()): Outcome[] {
	const directories = [...new Set([home.data, home.run, installedDir(home)])];
	const problems = directories.flatMap((path) => problemsOf(path, uid));
	if (problems.length > 0) return problems;
	return [fine(lstat(home.data) ? `${home.data} is private` : `${home.data} is created when needed`)];
}

function problemsOf(directory: string, uid: number | undefined): Outcome[] {
	const found = lstat(directory);
	if (!found) return [];
	if (!found.isDirectory()) return [fail(`${directory} is a link or a file`, `Put a directory of your own there.`)];
	const own = problemOf(directory, found, uid, '700');
	const isClosed = (found.mode & 0o077) === 0;
	const inside = readdirSync(directory).flatMap((name) => {
		const path = join(directory, name);
		const entry = lstat(path);
		// Files in a private directory are not accessible to others.
		return entry && !entry.isDirectory() ? problemOf(path, entry, uid, '600', isClosed) : [];
	});
	return [...own, ...inside];
}

function problemOf(path: string, found: Stats, uid: number | undefined, mode: string, isCovered = false): Outcome[] {
	if (found.isSymbolicLink()) return [fail(`${path} is a link`, 'Remove it: Roost makes its own.')];
	if (uid !== undefined && found.uid !== uid)
		return [fail(`${path} belongs to another user`, `Run "sudo chown ${uid} ${path}".`)];
	if (isCovered || (found.mode & 0o077) === 0) return [];
	return [fail(`others can open ${path}`, `Run "chmod ${mode} ${path}".`)];
}

function lstat(path: string): Stats | undefined {
	return lstatSync(path, { throwIfNoEntry: false });
}

type RecordCheck = { messages: Outcome[]; lastEventAt?: number };

export async function checkRecord(env: NodeJS.ProcessEnv, home: Pick<Home, 'database' | 'runnerId'>): Promise<RecordCheck> {
	if (!existsSync(home.database)) {
		const left = [`${home.database}.heads`, home.runnerId].find(existsSync);
		if (left === undefined) return { messages: [fine('empty so far')] };
		const says = `${home.database} is missing, and ${left} shows that there was a record`;
		return { messages: [fail(says, 'Restore the database; if you did not remove it, find out who did.')] };
	}
	if (!existsSync(`${home.database}.heads`)) {
		const says = `${home.database}.heads is missing, so a truncated record would not be detected`;
		return { messages: [fail(says, 'Run "roost verify"; if you did not remove that file, find out who did.')] };
	}
	const { openRecord } = await loadRecord();
	const opened = openRecord(env);
	if (!opened.ok) return { messages: [fail(opened.error.message, 'Run "roost verify" to see what is wrong.')] };
	await using record = opened.value;
	const rows = record.sessions();
	if (!rows.ok) return { messages: [fail(rows.error.message, 'Run "roost verify" to see what is wrong.')] };
	const checked = record.checkedRules();
	if (!checked.ok) return { messages: [fail(checked.error.message, 'Run "roost verify" to see what is wrong.')] };
	const [problem] = checked.value.problems;
	if (problem !== undefined) return { messages: [fail(problem, 'Run "roost verify", and find out who changed the rules.')] };
	const says = `${home.database} opens, sessions: ${rows.value.length}; "roost verify" proves it`;
	return { messages: [fine(says)], lastEventAt: Math.max(0, ...rows.value.map((row) => row.lastEventAt)) };
}
