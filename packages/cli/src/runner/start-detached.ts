// Starts a runner in the background and resolves when it is reachable.
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { setAside } from '@roost/core/process/loader-variables';
import { runnerEnvironment } from '@roost/core/runtime/child-environment';
import { type Home, logPath } from '@roost/home/home';
import { rotateLog } from '@roost/home/rotate-log';
import { type RunningRunner, readRunnerFile } from '@roost/home/runner-file';
import { killProcess } from '@roost/machine/end-process';
import { hasCode } from '@roost/machine/error-code';
import { openPrivateLog } from '@roost/machine/private-file';
import { readIdentity } from '@roost/machine/process-identity';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';

export type DetachedOptions = {
	home: Home;
	/** Absolute paths: the runner does not run in the caller's directory. */
	argv: readonly [string, ...string[]];
	env: NodeJS.ProcessEnv;
	deadlineMs?: number;
};

/** Long for slow machines; a runner that fails is reported at once. */
const DEADLINE_MS = 30_000;
const LOOK_MS = 20;
/** Time between taking the lock of the record and writing the runner file. */
const SETTLE_MS = 500;
const SHOWN_LINES = 10;
const SHOWN_BYTES = 8 * 1024;

/** The running runner: an older one, the one started here, or one that another command started. */
export async function startDetached(options: DetachedOptions): Promise<Result<RunningRunner>> {
	const { home, deadlineMs = DEADLINE_MS } = options;
	const before = readRunnerFile(home);
	if (!before.ok) return before;
	if (before.value) return ok(before.value);
	const deadline = performance.now() + deadlineMs;
	for (;;) {
		const attempt = await startOne(options, deadline);
		if (attempt !== 'lost') return attempt;
	}
}

/** `lost`: another process held the record and released it without being up, such as a runner that was ending. */
type Attempt = Result<RunningRunner> | 'lost';

async function startOne(options: DetachedOptions, deadline: number): Promise<Attempt> {
	const path = logPath(options.home);
	const rotated = rotateLog(path);
	if (!rotated.ok) return rotated;
	const log = openPrivateLog(path);
	if (!log.ok) return log;
	const logStart = fstatSync(log.value).size;
	const child = spawnRunner(options, log.value);
	closeSync(log.value);
	return await waitUntilUp({ home: options.home, child, deadline, readLog: () => readLastLines(path, logStart) });
}

function spawnRunner({ home, argv, env }: DetachedOptions, log: number): ChildProcess {
	const [program, ...args] = argv;
	// `detached` gives the runner a process session of its own.
	const child = spawn(program, args, {
		cwd: home.data,
		env: setAside(runnerEnvironment(env)),
		detached: true,
		stdio: ['ignore', log, log],
	});
	child.unref();
	return child;
}

type Waiting = { home: Home; child: ChildProcess; deadline: number; readLog: () => string };

async function waitUntilUp({ home, child, deadline, readLog }: Waiting): Promise<Attempt> {
	const ending = watchEnd(child);
	let sawHolder = false;
	while (performance.now() < deadline) {
		// Checked before the file is read, so that an exit right after writing it is not taken for a failure.
		const end = ending();
		const running = readRunnerFile(home);
		if (!running.ok) return running;
		if (running.value) return ok(running.value);
		const holder = readHolder(home);
		if (holder !== null && holder !== child.pid) sawHolder = true;
		else if (end && sawHolder) return 'lost';
		else if (end && performance.now() - end.at > SETTLE_MS) return err(notUp('cannot_start', end.how, readLog()));
		await delay(LOOK_MS);
	}
	// A runner that only half started would hold the record. Killed, it may be restarted.
	const half = child.pid !== undefined && ending() === null ? readIdentity(child.pid) : null;
	if (half) await killProcess(half);
	return err(notUp('timed_out', 'it was not up in time', readLog()));
}

function watchEnd(child: ChildProcess): () => { at: number; how: string } | null {
	let end: { at: number; how: string } | null = null;
	const ended = (how: string) => {
		end ??= { at: performance.now(), how };
	};
	child.once('error', (cause) => ended(cause.message));
	child.once('exit', (code, signal) => ended(signal ? `it was ended by ${signal}` : `it ended with code ${code}`));
	return () => end;
}

/** The live process that holds the record. */
function readHolder(home: Home): number | null {
	try {
		return readIdentity(Number(readFileSync(`${home.database}.pid`, 'utf8')))?.pid ?? null;
	} catch (cause) {
		if (hasCode(cause, 'ENOENT')) return null;
		throw cause;
	}
}

/** A runner that cannot start reports the reason in its last line. */
function notUp(code: 'cannot_start' | 'timed_out', how: string, log: string): AppError {
	const [, reason] = /(?:^|\n)roost: (.+)$/.exec(log) ?? [];
	if (reason !== undefined) return new AppError(code, `The runner did not start. ${reason}`);
	return new AppError(code, `The runner did not start: ${how}. ${log ? `Output:\n${log}` : 'No output.'}`);
}

function readLastLines(path: string, from: number): string {
	const file = openSync(path, 'r');
	try {
		const { size } = fstatSync(file);
		const start = Math.max(from, size - SHOWN_BYTES);
		const bytes = Buffer.alloc(Math.max(size - start, 0));
		const read = readSync(file, bytes, 0, bytes.length, start);
		return bytes.toString('utf8', 0, read).trim().split('\n').slice(-SHOWN_LINES).join('\n');
	} finally {
		closeSync(file);
	}
}
