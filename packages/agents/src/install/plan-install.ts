// Plans installing and uninstalling in a settings file: new text and a diff. Nothing is written.
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import type { JsonObject } from '../base/json-object.ts';
import { HOOK_NAMES } from '../hooks/hook-names.ts';
import { findManagedGroups, type InstalledHooks, isManagedHook, isWhollyManaged } from './installed-hooks.ts';
import { appendChild, type JsonNode, locateJson, memberOf, textWithout, valueAt } from './json-text.ts';
import { parseSettings, SETTINGS_PATH } from './settings-file.ts';
import { unifiedDiff } from './unified-diff.ts';

/** Null for a missing file. */
export type SettingsTexts = { current: string | null; original: string | null };

/** `after: null` removes the file; equal texts mean nothing to do. */
export type SettingsEdit = ReturnType<typeof edit>;

export function planInstall(
	{ current, original }: SettingsTexts,
	hooks: InstalledHooks,
	path = SETTINGS_PATH,
): Result<SettingsEdit> {
	const settings = parseSettings(current ?? '{}', path);
	if (!settings.ok) return settings;
	if (current !== null && holdsExactly(settings.value, hooks)) return ok(edit(path, current, current));
	const base = current === null ? ok(null) : withoutOurs(current, settings.value, original, path);
	if (!base.ok) return base;
	const added = addGroups(base.value, toGroups(hooks), path);
	return added.ok ? ok(edit(path, current, added.value)) : added;
}

/** Restores the exact original if nothing else changed. */
export function planUninstall({ current, original }: SettingsTexts, path = SETTINGS_PATH): Result<SettingsEdit> {
	if (current === null) return ok(edit(path, null, null));
	const settings = parseSettings(current, path);
	if (!settings.ok) return settings;
	const base = withoutOurs(current, settings.value, original, path);
	return base.ok ? ok(edit(path, current, base.value)) : base;
}

function holdsExactly(settings: JsonObject, hooks: InstalledHooks): boolean {
	return isDeepStrictEqual(findManagedGroups(settings), toGroups(hooks));
}

function toGroups(hooks: InstalledHooks): Record<string, JsonObject[]> {
	return Object.fromEntries(Object.entries(hooks).map(([event, group]) => [event, [group]]));
}

function withoutOurs(current: string, settings: JsonObject, original: string | null, path: string): Result<string | null> {
	const managed = findManagedGroups(settings);
	if (Object.keys(managed).length === 0) return ok(current);
	// Empty lists of the user look like Roost's once filled: only the original tells them apart.
	const groups = Object.values(managed).flat();
	const untouched = groups.length <= HOOK_NAMES.length && groups.every(isWhollyManaged);
	const replayed = untouched ? addGroups(original, managed, path) : null;
	return replayed?.ok && replayed.value === current ? ok(original) : removeOurs(current);
}

function addGroups(base: string | null, groups: Record<string, JsonObject[]>, path: string): Result<string> {
	let text = base ?? '{}\n';
	for (const [event, own] of Object.entries(groups)) {
		for (const group of own) {
			const added = addGroup(text, event, group, path);
			if (!added.ok) return added;
			text = added.value;
		}
	}
	return ok(text);
}

function addGroup(text: string, event: string, group: JsonObject, path: string): Result<string> {
	const root = locateJson(text);
	if (!root.ok) return root;
	const hooks = memberOf(root.value, 'hooks');
	const list = memberOf(hooks, event);
	if (!hooks) return ok(appendChild(text, root.value, { key: 'hooks', value: { [event]: [group] } }));
	if (hooks.type !== 'object') return err(wrongShape(path, '"hooks" is not an object'));
	if (!list) return ok(appendChild(text, hooks, { key: event, value: [group] }));
	if (list.type !== 'list') return err(wrongShape(path, `"hooks.${event}" is not a list`));
	return ok(appendChild(text, list, { value: group }));
}

function wrongShape(path: string, what: string): AppError {
	return new AppError('corrupt', `${path} was left as it is: ${what}; fix it and retry`);
}

function removeOurs(text: string): Result<string> {
	const root = locateJson(text);
	if (!root.ok) return root;
	const { start, end } = root.value;
	const left = textWithout(text, root.value, findOurNodes(text, root.value)) ?? '{}';
	return ok(text.slice(0, start) + left + text.slice(end));
}

/** Whole groups where they contain no other entry. */
function findOurNodes(text: string, root: JsonNode): Set<JsonNode> {
	const found = new Set<JsonNode>();
	const events = memberOf(root, 'hooks')?.children ?? [];
	for (const group of events.flatMap(({ node }) => (node.type === 'list' ? node.children : []))) {
		const entries = memberOf(group.node, 'hooks')?.children ?? [];
		const ours = entries.filter(({ node }) => isManagedHook(valueAt(text, node)));
		if (ours.length > 0 && ours.length === entries.length) found.add(group.node);
		else for (const { node } of ours) found.add(node);
	}
	return found;
}

function edit(path: string, before: string | null, after: string | null) {
	return { before, after, diff: unifiedDiff(path, before, after) };
}
