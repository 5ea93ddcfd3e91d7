// The processes that a process descends from, itself first, up to the first that cannot be read.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { hasCode } from '@roost/machine/error-code';

/** The parent of a pid; null where there is none, or it is gone. */
type ParentOf = (pid: number) => number | null;

/** No tree of processes is deeper; one that seems to be changes while it is read. */
const MAX_DEPTH = 256;

export function ancestorsOf(pid: number, parentOf: ParentOf = systemParents()): number[] {
	const line: number[] = [];
	for (let at: number | null = pid; at !== null && at > 0 && line.length < MAX_DEPTH; at = parentOf(at)) line.push(at);
	return line;
}

function systemParents(): ParentOf {
	return existsSync('/proc/self/stat') ? readProcParent : psParents();
}

/** Linux. The program's name stands in brackets and may hold anything: fields are counted from the last bracket. */
export function readProcParent(pid: number): number | null {
	try {
		const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
		return toPid(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
	} catch (cause) {
		if (hasCode(cause, 'ENOENT', 'ESRCH', 'EACCES')) return null;
		throw cause;
	}
}

/** macOS and the BSDs: one look at all of them. */
export function psParents(): ParentOf {
	const { stdout } = spawnSync('/bin/ps', ['-A', '-o', 'pid=', '-o', 'ppid='], { env: { LC_ALL: 'C' }, encoding: 'utf8' });
	const lines = (stdout ?? '').split('\n').map((line) => line.trim().split(/\s+/));
	const parents = new Map(lines.map(([pid, parent]) => [Number(pid), toPid(parent)]));
	return (pid) => parents.get(pid) ?? null;
}

function toPid(text: string | undefined): number | null {
	const pid = Number(text);
	return Number.isSafeInteger(pid) && pid > 0 ? pid : null;
}
