// Where a repository switches hooks off: Copilot heeds that in a folder that is trusted, and then runs none, not even those of a plugin.
import { join, relative } from 'node:path';
import { parseJson } from '@roost/core/display/parse-json';
import { readText } from '@roost/machine/foreign-file';
import { isJsonObject } from '../base/json-object.ts';
import { shownName } from '../repository/shown-name.ts';
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
			const how = await switchesOff(path);
			if (how !== null) return `${shownName(relative(repository.root, path), 200)} ${how} every hook of copilot off`;
		}
	}
	return null;
}

/** What cannot be read as settings may still be read by Copilot: where it may name the switch, it counts. */
async function switchesOff(path: string): Promise<'switches' | 'may switch' | null> {
	const read = await readText(path, { mostBytes: MOST_BYTES });
	if (read.kind === 'absent') return null;
	if (read.kind === 'refused' || read.cut) return 'may switch';
	if (!read.text.includes(SWITCH)) return null;
	// Comments or half a file are no settings.
	const settings = parseJson(read.text);
	return isJsonObject(settings) && settings[SWITCH] === false ? null : 'switches';
}

const SWITCH = 'disableAllHooks';
const MOST_BYTES = 1024 * 1024;
