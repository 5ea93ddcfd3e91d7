// Restrictions of an enforced launch of claude: nothing may skip Roost's hooks or change a call after them. It loads no settings files; Roost passes them.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { onlySet } from '@roost/core/runtime/child-environment';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { beforeOperands } from '../base/argv.ts';
import { isJsonObject, type JsonObject } from '../base/json-object.ts';
import type { Launch, LaunchRunner } from '../kind/observed-kind.ts';
import { readJson } from '../repository/json-file.ts';
import { deploySurroundings } from './claude-adapter.ts';
import type { ClaudeArgs } from './launch.ts';
import { parseSettings, type Settings } from './launch-settings.ts';
import { claudePlaces, createReadSurroundings } from './sdk/read-surroundings.ts';

/** Flags that disable hooks, load other hooks, or run the session elsewhere. */
const REFUSED_FLAGS: ReadonlyMap<string, string> = new Map([
	['--bare', 'switches every hook off'],
	['--safe-mode', 'switches every hook off'],
	['--managed-settings', 'can switch hooks off'],
	['--managed-settings-in-initialize', 'can switch hooks off'],
	...[
		'--setting-sources',
		'--plugin-dir',
		'--plugin-dir-no-mcp',
		'--plugin-url',
		'--agents',
		'--project-config-root',
		'--forward-home-settings',
	].map((flag) => [flag, 'can load hooks that change a call after it was approved'] as const),
	...['--bg', '--background', '--cloud', '--remote', '--environment', '--teleport', '--desktop', '--agents-view-if-allowed'].map(
		(flag) => [flag, 'runs the session elsewhere'] as const,
	),
]);

/** They use sessions that Roost did not start. */
const REFUSED_COMMANDS: ReadonlySet<string> = new Set(['agents', 'attach', 'gateway', 'respawn', 'ultrareview']);

const REFUSED_VARIABLE =
	/^CLAUDE_CODE_(SIMPLE|SAFE_MODE|PERSONAL_HOOKS_OFF|(?:\w+_)?PLUGIN_DIRS?|MANAGED_SETTINGS_PATH|EXPERIMENTAL_AGENT_TEAMS)$/;

/** Null where it can be enforced. */
export function refuseToEnforce(args: readonly string[], env: Readonly<Record<string, string | undefined>>): string | null {
	for (const arg of beforeOperands(args)) {
		const flag = arg.split('=', 1)[0] ?? '';
		const why = REFUSED_FLAGS.get(flag);
		if (why !== undefined) return `${flag} ${why}, so nothing could be enforced: leave it out, or leave out --enforce.`;
	}
	if (REFUSED_COMMANDS.has(args[0] ?? ''))
		return `"claude ${args[0]}" runs sessions that Roost does not see, so nothing could be enforced: leave out --enforce.`;
	const variable = Object.keys(env).find((name) => REFUSED_VARIABLE.test(name) && env[name] !== '');
	return variable === undefined
		? null
		: `${variable} is set and lets claude act without Roost's hooks, so nothing could be enforced: unset it, or leave out --enforce.`;
}

/** With several hooks the last answer decides the input of a call, so only Roost's may answer. */
const CALL_HOOKS: ReadonlySet<string> = new Set(['PreToolUse', 'PermissionRequest']);
const PLUGIN_KEYS: ReadonlySet<string> = new Set(['enabledPlugins', 'extraKnownMarketplaces', 'pluginConfigs']);

type KeptSettings = ReturnType<typeof keepForEnforce>;

