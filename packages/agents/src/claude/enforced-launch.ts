// What an enforced launch of the user's own claude refuses or leaves out: whatever could skip Roost's hooks, or change a call after them.
import { isJsonObject, type JsonObject } from '../base/json-object.ts';
import { beforeOperands } from '../base/option-values.ts';

/** Beside flags that switch hooks off: those that load other hooks, and those that let the session run where Roost is not. */
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

/** These manage or attach to sessions that Roost did not start. */
const REFUSED_COMMANDS: ReadonlySet<string> = new Set(['agents', 'attach', 'gateway', 'respawn', 'ultrareview']);

const REFUSED_VARIABLE =
	/^CLAUDE_CODE_(SIMPLE|SAFE_MODE|PERSONAL_HOOKS_OFF|(?:\w+_)?PLUGIN_DIRS?|MANAGED_SETTINGS_PATH|EXPERIMENTAL_AGENT_TEAMS)$/;

/** A sentence that says what to leave out, or null where the gate holds. */
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

/** The last of several hooks to answer decides with which input a call is made, so only Roost's may answer. */
const CALL_HOOKS: ReadonlySet<string> = new Set(['PreToolUse', 'PermissionRequest']);
const PLUGIN_KEYS: ReadonlySet<string> = new Set(['enabledPlugins', 'extraKnownMarketplaces', 'pluginConfigs']);

export type KeptSettings = { settings: JsonObject; leftOut: string[] };

/** The user's own settings without what could change a call after it was approved; `where` is how people know them. */
export function keepForEnforce(given: JsonObject, where: string): KeptSettings {
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

/** As claude joins settings: maps by key, lists one after the other, and else the later one counts. */
export function joinSettings(first: JsonObject, second: JsonObject): JsonObject {
	const joined: JsonObject = { ...first };
	for (const [key, value] of Object.entries(second)) {
		const before = Object.hasOwn(joined, key) ? joined[key] : undefined;
		if (Array.isArray(before) && Array.isArray(value)) joined[key] = [...before, ...value];
		else joined[key] = isJsonObject(before) && isJsonObject(value) ? joinSettings(before, value) : value;
	}
	return joined;
}
