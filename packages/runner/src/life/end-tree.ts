// A program with everything it started, found and ended: asked first, made to afterwards.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { hasCode } from '@roost/machine/error-code';
import { type Identity, isSame, readIdentity } from './process-identity.ts';

/** `session` is that of the terminal: it stays when a process loses its parent. */
export type Relation = { pid: number; parent: number; session: number };

const GRACE_MS = 2_000;
const KILL_MS = 2_000;
const LOOK_MS = 20;

/** Comes back when all of them are gone; false where the system itself holds one of them. */
export async function endTree(root: Identity, options: { graceMs?: number } = {}): Promise<boolean> {
	if (!isSame(root)) return true;
	const asked = findTree(root.pid);
	// A shell ends by the first, which is what a closed terminal sends; most others by the second.
	for (const member of asked) for (const signal of ['SIGHUP', 'SIGTERM', 'SIGCONT'] as const) send(member, signal);
	if (await areGoneWithin(asked, options.graceMs ?? GRACE_MS)) return true;
	const left = [...asked.filter((member) => isSame(member)), ...asked.flatMap(({ pid }) => findTree(pid))];
	for (const member of left) send(member, 'SIGKILL');
	return await areGoneWithin(left, KILL_MS);
}

/** Of a program that was told to end, with everything it has started: who is still there after that time. */
export async function stillThere(root: Identity, ms: number): Promise<readonly Identity[]> {
	// Looked for now: what a program started cannot be told once it is gone.
	const told = isSame(root) ? findTree(root.pid) : [];
	await areGoneWithin(told, ms);
	return told.filter((member) => isSame(member));
}

/** The program, its descendants, and what runs in its terminal session although its parents are gone. */
function findTree(root: number): readonly Identity[] {
	return treeOf(root, readRelations()).flatMap((pid) => readIdentity(pid) ?? []);
}

export function treeOf(root: number, relations: readonly Relation[]): readonly number[] {
	const found = new Set([root]);
	// Parents may stand after their children, so it is looked through until nothing new turns up.
	for (let before = 0; before !== found.size; ) {
		before = found.size;
		for (const { pid, parent, session } of relations) if (found.has(parent) || session === root) found.add(pid);
	}
	return [...found];
}

function readRelations(): readonly Relation[] {
	return existsSync('/proc/self/stat') ? readProcRelations() : readPsRelations();
}

/** Linux. The program's name stands in brackets and may hold anything: fields are counted from the last bracket. */
function readProcRelations(): readonly Relation[] {
	const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
	return pids.flatMap((pid) => {
		const stat = readStat(pid);
		const [, parent, , session] = stat
			.slice(stat.lastIndexOf(')') + 2)
			.split(' ')
			.map(Number);
		return parent === undefined || session === undefined ? [] : [{ pid: Number(pid), parent, session }];
	});
}

function readStat(pid: string): string {
	try {
		return readFileSync(`/proc/${pid}/stat`, 'utf8');
	} catch (cause) {
		if (hasCode(cause, 'ENOENT', 'ESRCH', 'EACCES')) return '';
		throw cause;
	}
}

/** macOS and the BSDs do not tell the session; the process group stands for it. */
function readPsRelations(): readonly Relation[] {
	const columns = ['-A', '-o', 'pid=', '-o', 'ppid=', '-o', 'pgid='];
	const { stdout } = spawnSync('/bin/ps', columns, { env: { LC_ALL: 'C' }, encoding: 'utf8' });
	return (stdout ?? '').split('\n').flatMap((line) => {
		const [pid, parent, session] = line.trim().split(/\s+/).map(Number);
		return pid && parent !== undefined && session !== undefined ? [{ pid, parent, session }] : [];
	});
}

/** Looks once more right before, since the pid may have been given to another. */
function send(member: Identity, signal: NodeJS.Signals): void {
	if (!isSame(member)) return;
	try {
		process.kill(member.pid, signal);
	} catch (cause) {
		// It ended meanwhile, or runs as another user and is not ours to end.
		if (!hasCode(cause, 'ESRCH', 'EPERM')) throw cause;
	}
}

async function areGoneWithin(members: readonly Identity[], ms: number): Promise<boolean> {
	const deadline = performance.now() + ms;
	while (members.some((member) => isSame(member))) {
		if (performance.now() >= deadline) return false;
		await delay(LOOK_MS);
	}
	return true;
}
