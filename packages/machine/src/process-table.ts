// The processes of this machine, as the system tells of them: /proc on Linux, ps elsewhere.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { hasCode } from './error-code.ts';

export type ProcessStat = {
	/** One letter. */
	state: string;
	parent: number;
	group: number;
	/** That of its terminal: it stays when a process loses its parent. */
	session: number;
	/** The process group in the foreground of its terminal. */
	foreground: number;
	/** Counted from the start of the machine. */
	startTicks: string | undefined;
};

export type Relation = { pid: number; parent: number; session: number };

/** Linux. Null where it is gone, or not ours to read. */
export function readStat(pid: number | 'self'): ProcessStat | null {
	const stat = readProc(`${pid}/stat`);
	if (stat === null) return null;
	// The program's name stands in brackets and may hold anything: fields are counted from the last bracket.
	const [state = '', ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	const [parent = 0, group = 0, session = 0, , foreground = 0] = fields.slice(0, 5).map(Number);
	return { state, parent, group, session, foreground, startTicks: fields[18] };
}

/** It is listed, but has ended and was not yet collected. */
export function hasEnded({ state }: ProcessStat): boolean {
	return state === 'Z' || state === 'X';
}

export function hasProc(): boolean {
	return process.platform === 'linux' && existsSync('/proc/self/stat');
}

/** None where there is no /proc. */
export function listPids(): number[] {
	return hasProc() ? readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : [])) : [];
}

/** Linux. The environment as it was when the process began, `NAME=value` each; empty where it is not ours to read. */
export function readEnvironment(pid: number): string[] {
	return (readProc(`${pid}/environ`) ?? '').split('\0');
}

/** A file below /proc; null where it is gone, or not ours to read. */
export function readProc(name: string): string | null {
	try {
		return readFileSync(`/proc/${name}`, 'utf8');
	} catch (cause) {
		// ESRCH: the process ended while it was read.
		if (hasCode(cause, 'ENOENT', 'ESRCH', 'EACCES', 'EPERM', 'ENOTDIR')) return null;
		throw cause;
	}
}

/** macOS and the BSDs. Language and time zone are fixed, so that the same fact is always the same text. */
export function runPs(args: readonly string[]): { status: number | null; stdout: string } {
	// Every command reads processes, and few systems need this for it.
	const { spawnSync } = process.getBuiltinModule('node:child_process');
	const env = { LC_ALL: 'C', TZ: 'UTC' };
	const { status, stdout } = spawnSync('/bin/ps', args, { env, encoding: 'utf8' });
	return { status, stdout: stdout ?? '' };
}

export function readRelations(): readonly Relation[] {
	if (!hasProc()) return readPsRelations();
	return listPids().flatMap((pid) => {
		const stat = readStat(pid);
		return stat ? [{ pid, parent: stat.parent, session: stat.session }] : [];
	});
}

/** ps does not tell the session everywhere; the process group stands for it. */
function readPsRelations(): readonly Relation[] {
	const { stdout } = runPs(['-A', '-o', 'pid=', '-o', 'ppid=', '-o', 'pgid=']);
	return stdout.split('\n').flatMap((line) => {
		const [pid, parent, session] = line.trim().split(/\s+/).map(Number);
		return pid && parent !== undefined && session !== undefined ? [{ pid, parent, session }] : [];
	});
}

/** The parent of a pid; 0 where there is none, or it is gone. */
type ParentOf = (pid: number) => number;

/** No tree of processes is deeper; one that seems to be changes while it is read. */
const MAX_DEPTH = 256;

/** The processes that a process descends from, itself first, up to the first that cannot be read. */
export function ancestorsOf(pid: number, parentOf: ParentOf = hasProc() ? readProcParent : psParents()): number[] {
	const line: number[] = [];
	for (let at = pid; at > 0 && line.length < MAX_DEPTH; at = parentOf(at)) line.push(at);
	return line;
}

export function readProcParent(pid: number): number {
	return readStat(pid)?.parent ?? 0;
}

/** One look at all of them. */
export function psParents(): ParentOf {
	const parents = new Map(readPsRelations().map(({ pid, parent }) => [pid, parent]));
	return (pid) => parents.get(pid) ?? 0;
}
