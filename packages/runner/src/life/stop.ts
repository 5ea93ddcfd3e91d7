// Ends one process in two steps, first asked and then made to; only ever the very process that was meant.
import { setTimeout as delay } from 'node:timers/promises';
import { hasCode } from '@roost/machine/error-code';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { resolveHome } from '../home.ts';
import { type Identity, isSame } from './process-identity.ts';
import { removeRunnerFile } from './runner-file.ts';

/** `gone`: it had ended before. */
export type StopOutcome = 'gone' | 'stopped' | 'killed';

const GRACE_MS = 5_000;
const LOOK_MS = 20;

export async function stopRunner(running: Identity, options: { graceMs?: number } = {}): Promise<Result<StopOutcome>> {
	const { graceMs = GRACE_MS } = options;
	const asked = signal(running, 'SIGTERM');
	if (!asked.ok) return asked;
	if (!asked.value) return ok('gone');
	if (await isGoneWithin(running, graceMs)) return ok('stopped');
	return await killRunner(running);
}

/** Made to at once: it leaves everything as a crash would, also the sign that it was there. */
export async function killRunner(running: Identity): Promise<Result<StopOutcome>> {
	const made = signal(running, 'SIGKILL');
	if (!made.ok) return made;
	if (await isGoneWithin(running, GRACE_MS)) return ok('killed');
	return err(new AppError('timed_out', `Process ${running.pid} does not end although it was killed: the system holds it.`));
}

/** As somebody wishes it: whoever brings killed runners back must not bring this one back. */
export async function takeDown(
	env: NodeJS.ProcessEnv,
	running: Identity,
	options: { graceMs?: number } = {},
): Promise<Result<StopOutcome>> {
	const home = resolveHome(env);
	if (!home.ok) return home;
	const stopped = await stopRunner(running, options);
	if (!stopped.ok || stopped.value !== 'killed') return stopped;
	const removed = removeRunnerFile(home.value);
	return removed.ok ? stopped : removed;
}

/** False when it is gone. Looks once more right before, since the pid may have been given to another. */
function signal(running: Identity, name: NodeJS.Signals): Result<boolean> {
	if (!isSame(running)) return ok(false);
	try {
		return ok(process.kill(running.pid, name));
	} catch (cause) {
		if (hasCode(cause, 'ESRCH')) return ok(false);
		return err(new AppError('internal', `Process ${running.pid} may not be signalled by this user.`, { cause }));
	}
}

async function isGoneWithin(running: Identity, ms: number): Promise<boolean> {
	const deadline = performance.now() + ms;
	while (isSame(running)) {
		if (performance.now() >= deadline) return false;
		await delay(LOOK_MS);
	}
	return true;
}
