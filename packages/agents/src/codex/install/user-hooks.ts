// Hooks in the user's hooks.json, and their trust in config.toml, without which Codex skips them silently.
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { isJsonObject, type JsonObject } from '../../base/json-object.ts';
import { findManagedGroups, type InstalledHooks, planInstall, planUninstall } from '../../install/installed-hooks.ts';
import { parseSettings, readPlain } from '../../install/settings-file.ts';
import {
	agentFolder,
	checkAgentFolder,
	checkEdits,
	type FileEdit,
	toHookCommand,
	type UserHooks,
	type UserHooksPlace,
} from '../../install/user-hooks.ts';
import { type CodexHook, toHash, tomlString, trustKey } from '../config-args.ts';
import { CODEX_REPORTS } from '../launch.ts';

export const CODEX_USER_HOOKS: UserHooks = {
	folder: (env) => agentFolder(env, 'CODEX_HOME', '.codex'),
	async plan(place, isWanted) {
		const there = isWanted ? await checkAgentFolder(place.folder, 'codex') : ok(undefined);
		if (!there.ok) return there;
		const hooks = await planHooks(place, isWanted);
		if (!hooks.ok) return hooks;
		const trust = await planTrust(place, isWanted ? hooks.value.after : null);
		if (!trust.ok) return trust;
		// Trust first: Codex warns about untrusted hooks.
		const ordered = isWanted ? [trust.value, ...hooks.value.edits] : [...hooks.value.edits, trust.value];
		const edits = await checkEdits(ordered);
		if (!edits.ok) return edits;
		const summary = `Adds ${CODEX_REPORTS.length} hooks in ${hooks.value.path}, trusts them in ${trust.value.path}`;
		return ok({ edits: edits.value, summary });
	},
};

type HooksEdit = { path: string; after: string | null; edits: FileEdit[] };

async function planHooks(place: UserHooksPlace, isWanted: boolean): Promise<Result<HooksEdit>> {
	const path = join(place.folder, 'hooks.json');
	const backup = `${path}.roost-backup`;
	const [current, original] = await Promise.all([readPlain(path), readPlain(backup)]);
	if (!current.ok) return current;
	if (!original.ok) return original;
	const texts = { current: current.value, original: original.value };
	const edit = isWanted ? planInstall(texts, toInstalled(place), path) : planUninstall(texts, path);
	if (!edit.ok) return edit;
	const { before, after } = edit.value;
	const kept = isWanted
		? (original.value ?? (isOriginal(before) ? before : null))
		: after === original.value
			? null
			: original.value;
	const copy = { path: backup, before: original.value, after: kept, isBackup: true };
	return ok({ path, after, edits: [copy, { path, before, after }] });
}

function toInstalled(place: UserHooksPlace): InstalledHooks {
	return Object.fromEntries(
		toHooks(place).map(({ event, command, timeoutS }) => [event, { hooks: [{ type: 'command', command, timeout: timeoutS }] }]),
	);
}

function toHooks(place: UserHooksPlace): CodexHook[] {
	return CODEX_REPORTS.map(({ event, timeoutS }) => ({ event, timeoutS, command: toHookCommand(place, 'codex', event) }));
}

function isOriginal(text: string | null): boolean {
	return text !== null && Object.keys(findManagedGroups(toSettings(text))).length === 0;
}

function toSettings(text: string): JsonObject {
	const settings = parseSettings(text);
	return settings.ok ? settings.value : {};
}

async function planTrust(place: UserHooksPlace, hooksText: string | null): Promise<Result<FileEdit>> {
	const path = join(place.folder, 'config.toml');
	const current = await readPlain(path);
	if (!current.ok) return current;
	const after =
		hooksText === null
			? ok(withoutTrust(current.value))
			: withTrust(current.value, await toTrusts(place, toSettings(hooksText)), path);
	return after.ok ? ok({ path, before: current.value, after: after.value }) : after;
}

/** Codex identifies a hook by file and index; for a linked home either path may apply. */
async function toTrusts(place: UserHooksPlace, { hooks }: JsonObject): Promise<Trust[]> {
	const folders = new Set([place.folder, await realpath(place.folder)]);
	const managed = findManagedGroups({ hooks });
	return toHooks(place).flatMap((hook) => {
		const groups = isJsonObject(hooks) ? hooks[hook.event] : [];
		const at = Array.isArray(groups) ? groups.indexOf(managed[hook.event]?.[0]) : 0;
		return [...folders].map((folder) => ({ key: trustKey(join(folder, 'hooks.json'), hook.event, at), hash: toHash(hook) }));
	});
}

type Trust = { key: string; hash: string };

/** After the header, where Codex keeps it when it rewrites the file. */
const MARK = '# --roost-managed';

export function withTrust(text: string | null, trusts: readonly Trust[], path: string): Result<string> {
	const base = withoutTrust(text);
	const headers = new Map(trusts.map(({ key }) => [`[hooks.state.${tomlString(key)}]`, key]));
	const lines = (base ?? '').split('\n').map((line) => line.trim());
	if (setsInline(lines)) return err(refusal(path, 'it sets hooks or hooks.state as one value, which cannot be added to'));
	const taken = lines.find((line) => headers.has(line));
	if (taken !== undefined) return err(refusal(path, `it has ${taken} already`));
	const tables = trusts.map(({ key, hash }) => `[hooks.state.${tomlString(key)}] ${MARK}\ntrusted_hash = ${tomlString(hash)}\n`);
	return ok(`${base === null ? '' : `${base}\n`}${tables.join('')}`);
}

/** Removes tables with everything that Codex added to them; null where nothing else is left. */
export function withoutTrust(text: string | null): string | null {
	if (text === null) return null;
	const left = text.replace(OURS, '');
	return left === '' && left !== text && !text.startsWith('\n') ? null : left;
}

const TABLES = `(?:\\[hooks\\.state\\.[^\\n]*\\] ${MARK}(?:\\n|$)(?:[^\\n#[][^\\n]*(?:\\n|$))*)+`;
/** Includes the line break that was added before them. */
const OURS = new RegExp(`\\n${TABLES}$|(?<=\\n)\\n${TABLES}|(?<=^|\\n)${TABLES}`, 'g');

function setsInline(lines: readonly string[]): boolean {
	let table = '';
	for (const line of lines) {
		table = /^\[+([^\]]*)\]/.exec(line)?.[1]?.trim() ?? table;
		if (table === '' && /^hooks\s*(?:\.\s*state\s*)?=/.test(line)) return true;
		if (table === 'hooks' && /^state\s*=/.test(line)) return true;
	}
	return false;
}

function refusal(path: string, why: string): AppError {
	return new AppError('conflict', `${path} was left as it is: ${why}. Fix this and retry.`);
}
