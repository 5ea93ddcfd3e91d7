// The command line as a user starts it, with a home of its own.
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { PROGRAM_FILES, PROGRAM_FOLDER, type ProgramFile } from '@roost/core/process/program-files';
import type { ClaudeRig } from '../claude/claude-rig.ts';

/** What users run is bundled; a single test runs the sources, so that nothing old is tested. The gate has just bundled them. */
const IS_BUNDLED = process.env.ROOST_TEST_BUILT === '1';

/** A program of Roost's, as tests start it. */
export function testedFile(name: ProgramFile): string {
	return join(PROGRAM_FOLDER, PROGRAM_FILES[name][IS_BUNDLED ? 1 : 0]);
}

export function roostArgv(...args: readonly string[]): readonly [string, ...string[]] {
	return [process.execPath, ...(IS_BUNDLED ? [] : ['--conditions=source']), testedFile('start'), ...args];
}

/** The environment of a user whose `claude` is the rig's, and whose Roost is empty. */
export async function roostEnv(claude: ClaudeRig): Promise<Record<string, string>> {
	await symlink(claude.binary, join(claude.home, 'claude'));
	return { ...claude.env, PATH: `${claude.home}:${claude.env.PATH}`, ROOST_HOME: join(claude.home, 'roost') };
}
