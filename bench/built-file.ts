// Where a module lies built: programs are measured as users run them, because sources would pay for their types at every start.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export function builtFile(module: string): string {
	const resolved = fileURLToPath(import.meta.resolve(module));
	const built = resolved.replace(/\/src\/(.*)\.ts$/, '/dist/$1.js');
	if (!existsSync(built)) throw new Error(`${built} is missing: build first.`);
	return built;
}
