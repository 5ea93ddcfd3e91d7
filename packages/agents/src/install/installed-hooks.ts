// The hook entries of `roost hooks install` in a project, and how to tell them from the user's own.
import { isAbsolute } from 'node:path';
import { toPinnedArgv } from '@roost/core/process/loader-variables';
import { isJsonObject, type JsonObject } from '../base/json-object.ts';
import { LISTENED_HOOKS } from '../hooks/hook-names.ts';

/** Ignored by the forwarder, and kept by Claude Code when it rewrites the file. */
export const MARKER = '--roost-managed';

/** One group per hook event. */
export type InstalledHooks = Record<string, JsonObject>;

export type InstalledHooksOptions = {
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

export function isWhollyManaged(group: JsonObject): boolean {
	return Array.isArray(group.hooks) && group.hooks.every(isManagedHook);
}

function isManagedGroup(group: unknown): group is JsonObject {
	return isJsonObject(group) && Array.isArray(group.hooks) && group.hooks.some(isManagedHook);
}
