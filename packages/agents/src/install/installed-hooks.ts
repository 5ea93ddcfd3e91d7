// The hook entries that `roost hooks install` puts into a project, and how they are told from the user's own.
import { isAbsolute } from 'node:path';
import { toPinnedArgv } from '@roost/core/process/loader-variables';
import { isJsonObject, type JsonObject } from '../base/json-object.ts';
import { LISTENED_HOOKS } from '../hooks/hook-names.ts';

/** An argument the forwarder ignores: Claude Code hands it on as it is, and keeps it when it rewrites the file. */
export const MARKER = '--roost-managed';

/** By hook event: the one group that is ours. */
export type InstalledHooks = Record<string, JsonObject>;

export type InstalledHooksOptions = {
	forwarder: { node: string; script: string };
	/** Known before any runner is up, and the same after each restart. */
	socketPath: string;
	/** Holds the project's secret, so that it stands in no argument and in no file of the project. */
	secretFile: string;
	/** Says how to start a runner where none is up. */
	startFile: string;
};

/** Seconds: Claude waits no longer, even where a runner hangs. */
const TIMEOUT_S = 10;
/** Where work begins: a session that starts, or goes on after the runner ended for want of anything to do. */
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

/** The command and the files it runs, as a marked entry names them before its own options. */
export function programOf(hook: JsonObject): string[] {
	const args = Array.isArray(hook.args) ? hook.args.slice(0, hook.args.indexOf(MARKER)) : [];
	return [hook.command, ...args].filter((path) => typeof path === 'string' && isAbsolute(path));
}

export function isManagedHook(hook: unknown): hook is JsonObject {
	if (!isJsonObject(hook)) return false;
	// Where a hook is one line for a shell, it has no arguments of its own.
	return Array.isArray(hook.args) ? hook.args.includes(MARKER) : String(hook.command).includes(` ${MARKER} `);
}

/** Every group that holds an entry of ours, by event, as the settings have it now. */
export function findManagedGroups(settings: JsonObject): Record<string, JsonObject[]> {
	const hooks = Object.entries(isJsonObject(settings.hooks) ? settings.hooks : {});
	const found = hooks.map(([event, groups]) => [event, (Array.isArray(groups) ? groups : []).filter(isManagedGroup)] as const);
	return Object.fromEntries(found.filter(([, groups]) => groups.length > 0));
}

/** No hook of the user's stands beside ours. */
export function isWhollyManaged(group: JsonObject): boolean {
	return Array.isArray(group.hooks) && group.hooks.every(isManagedHook);
}

function isManagedGroup(group: unknown): group is JsonObject {
	return isJsonObject(group) && Array.isArray(group.hooks) && group.hooks.some(isManagedHook);
}
