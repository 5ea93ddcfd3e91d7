// Arguments for `codex -c key=value`, read as TOML, and hooks on the command line with the hashes by which Codex trusts them.
import { createHash } from 'node:crypto';

export function tomlString(text: string): string {
	// JSON escapes everything that TOML requires, except the delete character.
	return JSON.stringify(text).replaceAll('\u007f', '\\u007f');
}

export function tomlList(texts: readonly string[]): string {
	return `[${texts.map(tomlString).join(', ')}]`;
}

export function toConfigArgs(settings: Readonly<Record<string, string>>): string[] {
	return Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
}

/** Files of these folders have no effect, whatever the user answered in a trust dialog before. */
export function untrust(folders: readonly string[]): string {
	return `{${folders.map((folder) => `${tomlString(folder)}={trust_level="untrusted"}`).join(', ')}}`;
}

export type CodexHook = {
	/** As in Codex' settings: `PreToolUse`. */
	event: string;
	command: string;
	timeoutS: number;
};

/** One hook per event, in addition to the user's own hooks except those that are disabled. */
export function toHookArgs(hooks: readonly CodexHook[], switchedOff: readonly string[] = []): string[] {
	const entries = hooks.map(({ event, command, timeoutS }) => [
		`hooks.${event}`,
		`[{hooks=[{type="command", command=${tomlString(command)}, timeout=${timeoutS}}]}]`,
	]);
	const state = [
		...hooks.map((hook) => toTrust(hook, SESSION_FLAGS)),
		...switchedOff.map((key) => `${tomlString(key)}={enabled=false}`),
	];
	return toConfigArgs({ 'features.hooks': 'true', ...Object.fromEntries(entries), 'hooks.state': `{${state.join(', ')}}` });
}

const SESSION_FLAGS = '/<session-flags>/config.toml';

/** The trust entry for the first hook of its event in that file. */
export function toTrust(hook: CodexHook, file: string): string {
	return `${tomlString(trustKey(file, hook.event))}={trusted_hash=${tomlString(toHash(hook))}}`;
}

/** For the first hook of a group. */
export function trustKey(file: string, event: string, group = 0): string {
	return `${file}:${snakeCase(event)}:${group}:0`;
}

/** As Codex computes it: JSON with sorted keys. */
export function toHash({ event, command, timeoutS }: CodexHook): string {
	const handler = { async: false, command, timeout: timeoutS, type: 'command' };
	const identity = JSON.stringify({ event_name: snakeCase(event), hooks: [handler] });
	return `sha256:${createHash('sha256').update(identity).digest('hex')}`;
}

function snakeCase(name: string): string {
	return name.replaceAll(/(?<=[a-z])[A-Z]/g, '_$&').toLowerCase();
}
