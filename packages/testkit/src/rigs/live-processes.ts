// Finds processes a test may have left behind and ends them, by id only.
import { hasCode } from '@roost/machine/error-code';
import { isAlive } from '@roost/machine/process-identity';
import { hasProc, listPids, readEnvironment, readStat } from '@roost/machine/process-table';
import { waitFor } from './wait-for.ts';

/** Ids of the running processes whose environment holds this text. Only on Linux; elsewhere none are found. */
export async function findProcessesWithEnv(words: string): Promise<readonly number[]> {
	return listPids().filter((pid) => pid !== process.pid && readEnvironment(pid).some((entry) => entry.includes(words)));
}

/** Kills them all, also processes that they start in the meantime; resolves when none is left. */
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

/** SIGTERM, then SIGKILL; resolves when it is gone. A negative id is a process group. */
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

/** False once it is gone; an unreaped zombie counts as gone. */
export async function isRunning(target: number): Promise<boolean> {
	if (!signal(target, 0)) return false;
	if (!hasProc()) return true;
	if (target > 0) return isAlive(target);
	return listPids().some((pid) => readStat(pid)?.group === -target && isAlive(pid));
}

/** False when there is no such process. */
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
