// Runs git in a directory that nobody vouches for: nothing that a repository configures is run, and no server is called.
import { type ExecFileException, execFile } from 'node:child_process';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';

/** Reads only. What git says on stdout; `unused` names filters of the repository that must not run. */
export type Git = (
	directory: string,
	args: readonly string[],
	options?: { unused?: readonly string[] },
) => Promise<Result<string>>;

const TIME_LIMIT_MS = 10_000;
const MOST_OUTPUT = 1024 * 1024;

/** Each of these would start a program that the repository names, or write to it. */
const SAFE = [
	'--no-pager',
	'--no-optional-locks',
	...['-c', 'core.hooksPath=/dev/null'],
	...['-c', 'core.fsmonitor='],
	...['-c', 'core.attributesFile=/dev/null'],
	...['-c', 'core.sshCommand=false'],
	...['-c', 'protocol.ext.allow=never'],
	...['-c', 'submodule.recurse=false'],
	...['-c', 'status.submoduleSummary=false'],
];

export const runGit: Git = (directory, args, { unused = [] } = {}) => {
	const { promise, resolve } = Promise.withResolvers<Result<string>>();
	const options = {
		encoding: 'utf8',
		env: environment(unused),
		timeout: TIME_LIMIT_MS,
		maxBuffer: MOST_OUTPUT,
		killSignal: 'SIGKILL',
	} as const;
	try {
		execFile('git', [...SAFE, '-C', directory, ...args], options, (failure, stdout, stderr) => {
			resolve(failure ? err(toGitError(failure, stderr)) : ok(stdout));
		});
	} catch (cause) {
		// A path with a NUL is no argument at all.
		resolve(err(new AppError('internal', 'git could not be started there.', { cause })));
	}
	return promise;
};

/** Whether git tracks the file; false as well where there is no repository or no git. */
export async function isTracked(directory: string, path: string): Promise<boolean> {
	return (await runGit(directory, ['ls-files', '--error-unmatch', '--', path])).ok;
}

/** Whether the next "git add" of everything would take the file along. */
export async function isUnignored(directory: string, path: string): Promise<boolean> {
	const asked = await runGit(directory, ['check-ignore', '--quiet', '--', path]);
	const cause = asked.ok ? undefined : asked.error.cause;
	return cause instanceof Error && 'code' in cause && cause.code === NOT_IGNORED;
}

const NOT_IGNORED = 1;

/** From an allow-list: a GIT_ variable of whoever started us would point git elsewhere. */
function environment(unused: readonly string[]): NodeJS.ProcessEnv {
	const kept = ['PATH', 'HOME', 'XDG_CONFIG_HOME', 'TMPDIR'].flatMap((name) => {
		const value = process.env[name];
		return value === undefined ? [] : [[name, value] as const];
	});
	return {
		...Object.fromEntries(kept),
		LC_ALL: 'C',
		GIT_TERMINAL_PROMPT: '0',
		// A partial clone fetches what it lacks: with no protocol allowed it reaches nobody, and runs no transport.
		GIT_ALLOW_PROTOCOL: 'none',
		GIT_NO_LAZY_FETCH: '1',
		...withoutFilters(unused),
	};
}

/** As variables and not as arguments: the name of a filter may hold any character. */
function withoutFilters(names: readonly string[]): Record<string, string> {
	const settings = names.flatMap((name) => [
		[`filter.${name}.clean`, ''],
		[`filter.${name}.smudge`, ''],
		[`filter.${name}.process`, ''],
		[`filter.${name}.required`, 'false'],
	]);
	const pairs = settings.flatMap(([key = '', value = ''], at) => [
		[`GIT_CONFIG_KEY_${at}`, key],
		[`GIT_CONFIG_VALUE_${at}`, value],
	]);
	return { GIT_CONFIG_COUNT: String(settings.length), ...Object.fromEntries(pairs) };
}

function toGitError(failure: ExecFileException, stderr: string): AppError {
	if (failure.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') {
		return new AppError('too_large', 'git output exceeded the limit.', { cause: failure });
	}
	if (failure.code === 'ENOENT') return new AppError('not_found', 'git is not installed.', { cause: failure });
	if (failure.killed)
		return new AppError('timed_out', `git took longer than ${TIME_LIMIT_MS / 1000} seconds.`, { cause: failure });
	const [said = ''] = stderr.trim().split('\n');
	return new AppError('internal', said || 'git failed and did not say why.', { cause: failure });
}
