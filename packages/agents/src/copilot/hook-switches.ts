// Where a repository switches hooks off: Copilot heeds that in a folder that is trusted, and then runs none, not even those of a plugin.
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { shownName } from '../claude/sdk/shown-name.ts';
import { isJsonObject } from '../json-object.ts';
import { repositoryFolders } from './repository-folders.ts';

const SETTINGS = [
	'.github/copilot/settings.json',
	'.github/copilot/settings.local.json',
	'.claude/settings.json',
	'.claude/settings.local.json',
] as const;

/** Half a sentence that names the file; null where there is none. */
export async function findHookSwitch(cwd: string): Promise<string | null> {
	const repository = await repositoryFolders(cwd);
	if (!repository) return null;
	for (const folder of repository.folders) {
		for (const name of SETTINGS) {
			const path = join(folder, name);
			if (await switchesOff(path)) return `${shownName(relative(repository.root, path), 200)} switches every hook of copilot off`;
		}
	}
	return null;
}

/** What cannot be read as settings may still be read by Copilot: where it names the switch, it counts. */
async function switchesOff(path: string): Promise<boolean> {
	const text = await readFile(path, 'utf8').catch(() => '');
	if (!text.includes(SWITCH)) return false;
	try {
		const settings: unknown = JSON.parse(text);
		return !isJsonObject(settings) || settings[SWITCH] !== false;
	} catch {
		// Comments, or half a file.
		return true;
	}
}

const SWITCH = 'disableAllHooks';
