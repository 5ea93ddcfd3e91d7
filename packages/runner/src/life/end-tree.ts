// Ends a process and everything it started, in two steps; only ever the very processes that were meant.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { readProcParent } from './ancestors.ts';
import { hasCode } from './private-file.ts';
import { type Identity, isSame, readIdentity } from './process-identity.ts';

const GRACE_MS = 2_000;
const LOOK_MS = 20;

/** False where something of it is left: it belongs to somebody else, or the system holds it. */
export async function endTree(root: Identity, options: { graceMs?: number } = {}): Promise<boolean> {
	if (!isSame(root)) return true;
	const tree = [root, ...descendantsOf(root.pid)];
	signal(tree, 'SIGTERM');
	if (await isGoneWithin(tree, options.graceMs ?? GRACE_MS)) return true;
	signal(tree, 'SIGKILL');
	return await isGoneWithin(tree, GRACE_MS);
}

/** Looked for before anything ends: a child whose parent is gone can no longer be told from others. */
function descendantsOf(root: number): Identity[] {
	const children = Map.groupBy(parents(), ({ parent }) => parent);
	const found: Identity[] = [];
	for (const level = [root]; level.length > 0; ) {
		const at = level.pop() ?? 0;
		for (const { pid } of children.get(at) ?? []) {
			const identity = readIdentity(pid);
			if (identity) found.push(identity);
			level.push(pid);
		}
	}
	return found;
}

type Parentage = { pid: number; parent: number };

function parents(): Parentage[] {
	return existsSync('/proc/self/stat') ? procParents() : psParentage();
}

function procParents(): Parentage[] {
	const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
	return pids.flatMap((name) => {
		const parent = readProcParent(Number(name));
		return parent === null ? [] : [{ pid: Number(name), parent }];
	});
}

/** macOS and the BSDs. */
function psParentage(): Parentage[] {
	const { stdout } = spawnSync('/bin/ps', ['-A', '-o', 'pid=', '-o', 'ppid='], { env: { LC_ALL: 'C' }, encoding: 'utf8' });
	const pairs = (stdout ?? '').split('\n').map((line) => line.trim().split(/\s+/).map(Number));
	return pairs.flatMap(([pid, parent]) => (pid && parent ? [{ pid, parent }] : []));
}

function signal(processes: readonly Identity[], name: NodeJS.Signals): void {
	for (const one of processes) {
		try {
			if (isSame(one)) process.kill(one.pid, name);
		} catch (cause) {
			// It ended right now, or belongs to somebody else: whether it is gone is looked at afterwards.
			if (!hasCode(cause, 'ESRCH', 'EPERM')) throw cause;
		}
	}
}

async function isGoneWithin(processes: readonly Identity[], ms: number): Promise<boolean> {
	const deadline = performance.now() + ms;
	while (processes.some((one) => isSame(one))) {
		if (performance.now() >= deadline) return false;
		await delay(LOOK_MS);
	}
	return true;
}
