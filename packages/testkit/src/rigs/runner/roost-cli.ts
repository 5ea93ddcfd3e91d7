// The programs of Roost as tests start them: the bundle in the gate, else the sources.
import { join } from 'node:path';
import { PROGRAM_FILES, PROGRAM_FOLDER, type ProgramFile } from '@roost/core/process/program-files';

/** Users run the bundle, and the gate has just built it; a single test runs the sources, so that no old bundle is tested. */
const IS_BUNDLED = process.env.ROOST_TEST_BUILT === '1';

export function testedFile(name: ProgramFile): string {
	return join(PROGRAM_FOLDER, PROGRAM_FILES[name][IS_BUNDLED ? 1 : 0]);
}

export function roostArgv(...args: readonly string[]): readonly [string, ...string[]] {
	return [process.execPath, ...(IS_BUNDLED ? [] : ['--conditions=source']), testedFile('start'), ...args];
}
