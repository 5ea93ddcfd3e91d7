// Which process is meant: a pid is given again to others, a pid together with its start time is not.
import { hasCode } from './error-code.ts';
import { hasEnded, readProc, readStat, runPs } from './process-table.ts';

export type Identity = {
	readonly pid: number;
	/** Opaque text, compared and never read; `UNKNOWN_START` where this system does not tell. */
	readonly startTime: string;
};

export const UNKNOWN_START = 'unknown';

/** What one source says of a pid: when it began, that nobody has it, or null when the source cannot tell. */
type StartSource = (pid: number) => { startTime: string } | 'gone' | null;

const SOURCES: readonly StartSource[] = [readProcStart, readPsStart];

/** Null when no such process is alive; one that has ended and was not yet collected is not. */
export function readIdentity(pid: number, sources = SOURCES): Identity | null {
	if (!Number.isSafeInteger(pid) || pid < 1) return null;
	for (const source of sources) {
		const found = source(pid);
		if (found === 'gone') return null;
		if (found) return { pid, startTime: found.startTime };
	}
	return isTaken(pid) ? { pid, startTime: UNKNOWN_START } : null;
}

/** Whether this very process still lives. Where the start is unknown nothing is recognised: it could be anybody. */
export function isSame(identity: Identity, sources = SOURCES): boolean {
	return identity.startTime !== UNKNOWN_START && readIdentity(identity.pid, sources)?.startTime === identity.startTime;
}

/** Whether a process with that pid runs. Reads only /proc, where there is one, so it is cheap enough to ask often. */
export function isAlive(pid: number): boolean {
	return isTaken(pid) && readProcStart(pid) !== 'gone';
}

/** Whether the pid is in use, also by a process that has ended and is not collected yet. */
export function isTaken(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch (cause) {
		return hasCode(cause, 'EPERM');
	}
}

/** Linux. Ticks count from the start of the machine, so they only mean something together with which start that was. */
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
