// Which process is meant: a pid is given again to others, a pid together with its start time is not.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { hasCode } from '@roost/machine/error-code';

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

/** Linux. Ticks count from the start of the machine, so they only mean something together with which start that was. */
export function readProcStart(pid: number): ReturnType<StartSource> {
	const boot = readProc('sys/kernel/random/boot_id');
	if (boot === null) return null;
	const stat = readProc(`${pid}/stat`);
	if (stat === null) return 'gone';
	// The program's name stands in brackets and may hold anything: fields are counted from the last bracket.
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	const [state, startTicks] = [fields[0], fields[19]];
	if (state === 'Z' || state === 'X') return 'gone';
	return startTicks === undefined ? null : { startTime: `${boot.trim()}:${startTicks}` };
}

/** macOS and the BSDs. Language and time zone are fixed, so that the same start is always the same text. */
export function readPsStart(pid: number): ReturnType<StartSource> {
	const env = { LC_ALL: 'C', TZ: 'UTC' };
	const { status, stdout } = spawnSync('/bin/ps', ['-o', 'stat=', '-o', 'lstart=', '-p', String(pid)], { env, encoding: 'utf8' });
	if (status === null) return null;
	const [state, ...start] = stdout.trim().split(/\s+/);
	if (status !== 0 || !state) return isTaken(pid) ? null : 'gone';
	return state.startsWith('Z') ? 'gone' : { startTime: start.join(' ') };
}

function readProc(name: string): string | null {
	try {
		return readFileSync(`/proc/${name}`, 'utf8');
	} catch (cause) {
		// ESRCH: it ended while it was read.
		if (hasCode(cause, 'ENOENT', 'ESRCH', 'ENOTDIR', 'EACCES')) return null;
		throw cause;
	}
}

function isTaken(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch (cause) {
		return hasCode(cause, 'EPERM');
	}
}
