// Runs git in an untrusted directory: no program that the repository configures is started, and no server is contacted.
import { type ExecFileException, execFile } from 'node:child_process';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';

/** Read-only; returns stdout. */
export type Git = (directory: string, args: readonly string[], options?: GitOptions) => Promise<Result<string>>;

export type GitOptions = {
	/** Filters of the repository that must not run. */
	unused?: readonly string[];
	/** Written instead of the index and the objects of the repository, which are still read. */
	own?: { index: string; objects: string; alternates: string };
	input?: string | Uint8Array;
	/** In bytes. */
	mostOutput?: number;
};

const TIME_LIMIT_MS = 10_000;
const MOST_OUTPUT = 1024 * 1024;

/** Without these, git could start programs that the repository names, or write to it. */
const SAFE = [
	'--no-pager',
	'--no-optional-locks',
	...['-c', 'core.hooksPath=/dev/null'],
	...['-c', 'core.fsmonitor='],
	...['-c', 'core.splitIndex=false'],
	...['-c', 'core.attributesFile=/dev/null'],
	...['-c', 'core.sshCommand=false'],
	...['-c', 'protocol.ext.allow=never'],
	...['-c', 'submodule.recurse=false'],
	...['-c', 'status.submoduleSummary=false'],
];

export const runGit: Git = async (directory, args, options) => {
	const ran = await runGitBytes(directory, args, options);
	return ran.ok ? ok(ran.value.toString('utf8')) : ran;
};

/** Names and contents of files may be any bytes. */
export function runGitBytes(
	directory: string,
	args: readonly string[],
	{ unused = [], own, input, mostOutput = MOST_OUTPUT }: GitOptions = {},
): Promise<Result<Buffer>> {
	const { promise, resolve } = Promise.withResolvers<Result<Buffer>>();
	const options = {
		encoding: 'buffer',
		env: { ...environment(unused), ...(own && ownFiles(own)) },
		timeout: TIME_LIMIT_MS,
		maxBuffer: mostOutput,
		killSignal: 'SIGKILL',
	} as const;
	try {
		const child = execFile('git', [...SAFE, '-C', directory, ...args], options, (failure, stdout, stderr) => {
			resolve(failure ? err(toGitError(failure, stderr.toString('utf8'))) : ok(stdout));
		});
		// If git ends early, its own error says why.
		child.stdin?.on('error', () => {});
		child.stdin?.end(input ?? '');
	} catch (cause) {
		// A path with a NUL is not a valid argument.
		resolve(err(new AppError('internal', 'git could not be started in this directory.', { cause })));
	}
	return promise;
}

function ownFiles({ index, objects, alternates }: NonNullable<GitOptions['own']>): NodeJS.ProcessEnv {
	// Quoted, because a colon would begin another path.
	return { GIT_INDEX_FILE: index, GIT_OBJECT_DIRECTORY: objects, GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(alternates) };
}

/** Whether git tracks the file; false without a repository or git. */
export async function isTracked(directory: string, path: string): Promise<boolean> {
	return (await runGit(directory, ['ls-files', '--error-unmatch', '--', path])).ok;
}

/** Whether `git add --all` would add the file. */
export async function isUnignored(directory: string, path: string): Promise<boolean> {
	const checked = await runGit(directory, ['check-ignore', '--quiet', '--', path]);
	const cause = checked.ok ? undefined : checked.error.cause;
	return cause instanceof Error && 'code' in cause && cause.code === NOT_IGNORED;
}

const NOT_IGNORED = 1;

/** From an allow-list: an inherited GIT_ variable could point git elsewhere. */
function environment(unused: readonly string[]): NodeJS.ProcessEnv {
	const kept = ['PATH', 'HOME', 'XDG_CONFIG_HOME', 'TMPDIR'].flatMap((name) => {
		const value = process.env[name];
		return value === undefined ? [] : [[name, value] as const];
	});
	return {
		...Object.fromEntries(kept),
		LC_ALL: 'C',
		GIT_TERMINAL_PROMPT: '0',
		// A partial clone fetches missing objects; without an allowed protocol it contacts nothing.
		GIT_ALLOW_PROTOCOL: 'none',
		GIT_NO_LAZY_FETCH: '1',
		...withoutFilters(unused),
	};
}

/** As variables, because a filter name may contain any character. */
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
	const [line = ''] = stderr.trim().split('\n');
	return new AppError('internal', line || 'git failed without an error message.', { cause: failure });
}
