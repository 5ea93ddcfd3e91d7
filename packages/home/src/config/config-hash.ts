// What stands in config.yaml, as one hash: a runner keeps that of the file it was started with, so that others see it changed since.
import { configPath } from './config-path.ts';
import { readConfigFile } from './read-config-file.ts';

/** Comments and the order of lines do not count; undefined where the file cannot be read. */
export function hashConfig(env: NodeJS.ProcessEnv): string | undefined {
	const read = readConfigFile(configPath(env));
	if (!read.ok) return undefined;
	if (!read.value) return 'none';
	// Most users have no such file, and every command would wait until this is loaded.
	const { hash } = process.getBuiltinModule('node:crypto');
	return hash('sha256', JSON.stringify(read.value.content ?? null));
}
