// Whether a project's hooks are installed and still as we left them; each difference in one sentence.
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ok, type Result } from '@roost/protocol/result';
import { isJsonObject, type JsonObject } from '../../base/json-object.ts';
import type { InstalledStatus } from '../../install/hook-files.ts';
import { findManagedGroups, type InstalledHooks, isManagedHook, programOf } from '../../install/installed-hooks.ts';
import { parseSettings } from '../../install/parse-settings.ts';
import { readPlain, readSettings } from '../../install/read-settings.ts';
import { SETTINGS_DIR, SETTINGS_PATH } from '../../install/settings-path.ts';

export type InstalledStatusOptions = {
	project: string;
	/** What an installation would write today. */
	hooks: InstalledHooks;
	/** There from installing to uninstalling, so that entries which vanished are missed. */
	secretFile: string;
};

const SHARED_PATH = `${SETTINGS_DIR}/settings.json`;

export async function readInstalledStatus({
	project,
	hooks,
	secretFile,
}: InstalledStatusOptions): Promise<Result<InstalledStatus>> {
	const texts = await readSettings(project);
	if (!texts.ok) return texts;
	const settings = parseSettings(texts.value.current ?? '{}');
	if (!settings.ok) return settings;
	const found = findManagedGroups(settings.value);
	const hasSecret = await exists(secretFile);
	if (Object.keys(found).length === 0) {
		return ok(hasSecret ? drifted([`every entry of Roost was removed from ${SETTINGS_PATH}`]) : { state: 'none' });
	}
	const drifts = [
		...entryDrifts(found, hooks),
		...(await programDrifts(found)),
		...(hasSecret ? [] : [`the secret file ${secretFile} is missing, so no report is accepted`]),
		...(await silencedBy(project, settings.value)),
	];
	return ok(drifts.length === 0 ? { state: 'installed' } : drifted(drifts));
}

function drifted(drifts: string[]): InstalledStatus {
	return { state: 'drifted', drifts };
}

/** Together where they drifted alike: an update of Roost changes them all. */
function entryDrifts(found: Record<string, JsonObject[]>, hooks: InstalledHooks): string[] {
	const events = [...new Set([...Object.keys(hooks), ...Object.keys(found)])];
	const byKind = Map.groupBy(events, (event) => entryDrift(found[event] ?? [], hooks[event]));
	return [...byKind].flatMap(([drift, alike]) => (drift === null ? [] : [`${drift}: ${alike.join(', ')}`]));
}

function entryDrift(groups: JsonObject[], wanted: JsonObject | undefined): string | null {
	if (!wanted) return 'marked as entries of Roost, which installs none for';
	if (groups.length === 0) return 'entries of Roost are missing for';
	if (groups.length > 1) return 'there is more than one entry of Roost for';
	return isDeepStrictEqual(groups[0], wanted) ? null : 'entries of Roost are not as this version installs them for';
}

async function programDrifts(found: Record<string, JsonObject[]>): Promise<string[]> {
	const hooks = Object.values(found).flatMap((groups) => groups.flatMap(({ hooks: own }) => (Array.isArray(own) ? own : [])));
	const paths = new Set(hooks.filter(isManagedHook).flatMap(programOf));
	const missing = await Promise.all([...paths].map(async (path) => ((await exists(path)) ? [] : [path])));
	return missing.flat().map((path) => `${path}, which the entries run, is not there any more`);
}

/** Settings that keep Claude from running the hooks, or make the forwarder hold its tongue. */
async function silencedBy(project: string, own: JsonObject): Promise<string[]> {
	const text = await readPlain(join(project, SHARED_PATH));
	const shared = text.ok && text.value !== null ? parseSettings(text.value, SHARED_PATH) : ok({});
	const layers: [string, JsonObject][] = [
		[SETTINGS_PATH, own],
		[SHARED_PATH, shared.ok ? shared.value : {}],
	];
	const switched = layers.find(([, settings]) => typeof settings.disableAllHooks === 'boolean');
	return [
		...(switched?.[1].disableAllHooks === true ? [`disableAllHooks in ${switched[0]} switches every hook off`] : []),
		...layers.flatMap(([path, { env }]) =>
			isJsonObject(env) && Object.hasOwn(env, 'ROOST_HOOK_SECRET')
				? [`ROOST_HOOK_SECRET is set in ${path}, so that the hooks report nothing`]
				: [],
		),
	];
}

async function exists(path: string): Promise<boolean> {
	try {
		await access(path);
		return true;
	} catch {
		// Not there, or out of our reach, which is the same to a hook.
		return false;
	}
}
