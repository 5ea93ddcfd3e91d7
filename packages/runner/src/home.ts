// Where Roost keeps its state: all of it under ROOST_HOME, else in the XDG directories. Directories 0700.
import { chmodSync, lstatSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { hasCode } from '@roost/machine/error-code';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { makeDirectories } from './life/make-directories.ts';

export type Home = {
	data: string;
	run: string;
	database: string;
	runnerId: string;
	/** Made when something is recorded. */
	recordings: string;
	/** The projects that were found last. */
	projects: string;
};

export function resolveHome(env: NodeJS.ProcessEnv): Result<Home> {
	const chosen = env.ROOST_HOME;
	if (chosen && !isAbsolute(chosen)) return err(new AppError('usage', `ROOST_HOME must be an absolute path; it is "${chosen}".`));
	const data = chosen || join(env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'roost');
	const run = chosen || !env.XDG_RUNTIME_DIR ? join(data, 'run') : join(env.XDG_RUNTIME_DIR, 'roost');
	return ok({
		data,
		run,
		database: join(data, 'roost.db'),
		runnerId: join(data, 'runner-id'),
		recordings: join(data, 'recordings'),
		projects: join(data, 'projects.json'),
	});
}

/** What a runner in the background writes. */
export function logPath({ data }: Pick<Home, 'data'>): string {
	return join(data, 'runner.log');
}

/** Makes the directories where they are missing; what is there must be ours, and is closed to others. */
export function ensureHome(home: Home): Result<void> {
	for (const directory of [home.data, home.run]) {
		const safe = ensurePrivateDirectory(directory);
		if (!safe.ok) return safe;
	}
	return ok(undefined);
}

/** One of ours, closed to others; it is made where it is missing. */
export function ensurePrivateDirectory(path: string): Result<void> {
	try {
		makeDirectories(path, 0o700);
		const found = lstatSync(path);
		if (!found.isDirectory()) return unsafe(path, 'is a link or a file, not a directory');
		if (process.getuid && found.uid !== process.getuid()) return unsafe(path, 'belongs to another user');
		if ((found.mode & 0o077) !== 0) chmodSync(path, 0o700);
		return ok(undefined);
	} catch (cause) {
		return err(new AppError('cannot_start', `Cannot create ${path}: ${whyNotMade(cause)}. ${ELSEWHERE}`, { cause }));
	}
}

const ELSEWHERE = 'Set ROOST_HOME to a folder that you can write to.';

/** As the end of a sentence. */
export function whyNotMade(cause: unknown): string {
	if (hasCode(cause, 'EROFS')) return 'the file system is read-only';
	if (hasCode(cause, 'EACCES', 'EPERM')) return 'permission denied';
	if (hasCode(cause, 'ENOENT')) return 'nothing can be created on that file system';
	return cause instanceof Error ? cause.message : String(cause);
}

function unsafe(path: string, why: string): Result<never> {
	return err(new AppError('unsafe_path', `${path} ${why}; make it yours alone or set ROOST_HOME to another directory.`));
}
