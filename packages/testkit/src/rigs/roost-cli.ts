// The command line as a user starts it, with a home of its own.
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClaudeRig } from './claude-rig.ts';

export const CLI_MAIN = join(import.meta.dirname, '..', '..', '..', 'cli', 'src', 'main.ts');

const BUILT_MAIN = join(import.meta.dirname, '..', '..', '..', 'cli', 'dist', 'main.js');

/** What users run is built; a single test runs the sources, so that nothing old is tested. The gate has just built it. */
export function roostArgv(...args: readonly string[]): readonly [string, ...string[]] {
	if (process.env.ROOST_TEST_BUILT === '1') return [process.execPath, BUILT_MAIN, ...args];
	return [process.execPath, '--conditions=source', CLI_MAIN, ...args];
}

/** The environment of a user whose `claude` is the rig's, and whose Roost is empty. */
export async function roostEnv(claude: ClaudeRig): Promise<Record<string, string>> {
	await symlink(claude.binary, join(claude.home, 'claude'));
	return { ...claude.env, PATH: `${claude.home}:${claude.env.PATH}`, ROOST_HOME: join(claude.home, 'roost') };
}
