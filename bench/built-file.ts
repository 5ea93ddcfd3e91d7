// Paths of the bundled programs, as users run them. Sources would add the cost of stripping types to every start.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PROGRAM_FILES, PROGRAM_FOLDER, type ProgramFile } from '@roost/core/process/program-files';

export function builtFile(name: ProgramFile): string {
	const built = join(PROGRAM_FOLDER, PROGRAM_FILES[name][1]);
	if (!existsSync(built)) throw new Error(`${built} is missing: build first.`);
	return built;
}
