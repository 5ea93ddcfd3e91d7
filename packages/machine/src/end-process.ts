// Ends processes in two steps, SIGTERM and then SIGKILL, and never signals another process with a reused pid.
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { hasCode } from './error-code.ts';
import { type Identity, isSame, readIdentity } from './process-identity.ts';
import { type Relation, readRelations } from './process-table.ts';

/** `gone`: it had already ended. */
export type EndOutcome = 'gone' | 'stopped' | 'killed';

const GRACE_MS = 5_000;
const TREE_GRACE_MS = 2_000;
const POLL_MS = 20;

export async function endProcess(target: Identity, options: { graceMs?: number } = {}): Promise<Result<EndOutcome>> {
	const asked = send(target, 'SIGTERM');
	if (asked === 'refused') return notOurs(target);
	if (asked === 'gone') return ok('gone');
	if (await areGoneWithin([target], options.graceMs ?? GRACE_MS)) return ok('stopped');
	return await killProcess(target);
}

export async function killProcess(target: Identity): Promise<Result<EndOutcome>> {
	if (send(target, 'SIGKILL') === 'refused') return notOurs(target);
	if (await areGoneWithin([target], GRACE_MS)) return ok('killed');
	return err(new AppError('timed_out', `Process ${target.pid} does not exit after SIGKILL.`));
}

/** Ends a process with all its descendants. Resolves when all have exited; false if one survives SIGKILL. */
export async function endTree(root: Identity, options: { graceMs?: number } = {}): Promise<boolean> {
	if (!isSame(root)) return true;
	const asked = findTree(root.pid);
	// Shells exit on SIGHUP, most other programs on SIGTERM.
	for (const member of asked) for (const signal of ['SIGHUP', 'SIGTERM', 'SIGCONT'] as const) send(member, signal);
	if (await areGoneWithin(asked, options.graceMs ?? TREE_GRACE_MS)) return true;
	const left = [...asked.filter((member) => isSame(member)), ...asked.flatMap(({ pid }) => findTree(pid))];
	for (const member of left) send(member, 'SIGKILL');
	return await areGoneWithin(left, TREE_GRACE_MS);
}

/** Waits for a process and its descendants to exit; returns those that are left after the time. */
export async function stillThere(root: Identity, ms: number): Promise<readonly Identity[]> {
	// Listed first: descendants cannot be found once their parent is gone.
	const tree = isSame(root) ? findTree(root.pid) : [];
	await areGoneWithin(tree, ms);
	return tree.filter((member) => isSame(member));
}

/** The process, its descendants, and processes of its terminal session that lost their parent. */
function findTree(root: number): readonly Identity[] {
	return treeOf(root, readRelations()).flatMap((pid) => readIdentity(pid) ?? []);
}

export function treeOf(root: number, relations: readonly Relation[]): readonly number[] {
	const found = new Set([root]);
	// Parents may be listed after their children, so this repeats until nothing new is found.
	for (let before = 0; before !== found.size; ) {
		before = found.size;
		for (const { pid, parent, session } of relations) if (found.has(parent) || session === root) found.add(pid);
	}
	return [...found];
}

/** Checks the identity first, because the pid may be reused. `refused`: it belongs to another user. */
function send(target: Identity, signal: NodeJS.Signals): 'sent' | 'gone' | 'refused' {
	if (!isSame(target)) return 'gone';
	try {
		process.kill(target.pid, signal);
		return 'sent';
	} catch (cause) {
		if (hasCode(cause, 'ESRCH')) return 'gone';
		if (hasCode(cause, 'EPERM')) return 'refused';
		throw cause;
	}
}

async function areGoneWithin(targets: readonly Identity[], ms: number): Promise<boolean> {
	const deadline = performance.now() + ms;
	while (targets.some((target) => isSame(target))) {
		if (performance.now() >= deadline) return false;
		await delay(POLL_MS);
	}
	return true;
}

function notOurs({ pid }: Identity): Result<never> {
	return err(new AppError('internal', `Process ${pid} belongs to another user and cannot be signalled.`));
}
