// Ends processes in two steps, first asked and then killed; only ever the very process that was meant.
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { hasCode } from './error-code.ts';
import { type Identity, isSame, readIdentity } from './process-identity.ts';
import { type Relation, readRelations } from './process-table.ts';

/** `gone`: it had ended before. */
export type EndOutcome = 'gone' | 'stopped' | 'killed';

const GRACE_MS = 5_000;
const TREE_GRACE_MS = 2_000;
const LOOK_MS = 20;

export async function endProcess(target: Identity, options: { graceMs?: number } = {}): Promise<Result<EndOutcome>> {
	const asked = send(target, 'SIGTERM');
	if (asked === 'refused') return notOurs(target);
	if (asked === 'gone') return ok('gone');
	if (await areGoneWithin([target], options.graceMs ?? GRACE_MS)) return ok('stopped');
	return await killProcess(target);
}

/** At once: it leaves everything as a crash would. */
export async function killProcess(target: Identity): Promise<Result<EndOutcome>> {
	if (send(target, 'SIGKILL') === 'refused') return notOurs(target);
	if (await areGoneWithin([target], GRACE_MS)) return ok('killed');
	return err(new AppError('timed_out', `Process ${target.pid} does not end although it was killed: the system holds it.`));
}

/** With everything it started. Comes back when all of them are gone; false where the system itself holds one of them. */
export async function endTree(root: Identity, options: { graceMs?: number } = {}): Promise<boolean> {
	if (!isSame(root)) return true;
	const asked = findTree(root.pid);
	// A shell ends by the first, which is what a closed terminal sends; most others by the second.
	for (const member of asked) for (const signal of ['SIGHUP', 'SIGTERM', 'SIGCONT'] as const) send(member, signal);
	if (await areGoneWithin(asked, options.graceMs ?? TREE_GRACE_MS)) return true;
	const left = [...asked.filter((member) => isSame(member)), ...asked.flatMap(({ pid }) => findTree(pid))];
	for (const member of left) send(member, 'SIGKILL');
	return await areGoneWithin(left, TREE_GRACE_MS);
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

/** Looks once more right before, since the pid may have been given to another. `refused`: it runs as another user. */
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
		await delay(LOOK_MS);
	}
	return true;
}

function notOurs({ pid }: Identity): Result<never> {
	return err(new AppError('internal', `Process ${pid} may not be signalled by this user.`));
}
