// The location of the user's config.yaml. Never the working directory: a repository must not configure its own guard.
import { userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { readConfigFile } from './read-config-file.ts';

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
