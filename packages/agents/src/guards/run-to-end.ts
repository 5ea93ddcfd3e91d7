// Runs a program that should end by itself, in a process group of its own, and ends it with everything it started when its time is up.
import { spawn } from 'node:child_process';
import { hasCode } from '@roost/machine/error-code';

const GRACE_MS = 2_000;
const TAIL = 300;

export type RunToEndOptions = {
	cwd: string;
	env: Readonly<Record<string, string>>;
	timeLimitMs: number;
	/** Its time is up at once. */
	signal?: AbortSignal | undefined;
};

/** How it ended, in words: its exit code and the last of what it said. */
export async function runToEnd(
	argv: readonly [string, ...string[]],
	{ cwd, env, timeLimitMs, signal }: RunToEndOptions,
): Promise<string> {
	const [file, ...args] = argv;
	const child = spawn(file, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
	let said = '';
	const hear = (text: string) => {
		said = (said + text).slice(-TAIL);
	};
	child.stdout.setEncoding('utf8').on('data', hear);
	child.stderr.setEncoding('utf8').on('data', hear);
	const ended = Promise.withResolvers<string>();
	child.once('error', (cause) => ended.resolve(cause.message));
	child.once('close', (code, signal) =>
		ended.resolve([`it ended with ${signal ?? code}`, said.trim()].filter(Boolean).join(': ')),
	);
	let late = '';
	let kill: NodeJS.Timeout | undefined;
	const stop = (why: string) => {
		if (kill) return;
		late = why;
		signalGroup(child.pid, 'SIGTERM');
		kill = setTimeout(() => {
			signalGroup(child.pid, 'SIGKILL');
			// Whatever left its group may hold these open for ever.
			child.stdout.destroy();
			child.stderr.destroy();
		}, GRACE_MS);
	};
	const limit = setTimeout(stop, timeLimitMs, 'it took too long; ');
	const abort = () => stop('it was stopped; ');
	if (signal?.aborted) abort();
	signal?.addEventListener('abort', abort, { once: true });
	const how = await ended.promise;
	signal?.removeEventListener('abort', abort);
	clearTimeout(limit);
	clearTimeout(kill);
	return late + how;
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
	if (pid === undefined) return;
	try {
		process.kill(-pid, signal);
	} catch (cause) {
		// Gone already.
		if (!hasCode(cause, 'ESRCH')) throw cause;
	}
}
