// The settings file of one launch: Roost's hooks on top of the user's settings.
import { readdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { GateMode } from '@roost/core/runtime/gate-mode';
import type { LaunchOpened } from '@roost/protocol/api/launches';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { z } from 'zod';
import type { Forwarder } from '../kind/observed-kind.ts';
import { readJson, valueAt } from '../repository/json-file.ts';
import { buildHookSettings, type HookSettings } from './hooks/settings.ts';
import { claudePlaces } from './sdk/read-surroundings.ts';

const settings = z.looseObject({
	env: z.record(z.string(), z.string()).optional(),
	hooks: z.record(z.string(), z.array(z.unknown())).optional(),
});
export type Settings = z.infer<typeof settings>;

export function parseSettings(value: unknown): Settings | undefined {
	return settings.safeParse(value).data;
}

/** `given` is JSON or the path of a JSON file, as for claude. */
export async function readUserSettings(given: string | null, cwd: string): Promise<Result<Settings>> {
	if (given === null) return ok({});
	try {
		const text = given.trimStart().startsWith('{') ? given : await readFile(resolve(cwd, given), 'utf8');
		return ok(settings.parse(JSON.parse(text)));
	} catch (cause) {
		return err(new AppError('usage', `--settings takes JSON or a file with JSON; "${given}" is neither.`, { cause }));
	}
}

/** The user's hooks run too, and cannot disable Roost's. */
export function mergeSettings(user: Settings, ours: Settings): Settings {
	const hooks: Record<string, unknown[]> = { ...user.hooks };
	for (const [event, entries] of Object.entries(ours.hooks ?? {})) hooks[event] = [...(hooks[event] ?? []), ...entries];
	return { ...user, ...ours, env: { ...user.env, ...ours.env }, hooks };
}

/** Shown inside Claude's screen, which hides earlier output. */
export function withNotice(settings: Settings, systemMessage: string): Settings {
	const hook = { type: 'command', command: '/bin/echo', args: [JSON.stringify({ systemMessage })], timeout: NOTICE_TIMEOUT_S };
	const starts = [...(settings.hooks?.SessionStart ?? []), { matcher: 'startup|resume', hooks: [hook] }];
	return { ...settings, hooks: { ...settings.hooks, SessionStart: starts } };
}

const NOTICE_TIMEOUT_S = 10;

export function launchHooks(
	hooks: LaunchOpened['hooks'],
	launch: { forwarder: Forwarder; gate: GateMode; env: Readonly<Record<string, string | undefined>> },
): HookSettings {
	return buildHookSettings({ ...hooks, ...launch, transport: 'http' });
}

/** Null without a choice. `typed`: settings from the command line, which override the file. */
export async function readChosenMode(typed: Settings, env: Readonly<Record<string, string | undefined>>): Promise<string | null> {
	const { configDir } = claudePlaces(env, env.HOME || homedir());
	return modeOf(typed) ?? (await readMode(join(configDir, 'settings.json')));
}

/** Overrides the settings of a repository. */
export function withMode(settings: Settings, mode: string): Settings {
	const permissions = typeof settings.permissions === 'object' ? settings.permissions : {};
	return { ...settings, permissions: { ...permissions, defaultMode: mode } };
}

async function readMode(path: string): Promise<string | null> {
	const read = await readJson(path);
	return read.kind === 'json' ? modeOf(read.value) : null;
}

function modeOf(settings: unknown): string | null {
	const mode = valueAt(settings, 'permissions', 'defaultMode');
	return typeof mode === 'string' && mode !== '' ? mode : null;
}

const FOLDERS: Partial<Record<NodeJS.Platform, string>> = {
	darwin: '/Library/Application Support/ClaudeCode',
	win32: 'C:\\Program Files\\ClaudeCode',
};
const SWITCHES = ['disableAllHooks', 'allowManagedHooksOnly', 'strictPluginOnlyCustomization'];

/** Managed settings override Roost's: where they disable other hooks, nothing can be enforced. Null where they do not. */
export async function refuseManaged(folder = FOLDERS[process.platform] ?? '/etc/claude-code'): Promise<string | null> {
	const dropIns = join(folder, 'managed-settings.d');
	const names = await readdir(dropIns).catch(() => []);
	for (const path of [join(folder, 'managed-settings.json'), ...names.map((name) => join(dropIns, name))]) {
		const read = await readJson(path);
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
