// Identifies a process by pid and start time, because pids are reused.
import { hasCode } from './error-code.ts';
import { hasEnded, readProc, readStat, runPs } from './process-table.ts';

export type Identity = {
	readonly pid: number;
	/** Opaque; `UNKNOWN_START` if the system does not provide it. */
	readonly startTime: string;
};

export const UNKNOWN_START = 'unknown';

/** The start time of a pid, `gone` if no process has it, or null if the source cannot tell. */
type StartSource = (pid: number) => { startTime: string } | 'gone' | null;

const SOURCES: readonly StartSource[] = [readProcStart, readPsStart];

/** Null if no such process is alive; a zombie is not alive. */
export function readIdentity(pid: number, sources = SOURCES): Identity | null {
	if (!Number.isSafeInteger(pid) || pid < 1) return null;
	for (const source of sources) {
		const found = source(pid);
		if (found === 'gone') return null;
		if (found) return { pid, startTime: found.startTime };
	}
	return isTaken(pid) ? { pid, startTime: UNKNOWN_START } : null;
}

/** Whether this process is still alive. False if its start time is unknown. */
export function isSame(identity: Identity, sources = SOURCES): boolean {
	return identity.startTime !== UNKNOWN_START && readIdentity(identity.pid, sources)?.startTime === identity.startTime;
}

/** Whether a process with that pid runs. Cheap where /proc exists. */
export function isAlive(pid: number): boolean {
	return isTaken(pid) && readProcStart(pid) !== 'gone';
}

/** Whether the pid is in use, also by a zombie. */
export function isTaken(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch (cause) {
		return hasCode(cause, 'EPERM');
	}
}

/** Linux. Ticks count from the boot, so the boot ID is included. */
export function readProcStart(pid: number): ReturnType<StartSource> {
	const boot = readProc('sys/kernel/random/boot_id');
	if (boot === null) return null;
	const stat = readStat(pid);
	if (stat === null || hasEnded(stat)) return 'gone';
	return stat.startTicks === undefined ? null : { startTime: `${boot.trim()}:${stat.startTicks}` };
}

/** macOS and the BSDs. */
export function readPsStart(pid: number): ReturnType<StartSource> {
	const { status, stdout } = runPs(['-o', 'stat=', '-o', 'lstart=', '-p', String(pid)]);
	if (status === null) return null;
	const [state, ...start] = stdout.trim().split(/\s+/);
	if (status !== 0 || !state) return isTaken(pid) ? null : 'gone';
	return state.startsWith('Z') ? 'gone' : { startTime: start.join(' ') };
}
