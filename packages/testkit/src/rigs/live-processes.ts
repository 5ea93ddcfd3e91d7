// Finds processes a test may have left behind and ends them, by id only.
import { readdir, readFile } from 'node:fs/promises';
import { hasCode } from '@roost/machine/error-code';
import { waitFor } from './wait-for.ts';

/** Ids of the running processes whose environment holds these words. Only Linux lets us look; elsewhere none are found. */
export async function findProcessesWithEnv(words: string): Promise<readonly number[]> {
	if (process.platform !== 'linux') return [];
	const found = await Promise.all(
		(await processIds()).map(async (pid) => ((await readProc(pid, 'environ')).includes(words) ? [pid] : [])),
	);
	return found.flat().filter((pid) => pid !== process.pid);
}

/** Ends them all and comes back when none is left, however many more they started meanwhile. */
export async function endProcessesWithEnv(words: string): Promise<void> {
	await waitFor(
		async () => {
			const left = await findProcessesWithEnv(words);
			await Promise.all(left.map((pid) => endProcess(pid)));
			return left.length === 0 ? true : undefined;
		},
		{
			what: `no process with ${words} in its environment to be left`,
			seen: () => findProcessesWithEnv(words),
		},
	);
}

/** Asks, waits, then insists; comes back when it is gone. A negative id means the whole process group. */
export async function endProcess(target: number, graceMs = 2_000): Promise<void> {
	if (!signal(target, 'SIGTERM')) return;
	const askedAt = performance.now();
	await waitFor(
		async () => {
			if (!(await isRunning(target))) return true;
			if (performance.now() - askedAt > graceMs) signal(target, 'SIGKILL');
			return undefined;
		},
		{ deadlineMs: graceMs + 30_000, what: `process ${target} to be gone` },
	);
}

/** False once it is gone; a zombie that nobody reaped counts as gone. */
export async function isRunning(target: number): Promise<boolean> {
	if (!signal(target, 0)) return false;
	if (process.platform !== 'linux') return true;
	if (target > 0) return isAlive(await readStat(target));
	const stats = await Promise.all((await processIds()).map(readStat));
	return stats.some((stat) => isAlive(stat) && stat?.group === -target);
}

/** False when nobody is there to get it. */
export function signal(target: number, name: NodeJS.Signals | 0): boolean {
	// 0 means our own group and -1 every process there is.
	if (!Number.isInteger(target) || Math.abs(target) < 2) throw new Error(`refusing to signal ${target}`);
	try {
		return process.kill(target, name);
	} catch (error) {
		if (hasCode(error, 'ESRCH')) return false;
		throw error;
	}
}

type ProcessStat = { readonly state: string; readonly group: number };

/** The program's name stands in brackets and may hold anything, so the fields are counted from the last bracket. */
async function readStat(pid: number): Promise<ProcessStat | undefined> {
	const stat = await readProc(pid, 'stat');
	const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	return state === undefined || state === '' ? undefined : { state, group: Number(group) };
}

function isAlive(stat: ProcessStat | undefined): boolean {
	return stat !== undefined && stat.state !== 'Z' && stat.state !== 'X';
}

async function processIds(): Promise<readonly number[]> {
	return (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
}

/** Empty for a process that ended meanwhile or is somebody else's. */
async function readProc(pid: number, file: 'environ' | 'stat'): Promise<string> {
	try {
		return await readFile(`/proc/${pid}/${file}`, 'utf8');
	} catch (error) {
		if (hasCode(error, 'ENOENT', 'ESRCH', 'EACCES', 'EPERM')) return '';
		throw error;
	}
}
