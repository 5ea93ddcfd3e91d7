// The programs Roost works with: git and tmux, each with its version.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { withoutRoost } from '@roost/core/runtime/child-environment';
import { findProgram } from '@roost/machine/find-program';
import { isRecentEnough, OLDEST_TMUX } from '@roost/machine/tmux/run-tmux';
import { fail, fine, type Said } from './finding.ts';

const run = promisify(execFile);
const TIMEOUT_MS = 20_000;

type Program = {
	name: string;
	versionFlag: string;
	missing: Said;
	/** Told what it says of its version; what is wrong with that, or null. */
	refuse?: (said: string) => Said | null;
};

export async function checkGit(env: NodeJS.ProcessEnv): Promise<Said[]> {
	const remedy = 'Install git and put it on your PATH.';
	const missing = fail('it is not on your PATH, so that rules of a project do not hold in its other directories', remedy);
	return checkProgram({ name: 'git', versionFlag: '--version', missing }, env);
}

export async function checkTmux(env: NodeJS.ProcessEnv, isWanted: boolean): Promise<Said[]> {
	const missing = isWanted
		? fail('it is not on your PATH, but pty.useTmux is on', 'Install tmux, or set pty.useTmux to false.')
		: fine('not there; it is needed only with pty.useTmux');
	const refuse = (said: string) => (isRecentEnough(said) ? null : tooOld(said, isWanted));
	return checkProgram({ name: 'tmux', versionFlag: '-V', missing, refuse }, env);
}

function tooOld(said: string, isWanted: boolean): Said {
	return isWanted
		? fail(
				`${said} is too old: Roost needs ${OLDEST_TMUX} or later`,
				`Install tmux ${OLDEST_TMUX} or later, or set pty.useTmux to false.`,
			)
		: fine(`${said} is there; pty.useTmux would need ${OLDEST_TMUX} or later`);
}

async function checkProgram({ name, versionFlag, missing, refuse }: Program, env: NodeJS.ProcessEnv): Promise<Said[]> {
	const path = findProgram(name, env);
	if (!path) return [missing];
	try {
		const { stdout } = await run(path, [versionFlag], { env: withoutRoost(env), timeout: TIMEOUT_MS });
		const said = stdout.trim().split('\n')[0] ?? '';
		return [refuse?.(said) ?? fine(`${said} at ${path}`)];
	} catch (cause) {
		const why = cause instanceof Error ? cause.message.split('\n')[0] : String(cause);
		return [
			fail(`${path} does not run: ${why}`, `Run "${path} ${versionFlag}" yourself, and install it anew if that fails too.`),
		];
	}
}
