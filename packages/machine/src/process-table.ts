// The process table: /proc on Linux, ps elsewhere.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { hasCode } from './error-code.ts';

export type ProcessStat = {
	/** One letter. */
	state: string;
	parent: number;
	group: number;
	/** Of its terminal; unchanged when a process loses its parent. */
	session: number;
	/** The foreground process group of its terminal. */
	foreground: number;
	/** Since boot. */
	startTicks: string | undefined;
};

export type Relation = { pid: number; parent: number; session: number };

/** Linux. Null if it is gone or not readable. */
export function readStat(pid: number | 'self'): ProcessStat | null {
	const stat = readProc(`${pid}/stat`);
	if (stat === null) return null;
	// The program's name is in parentheses and may contain anything: fields start after the last parenthesis.
	const [state = '', ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	const [parent = 0, group = 0, session = 0, , foreground = 0] = fields.slice(0, 5).map(Number);
	return { state, parent, group, session, foreground, startTicks: fields[18] };
}

/** A zombie. */
export function hasEnded({ state }: ProcessStat): boolean {
	return state === 'Z' || state === 'X';
}

export function hasProc(): boolean {
	return process.platform === 'linux' && existsSync('/proc/self/stat');
}

/** Empty without /proc. */
export function listPids(): number[] {
	return hasProc() ? readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : [])) : [];
}

/** Linux. The initial environment as `NAME=value`; empty if not readable. */
export function readEnvironment(pid: number): string[] {
	return (readProc(`${pid}/environ`) ?? '').split('\0');
}

/** A file below /proc; null if it is gone or not readable. */
export function readProc(name: string): string | null {
	try {
		return readFileSync(`/proc/${name}`, 'utf8');
	} catch (cause) {
		// ESRCH: the process ended during the read.
		if (hasCode(cause, 'ENOENT', 'ESRCH', 'EACCES', 'EPERM', 'ENOTDIR')) return null;
		throw cause;
	}
}

/** macOS and the BSDs. Locale and time zone are fixed, so that the output is stable. */
export function runPs(args: readonly string[]): { status: number | null; stdout: string } {
	// Loaded on demand: every command reads the process table, but few systems need ps.
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

/** Uses the process group, because not every ps has the session. */
function readPsRelations(): readonly Relation[] {
	const { stdout } = runPs(['-A', '-o', 'pid=', '-o', 'ppid=', '-o', 'pgid=']);
	return stdout.split('\n').flatMap((line) => {
		const [pid, parent, session] = line.trim().split(/\s+/).map(Number);
		return pid && parent !== undefined && session !== undefined ? [{ pid, parent, session }] : [];
	});
}

/** The parent of a pid; 0 if there is none. */
type ParentOf = (pid: number) => number;

/** Stops if the table changes during the read. */
const MAX_DEPTH = 256;

/** The process itself and its ancestors, up to the first that cannot be read. */
export function ancestorsOf(pid: number, parentOf: ParentOf = hasProc() ? readProcParent : psParents()): number[] {
	const line: number[] = [];
	for (let at = pid; at > 0 && line.length < MAX_DEPTH; at = parentOf(at)) line.push(at);
	return line;
}

export function readProcParent(pid: number): number {
	return readStat(pid)?.parent ?? 0;
}

export function psParents(): ParentOf {
	const parents = new Map(readPsRelations().map(({ pid, parent }) => [pid, parent]));
	return (pid) => parents.get(pid) ?? 0;
}
