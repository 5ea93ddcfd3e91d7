// The permission mode that the user chose in their own settings. Files in the project choose none: they may come with a repository.
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Settings } from './launch-settings.ts';
import { readJson, valueAt } from './sdk/json-file.ts';
import { claudePlaces } from './sdk/user-servers.ts';

const MOST_BYTES = 1024 * 1024;

/** Null where the user chose none. `typed` are the settings on the command line, which stand above the file. */
export async function readChosenMode(typed: Settings, env: Readonly<Record<string, string | undefined>>): Promise<string | null> {
	const { configDir } = claudePlaces(env, env.HOME || homedir());
	return modeOf(typed) ?? (await readMode(join(configDir, 'settings.json')));
}

/** Above the settings of a repository, which could name another. */
export function withMode(settings: Settings, mode: string): Settings {
	const permissions = typeof settings.permissions === 'object' ? settings.permissions : {};
	return { ...settings, permissions: { ...permissions, defaultMode: mode } };
}

async function readMode(path: string): Promise<string | null> {
	const read = await readJson(path, { mostBytes: MOST_BYTES });
	return read.kind === 'json' ? modeOf(read.value) : null;
}

function modeOf(settings: unknown): string | null {
	const mode = valueAt(settings, 'permissions', 'defaultMode');
	return typeof mode === 'string' && mode !== '' ? mode : null;
}
