// What stands in config.yaml, as one hash: a runner keeps that of the file it was started with, so that others see it changed since.
import { createHash } from 'node:crypto';
import { configPath } from './config-path.ts';
import { readConfigFile } from './read-config-file.ts';

/** Comments and the order of lines do not count; undefined where the file cannot be read. */
export function hashConfig(env: NodeJS.ProcessEnv): string | undefined {
	const read = readConfigFile(configPath(env));
	return read.ok
		? createHash('sha256')
				.update(JSON.stringify(read.value?.content ?? null))
				.digest('hex')
		: undefined;
}
