// Whether Copilot trusts a folder, and so runs what its repository brings. True in doubt.
import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { parseJson } from '@roost/core/display/parse-json';
import { readText } from '@roost/machine/foreign-file';
import { isWithin } from '../repository/find-repository.ts';
import { valueAt } from '../repository/json-file.ts';

type Env = Readonly<Record<string, string | undefined>>;

const MOST_BYTES = 4 * 1024 * 1024;

export function copilotHome(env: Env): string {
	return env.COPILOT_HOME || join(env.HOME || homedir(), '.copilot');
}

export async function isTrustedFolder(env: Env, cwd: string): Promise<boolean> {
	const read = await readText(join(copilotHome(env), 'config.json'), { mostBytes: MOST_BYTES });
	if (read.kind === 'absent') return false;
	const config = read.kind === 'text' && !read.cut ? parseConfig(read.text) : undefined;
	if (config === undefined) return true;
	const folders = ['trustedFolders', 'trusted_folders'].flatMap((key) => valueAt(config, key) ?? []);
	const places = [cwd, await realpath(cwd).catch(() => cwd)];
	for (const folder of folders) {
		if (typeof folder !== 'string' || !isAbsolute(folder)) return true;
		const real = await realpath(folder).catch(() => folder);
		if (places.some((place) => isWithin(place, folder) || isWithin(place, real))) return true;
	}
	return false;
}

/** The file may contain comment lines. */
function parseConfig(text: string): unknown {
	return parseJson(text.replaceAll(/^\s*\/\/.*$/gm, ''));
}
