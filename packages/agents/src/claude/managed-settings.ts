// Settings that an administrator put on this machine stand above Roost's own: where they switch other hooks off, nothing can be enforced.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readJson, valueAt } from '../repository/json-file.ts';

const FOLDERS: Partial<Record<NodeJS.Platform, string>> = {
	darwin: '/Library/Application Support/ClaudeCode',
	win32: 'C:\\Program Files\\ClaudeCode',
};
const MOST_BYTES = 1024 * 1024;
const SWITCHES = ['disableAllHooks', 'allowManagedHooksOnly', 'strictPluginOnlyCustomization'];

/** A sentence that says why not, or null where the gate holds. */
export async function refuseManaged(folder = FOLDERS[process.platform] ?? '/etc/claude-code'): Promise<string | null> {
	const dropIns = join(folder, 'managed-settings.d');
	// Without that folder there are none.
	const names = await readdir(dropIns).catch(() => []);
	for (const path of [join(folder, 'managed-settings.json'), ...names.map((name) => join(dropIns, name))]) {
		const read = await readJson(path, { mostBytes: MOST_BYTES });
		if (read.kind === 'refused')
			return `${path} cannot be read because ${read.why}: it may switch hooks off, so nothing could be enforced.`;
		const found = read.kind === 'json' ? SWITCHES.find((key) => isOn(valueAt(read.value, key))) : undefined;
		if (found !== undefined) return `${path} sets ${found}, which switches Roost's hooks off: nothing could be enforced.`;
	}
	return null;
}

function isOn(value: unknown): boolean {
	return value !== undefined && value !== false && value !== 'false';
}
