// Where the demo lives: a home and a project of its own in the system's folder for temporary files, gone when it ends.
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureHome, resolveHome } from '@roost/home/home';
import { readRunnerState } from '@roost/home/runner-file';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';

type DemoHome = Disposable & {
	readonly env: Readonly<Record<string, string>>;
	/** An empty folder that the scripted agents are said to work in. */
	readonly folder: string;
};

const PREFIX = 'roost-demo-';
/** Long enough to read what is asked; then the agent goes on by itself. */
const ASK_MS = 60_000;
const ENDINGS = ['SIGTERM', 'SIGHUP'] as const;

export function makeDemoHome(env: NodeJS.ProcessEnv): Result<DemoHome> {
	removeAbandoned();
	try {
		const path = realpathSync(mkdtempSync(join(tmpdir(), PREFIX)));
		const folder = join(path, 'demo');
		// Beside the folder: agents may not touch a home of Roost's.
		const home = join(path, 'home');
		for (const made of [folder, home]) mkdirSync(made, { mode: 0o700 });
		writeFileSync(join(home, 'config.yaml'), `sdk:\n  approvalTimeoutMs: ${ASK_MS}\n`, { mode: 0o600 });
		// Nothing else of the user's: another port, token or hub is not the demo's business.
		const own = { PATH: env.PATH ?? '', HOME: path, ROOST_HOME: home, ROOST_PORT: '0' };
		return ok({ env: own, folder, ...removing(path) });
	} catch (cause) {
		const message = `The demo needs a folder under ${tmpdir()}, which cannot be made: set TMPDIR to one that can be written to.`;
		return err(new AppError('cannot_start', message, { cause }));
	}
}

/** Also where the process ends in a hurry: a window that is closed says no more than a signal. */
function removing(path: string): Disposable {
	const remove = () => rmSync(path, { recursive: true, force: true, maxRetries: 3 });
	function end(signal: NodeJS.Signals): void {
		remove();
		// Somebody else may have more to put in order; whoever is last lets the signal have its way.
		if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
	}
	process.once('exit', remove);
	for (const signal of ENDINGS) process.once(signal, end);
	return {
		[Symbol.dispose]() {
			process.off('exit', remove);
			for (const signal of ENDINGS) process.off(signal, end);
			remove();
		},
	};
}

/** Of demos that were killed. What belongs to others, or to a demo that runs, stays. */
function removeAbandoned(): void {
	for (const name of namesIn(tmpdir()).filter((name) => name.startsWith(PREFIX))) {
		const path = join(tmpdir(), name);
		const home = resolveHome({ ROOST_HOME: join(path, 'home') });
		if (!home.ok || !ensureHome(home.value).ok) continue;
		const state = readRunnerState(home.value);
		if (state.ok && state.value === 'killed') rmSync(path, { recursive: true, force: true });
	}
}

function namesIn(directory: string): string[] {
	try {
		return readdirSync(directory);
	} catch {
		// It may be entered, but not be read: then there is nothing to clean up either.
		return [];
	}
}
