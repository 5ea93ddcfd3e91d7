// The hook entries of `roost hooks install` in a settings file: which they are, and plans for adding and removing them.
import { isAbsolute } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { diffTexts, type Hunk } from '@roost/core/display/line-diff';
import { toPinnedArgv } from '@roost/core/process/loader-variables';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { isJsonObject, type JsonObject } from '../base/json-object.ts';
import { HOOK_NAMES, LISTENED_HOOKS } from '../hooks/hook-names.ts';
import { appendChild, type JsonNode, locateJson, memberOf, textWithout, valueAt } from './json-text.ts';
import { parseSettings, SETTINGS_PATH } from './settings-file.ts';

/** Ignored by the forwarder, and kept by Claude Code when it rewrites the file. */
export const MARKER = '--roost-managed';

/** One group per hook event. */
export type InstalledHooks = Record<string, JsonObject>;

type InstalledHooksOptions = {
	forwarder: { node: string; script: string };
	/** Stable across restarts. */
	socketPath: string;
	/** In a file, not in arguments or in the project. */
	secretFile: string;
	/** How to start a runner. */
	startFile: string;
};

/** Seconds, even where a runner hangs. */
const TIMEOUT_S = 10;
/** Hooks that start a runner: a new session, or a prompt after the runner ended. */
export const STARTING: readonly string[] = ['SessionStart', 'UserPromptSubmit'];

export function buildInstalledHooks({ forwarder, socketPath, secretFile, startFile }: InstalledHooksOptions): InstalledHooks {
	const flags = [MARKER, '--socket', socketPath, '--secret-file', secretFile];
	return Object.fromEntries(
		LISTENED_HOOKS.map((event) => {
			const start = STARTING.includes(event) ? ['--start', startFile] : [];
			const [command, ...args] = toPinnedArgv([forwarder.node, forwarder.script, event, ...flags, ...start]);
			return [event, { hooks: [{ type: 'command', command, args, timeout: TIMEOUT_S }] }];
		}),
	);
}

/** The command and the files it runs, before Roost's own options. */
export function programOf(hook: JsonObject): string[] {
	const args = Array.isArray(hook.args) ? hook.args.slice(0, hook.args.indexOf(MARKER)) : [];
	return [hook.command, ...args].filter((path) => typeof path === 'string' && isAbsolute(path));
}

export function isManagedHook(hook: unknown): hook is JsonObject {
	if (!isJsonObject(hook)) return false;
	// A shell line has no arguments.
	return Array.isArray(hook.args) ? hook.args.includes(MARKER) : String(hook.command).includes(` ${MARKER} `);
}

/** Groups that contain a managed entry, by event. */
export function findManagedGroups(settings: JsonObject): Record<string, JsonObject[]> {
	const hooks = Object.entries(isJsonObject(settings.hooks) ? settings.hooks : {});
	const found = hooks.map(([event, groups]) => [event, (Array.isArray(groups) ? groups : []).filter(isManagedGroup)] as const);
	return Object.fromEntries(found.filter(([, groups]) => groups.length > 0));
}

function isWhollyManaged(group: JsonObject): boolean {
	return Array.isArray(group.hooks) && group.hooks.every(isManagedHook);
}

function isManagedGroup(group: unknown): group is JsonObject {
	return isJsonObject(group) && Array.isArray(group.hooks) && group.hooks.some(isManagedHook);
}

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

/** Stands for a missing line break at the end, so that adding one is a change of that line. */
const NO_NEWLINE = '\0';

/** Empty where nothing changes; null is a file that does not exist. */
export function unifiedDiff(path: string, before: string | null, after: string | null): string {
	if (before === after) return '';
	let growth = 0;
	const hunks = diffTexts(markEnd(before ?? ''), markEnd(after ?? ''), true).flatMap((hunk) => {
		const [header, grown] = toHeader(hunk, growth);
		growth += grown;
		return [header, ...hunk.map(({ sign, text }) => `${sign}${text.replace(NO_NEWLINE, '\n\\ No newline at end of file')}`)];
	});
	const from = before === null ? '/dev/null' : `a/${path}`;
	const to = after === null ? '/dev/null' : `b/${path}`;
	return [`--- ${from}`, `+++ ${to}`, ...hunks].map((line) => `${line}\n`).join('');
}

function markEnd(text: string): string {
	return text === '' || text.endsWith('\n') ? text : `${text}${NO_NEWLINE}\n`;
}

/** `growth`: how many lines earlier hunks added. */
function toHeader(hunk: Hunk, growth: number): [header: string, grown: number] {
	const old = hunk.filter(({ sign }) => sign !== '+').length;
	const fresh = hunk.filter(({ sign }) => sign !== '-').length;
	const [first] = hunk;
	const oldStart = (first?.number ?? 0) - (first?.sign === '-' ? 0 : growth);
	return [`@@ -${range(oldStart, old)} +${range(oldStart + growth, fresh)} @@`, fresh - old];
}

/** An empty side is counted from the line before. */
function range(line: number, count: number): string {
	return count === 0 ? `${line - 1},0` : count === 1 ? `${line}` : `${line},${count}`;
}