/** Removes what could change an approved call; `where` names the settings for the user. */
export function keepForEnforce(given: JsonObject, where: string) {
	const leftOut: string[] = [];
	const leave = (what: string) =>
		leftOut.push(`${what} of ${where} have no effect with --enforce: they could change approved calls.`);
	const settings = Object.fromEntries(Object.entries(given).filter(([key]) => !PLUGIN_KEYS.has(key)));
	if (isJsonObject(given.enabledPlugins) && Object.values(given.enabledPlugins).includes(true)) leave('Plugins');
	if (isJsonObject(given.hooks)) {
		const kept = Object.entries(given.hooks).filter(([event]) => !CALL_HOOKS.has(event));
		if (kept.length < Object.keys(given.hooks).length) leave('PreToolUse and PermissionRequest hooks');
		settings.hooks = Object.fromEntries(kept);
	}
	if (isJsonObject(given.env))
		settings.env = Object.fromEntries(Object.entries(given.env).filter(([name]) => !REFUSED_VARIABLE.test(name)));
	return { settings, leftOut };
}

/** Like claude: maps by key, lists concatenated, otherwise the later value. */
export function joinSettings(first: JsonObject, second: JsonObject): JsonObject {
	const joined: JsonObject = { ...first };
	for (const [key, value] of Object.entries(second)) {
		const before = Object.hasOwn(joined, key) ? joined[key] : undefined;
		if (Array.isArray(before) && Array.isArray(value)) joined[key] = [...before, ...value];
		else joined[key] = isJsonObject(before) && isJsonObject(value) ? joinSettings(before, value) : value;
	}
	return joined;
}

type IsolatedLaunch = { settings: Settings; argv: readonly string[]; says: readonly string[] };

/** Other hooks could change an approved call, and a repository's settings start programs. */
const NO_SETTING_FILES = '--setting-sources=';

export async function isolateLaunch(
	{ read, given, isTrusted }: { read: ClaudeArgs; given: Settings; isTrusted: LaunchRunner['isTrusted'] },
	{ env, cwd, dir }: Pick<Launch, 'env' | 'cwd' | 'dir'>,
): Promise<Result<IsolatedLaunch>> {
	const overlay = await readInstructions(read.instructionFile, cwd);
	if (!overlay.ok) return overlay;
	const homeDir = env.HOME || homedir();
	const own = await readOwnSettings(claudePlaces(env, homeDir).configDir);
	const typed = keepForEnforce(given, '--settings');
	const surroundings = await createReadSurroundings({ homeDir, env: onlySet(env), isTrusted })(cwd);
	const stateDir = join(dir, 'surroundings');
	const deployed = await deploySurroundings({ worktreePath: cwd, stateDir }, overlay.value, async () => surroundings);
	return ok({
		settings: { ...joinSettings(own.settings, typed.settings), disableSkillShellExecution: true },
		argv: [NO_SETTING_FILES, ...deployed.argv],
		says: [...own.leftOut, ...typed.leftOut, ...surroundings.leftOut],
	});
}

/** Claude accepts one such file: the user's own is appended to Roost's. */
async function readInstructions(given: string | null, cwd: string): Promise<Result<{ content: string } | undefined>> {
	if (given === null) return ok(undefined);
	try {
		return ok({ content: await readFile(resolve(cwd, given), 'utf8') });
	} catch (cause) {
		return err(new AppError('usage', `--append-system-prompt-file names "${given}", which cannot be read.`, { cause }));
	}
}

const OWN_FOLDERS = ['agents', 'commands', 'output-styles', 'skills'];

async function readOwnSettings(configDir: string): Promise<KeptSettings> {
	const path = join(configDir, 'settings.json');
	const folders = OWN_FOLDERS.filter((name) => existsSync(join(configDir, name)));
	const unused = folders.length === 0 ? [] : [`Your own ${folders.join(', ')} in ${configDir} have no effect with --enforce.`];
	const read = await readJson(path);
	if (read.kind === 'absent') return { settings: {}, leftOut: unused };
	const parsed = read.kind === 'json' ? parseSettings(read.value) : undefined;
	if (!parsed) return { settings: {}, leftOut: [`${path} has no effect because it is not a map of settings.`, ...unused] };
	const kept = keepForEnforce(parsed, 'your settings');
	return { ...kept, leftOut: [...kept.leftOut, ...unused] };
}
