// The user's config.yaml: never in the working directory, because a repository must not configure its own guard.
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { hasCode } from '@roost/machine/error-code';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { parseDocument } from 'yaml';

export function configPath(env: NodeJS.ProcessEnv): string {
	if (env.ROOST_HOME) return join(env.ROOST_HOME, 'config.yaml');
	return join(absolute(env.XDG_CONFIG_HOME) ?? join(homeDirectory(env), '.config'), 'roost', 'config.yaml');
}

export function homeDirectory(env: NodeJS.ProcessEnv): string {
	return absolute(env.HOME) ?? userInfo().homedir;
}

/** A relative path would mean the working directory. */
function absolute(path: string | undefined): string | null {
	return path !== undefined && isAbsolute(path) ? path : null;
}

/** Tells others whether config.yaml changed since a runner started; ignores comments. Undefined if the file cannot be read. */
export function hashConfig(env: NodeJS.ProcessEnv): string | undefined {
	const read = readConfigFile(configPath(env));
	if (!read.ok) return undefined;
	if (!read.value) return 'none';
	// Loaded on demand: most users have no such file, and every command comes here.
	const { hash } = process.getBuiltinModule('node:crypto');
	return hash('sha256', JSON.stringify(read.value.content ?? null));
}

/** `isPrivate`: only this user can read it. */
type ConfigFile = { content: unknown; isPrivate: boolean };

const LARGEST_BYTES = 1024 * 1024;

/** Null if there is no such file. */
export function readConfigFile(path: string): Result<ConfigFile | null> {
	const read = readTrusted(path);
	if (!read.ok) return read;
	if (read.value === null) return ok(null);
	const { text, isPrivate } = read.value;
	const document = parseDocument(text, { stringKeys: true, uniqueKeys: true });
	const [problem] = [...document.errors, ...document.warnings];
	if (problem) return err(new AppError('usage', `${path} is not valid YAML: ${firstLine(problem.message)}.`));
	try {
		return ok({ content: document.toJS(), isPrivate });
	} catch (cause) {
		// Nested aliases: a small file that expands to a huge document.
		return err(new AppError('usage', `${path} uses too many aliases: write the values out.`, { cause }));
	}
}

function readTrusted(path: string): Result<{ text: string; isPrivate: boolean } | null> {
	let file: number | undefined;
	try {
		// O_NONBLOCK: a pipe must not block us. Links are followed: the user may keep the file elsewhere.
		file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
		const found = fstatSync(file);
		const doubt = findDoubt(found);
		if (doubt) return err(new AppError('unsafe_path', `${path} ${doubt}.`));
		return ok({ text: readFileSync(file, 'utf8'), isPrivate: (found.mode & 0o077) === 0 });
	} catch (cause) {
		if (hasCode(cause, 'ENOENT', 'ENOTDIR')) return ok(null);
		const why = cause instanceof Error ? cause.message : String(cause);
		return err(new AppError('usage', `${path} cannot be read: ${why}.`, { cause }));
	} finally {
		if (file !== undefined) closeSync(file);
	}
}

function findDoubt(found: Stats): string | null {
	if (!found.isFile()) return 'is not a regular file; replace it';
	if (process.getuid && found.uid !== process.getuid() && found.uid !== 0)
		return 'belongs to another user; use a file of your own';
	if ((found.mode & 0o002) !== 0) return 'can be written by everyone; run `chmod o-w` on it';
	if (found.size > LARGEST_BYTES) return 'is larger than 1 MiB; make it smaller';
	return null;
}

function firstLine(message: string): string {
	return (message.split('\n')[0] ?? message).replace(/:$/, '');
}
