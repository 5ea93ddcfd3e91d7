// Where the user's own configuration lies. Never the working directory: a repository must not configure who guards it.
import { userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';

export function configPath(env: NodeJS.ProcessEnv): string {
	if (env.ROOST_HOME) return join(env.ROOST_HOME, 'config.yaml');
	return join(absolute(env.XDG_CONFIG_HOME) ?? join(homeDirectory(env), '.config'), 'roost', 'config.yaml');
}

export function homeDirectory(env: NodeJS.ProcessEnv): string {
	return absolute(env.HOME) ?? userInfo().homedir;
}

/** A relative path would mean the working directory after all. */
function absolute(path: string | undefined): string | null {
	return path !== undefined && isAbsolute(path) ? path : null;
}
