// Hooks that Roost installs in a project's local Claude settings: plan, apply, and status.
import { access, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isTracked, isUnignored } from '@roost/machine/git';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { isJsonObject, type JsonObject } from '../../base/json-object.ts';
import {
	buildInstalledHooks,
	findManagedGroups,
	type InstalledHooks,
	isManagedHook,
	MARKER,
	planInstall,
	planUninstall,
	programOf,
	type SettingsEdit,
} from '../../install/installed-hooks.ts';
import {
	BACKUP_FILE,
	parseSettings,
	readPlain,
	readSettings,
	removeIfEmpty,
	replaceFile,
	SETTINGS_DIR,
	SETTINGS_PATH,
	writeWhole,
} from '../../install/settings-file.ts';
import type { Applied, HookFiles, HookFilesPlace, HookInstall, InstalledStatus } from '../../install/user-hooks.ts';

export const CLAUDE_HOOKS: HookInstall = { projectFile: SETTINGS_PATH, open };

function open(place: HookFilesPlace): HookFiles {
	const { project, secretFile } = place;
	const hooks = buildInstalledHooks(place);
	return {
		async plan(isWanted) {
			const texts = await readSettings(project);
			if (!texts.ok) return texts;
			const edit = isWanted ? planInstall(texts.value, hooks) : planUninstall(texts.value);
			if (!edit.ok) return edit;
			const { before, after, diff } = edit.value;
			return ok({
				changed: before !== after,
				summary: toSummary(diff),
				diff,
				apply: () => applySettingsEdit(project, edit.value),
			});
		},
		status: () => readInstalledStatus({ project, hooks, secretFile }),
	};
}

function toSummary(diff: string): string {
	const count = (sign: string) => diff.split('\n').filter((line) => line.startsWith(sign) && line.includes(MARKER)).length;
	const removed = count('-');
	return `Adds ${count('+')} hooks${removed > 0 ? `, removes ${removed}` : ''} in ${SETTINGS_PATH}`;
}

/** For installing and uninstalling; refuses if the file changed after planning. */
export async function applySettingsEdit(project: string, edit: SettingsEdit): Promise<Result<Applied>> {
	const texts = await readSettings(project);
	if (!texts.ok) return texts;
	if (texts.value.current !== edit.before)
		return err(new AppError('conflict', `${SETTINGS_PATH} changed in the meantime and was left as it is; try again`));
	if (edit.before === edit.after) return ok({ warnings: [] });
	const { original } = texts.value;
	try {
		if (original === null && isOriginal(edit.before)) await writeWhole(backupPath(project), edit.before, 0o600);
		await replaceFile(join(project, SETTINGS_PATH), edit.after);
		if (edit.after === null) await removeIfEmpty(join(project, SETTINGS_DIR));
		if (edit.after !== null && edit.after === original) await rm(backupPath(project));
	} catch (cause) {
		return err(new AppError('cannot_start', `cannot write ${join(project, SETTINGS_PATH)}`, { cause }));
	}
	return ok({ warnings: await warningsFor(project, edit.after) });
}

function backupPath(project: string): string {
	return join(project, SETTINGS_DIR, BACKUP_FILE);
}

function isOriginal(text: string | null): text is string {
	const settings = parseSettings(text ?? '');
	return settings.ok && Object.keys(findManagedGroups(settings.value)).length === 0;
}

async function warningsFor(project: string, text: string | null): Promise<string[]> {
	const why = 'its entries hold only for this machine';
	if (await isTracked(project, SETTINGS_PATH)) return [`${SETTINGS_PATH} is tracked by git: do not commit this change, ${why}`];
	if (text === null || isOriginal(text) || !(await isUnignored(project, SETTINGS_PATH))) return [];
	return [`${SETTINGS_PATH} is not ignored by git: add it to .git/info/exclude, ${why}`];
}

type InstalledStatusOptions = {
	project: string;
	/** What this version would install. */
	hooks: InstalledHooks;
	/** Exists while installed, so that removed entries are detected. */
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

/** Grouped, because an update of Roost changes all entries alike. */
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
	return missing.flat().map((path) => `${path}, which the entries run, no longer exists`);
}

/** Settings that disable the hooks or silence the forwarder. */
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
		return false;
	}
}
