import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROGRAM_FILES, PROGRAM_FOLDER, type ProgramFile, programArgs, programFile } from './program-files.ts';

describe('the files of the program', () => {
	it.each(Object.keys(PROGRAM_FILES) as ProgramFile[])('are where the sources are, while these run: %s', (name) => {
		expect(existsSync(programFile(name))).toBe(true);
		expect(programArgs(name)).toEqual(['--conditions=source', programFile(name)]);
	});

	it('lie in one folder with the launcher', () => {
		expect(existsSync(join(PROGRAM_FOLDER, 'roost'))).toBe(true);
	});
});
