import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROGRAM_FILES, PROGRAM_FOLDER, type ProgramFile, programArgs, programFile } from './program-files.ts';

describe('program files', () => {
	it.each(Object.keys(PROGRAM_FILES) as ProgramFile[])('are found next to the sources when running from source: %s', (name) => {
		expect(existsSync(programFile(name))).toBe(true);
		expect(programArgs(name)).toEqual(['--conditions=source', programFile(name)]);
	});

	it('include the launcher', () => {
		expect(existsSync(join(PROGRAM_FOLDER, 'roost'))).toBe(true);
	});
});
