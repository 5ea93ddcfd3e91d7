// A temporary home and project for the demo, removed when it ends.
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureHome, resolveHome } from '@roost/home/home';
import { readRunnerState } from '@roost/home/runner-file';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';

type DemoHome = Disposable & {
	readonly env: Readonly<Record<string, string>>;
	/** Working directory of the scripted agents. */
	readonly folder: string;
};

const PREFIX = 'roost-demo-';
const ASK_MS = 60_000;
const ENDINGS = ['SIGTERM', 'SIGHUP'] as const;

/** `askMs`: how long a request waits before the scripted agent continues. */
export function makeDemoHome(env: NodeJS.ProcessEnv, { askMs = ASK_MS }: { askMs?: number } = {}): Result<DemoHome> {
	removeAbandoned();
	try {
		const path = realpathSync(mkdtempSync(join(tmpdir(), PREFIX)));
		const folder = join(path, 'demo');
		// Beside the folder: agents may not touch Roost's home.
		const home = join(path, 'home');
		for (const made of [folder, home]) mkdirSync(made, { mode: 0o700 });
		writeFileSync(join(home, 'config.yaml'), `sdk:\n  approvalTimeoutMs: ${askMs}\n`, { mode: 0o600 });
		// Without other settings of the user, such as port, token or hub.
		const own = { PATH: env.PATH ?? '', HOME: path, ROOST_HOME: home, ROOST_PORT: '0' };
		return ok({ env: own, folder, ...removing(path) });
	} catch (cause) {
		const message = `The demo needs a folder under ${tmpdir()}, which cannot be made: set TMPDIR to one that can be written to.`;
		return err(new AppError('cannot_start', message, { cause }));
	}
}

/** Also removes it when the process is terminated by a signal. */
function removing(path: string): Disposable {
	const remove = () => rmSync(path, { recursive: true, force: true, maxRetries: 3 });
	function end(signal: NodeJS.Signals): void {
		remove();
		// Other listeners may still have to clean up; the last one lets the signal take effect.
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

/** Removes homes of demos that were killed. */
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
		// The directory can be entered but not listed.
		return [];
	}
}
