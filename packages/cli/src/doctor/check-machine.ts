// What Roost needs of this machine: disk space, a recent Node, a correct clock, git and tmux.
import { execFile } from 'node:child_process';
import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { withoutRoost } from '@roost/core/runtime/child-environment';
import { hasCode } from '@roost/machine/error-code';
import { findProgram } from '@roost/machine/find-program';
import { isRecentEnough, OLDEST_TMUX } from '@roost/machine/tmux/run-tmux';
import { fail, fine, type Outcome, warn } from './finding.ts';

const MB = 1024 * 1024;
const TOO_LITTLE = 100 * MB;
const LITTLE = 1024 * MB;

export function checkDisk(directory: string, freeBytes = readFreeBytes): Outcome[] {
	const free = freeBytes(directory);
	const says = `${toSize(free)} free at ${directory}`;
	const remedy = 'Free some space on that disk, or set ROOST_HOME to a directory on another one.';
	if (free < TOO_LITTLE) return [fail(`only ${says}`, remedy)];
	return [free < LITTLE ? warn(`only ${says}`, remedy) : fine(says)];
}

function toSize(bytes: number): string {
	return bytes < 10 * LITTLE ? `${Math.floor(bytes / MB)} MB` : `${Math.floor(bytes / LITTLE)} GB`;
}

/** For a directory that does not exist yet: where it will be created. */
function readFreeBytes(directory: string): number {
	try {
		const { bavail, bsize } = statfsSync(directory);
		return bavail * bsize;
	} catch (cause) {
		if (!hasCode(cause, 'ENOENT') || dirname(directory) === directory) throw cause;
		return readFreeBytes(dirname(directory));
	}
}

const OLDEST = 24;

export function checkNode(version: string): Outcome[] {
	const major = Number(version.split('.')[0]);
	if (major >= OLDEST) return [fine(version)];
	return [fail(`${version} is too old`, `Run Roost with Node ${OLDEST} or newer; the "roost" script of a checkout fetches it.`)];
}

type ClockReading = {
	now: number;
	/** Expected time, counted from the start of this process. */
	expected: number;
	/** Events that must be in the past. */
	past: readonly { what: string; at: number }[];
};

const TOLERANCE_MS = 60_000;
const STEP_MS = 2_000;

/** Deadlines and recorded times depend on the clock. */
export function checkClock({ now, expected, past }: ClockReading): Outcome[] {
	const time = new Date(now).toISOString();
	const remedy = 'Set the clock of this machine, best by a time service, and restart the runner.';
	const ahead = past.find(({ at }) => at > now + TOLERANCE_MS);
	if (ahead) return [fail(`it says ${time}, which is before ${ahead.what}`, remedy)];
	if (Math.abs(now - expected) > STEP_MS) return [warn(`it was set to ${time} just now`, remedy)];
	return [fine(time)];
}

const run = promisify(execFile);
const TIMEOUT_MS = 20_000;

type Program = {
	name: string;
	versionFlag: string;
	missing: Outcome;
	/** Called with the version output; returns the problem, or null. */
	refuse?: (text: string) => Outcome | null;
};

export async function checkGit(env: NodeJS.ProcessEnv): Promise<Outcome[]> {
	const remedy = 'Install git and put it on your PATH.';
	const missing = fail('it is not on your PATH, so that rules of a project do not apply in its other directories', remedy);
	return checkProgram({ name: 'git', versionFlag: '--version', missing }, env);
}

export async function checkTmux(env: NodeJS.ProcessEnv, isWanted: boolean): Promise<Outcome[]> {
	const missing = isWanted
		? fail('it is not on your PATH, but pty.useTmux is on', 'Install tmux, or set pty.useTmux to false.')
		: fine('not there; it is needed only with pty.useTmux');
	const refuse = (text: string) => (isRecentEnough(text) ? null : tooOld(text, isWanted));
	return checkProgram({ name: 'tmux', versionFlag: '-V', missing, refuse }, env);
}

function tooOld(text: string, isWanted: boolean): Outcome {
	return isWanted
		? fail(
				`${text} is too old: Roost needs ${OLDEST_TMUX} or later`,
				`Install tmux ${OLDEST_TMUX} or later, or set pty.useTmux to false.`,
			)
		: fine(`${text} is there; pty.useTmux would need ${OLDEST_TMUX} or later`);
}

async function checkProgram({ name, versionFlag, missing, refuse }: Program, env: NodeJS.ProcessEnv): Promise<Outcome[]> {
	const path = findProgram(name, env);
	if (!path) return [missing];
	try {
		const { stdout } = await run(path, [versionFlag], { env: withoutRoost(env), timeout: TIMEOUT_MS });
		const text = stdout.trim().split('\n')[0] ?? '';
		return [refuse?.(text) ?? fine(`${text} at ${path}`)];
	} catch (cause) {
		const why = cause instanceof Error ? cause.message.split('\n')[0] : String(cause);
		return [fail(`${path} does not run: ${why}`, `Run "${path} ${versionFlag}" yourself, and reinstall it if that fails too.`)];
	}
}
