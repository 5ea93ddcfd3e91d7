// Values for `codex -c key=value`, which Codex reads as TOML.
import { createHash } from 'node:crypto';

export function tomlString(text: string): string {
	// JSON escapes what TOML must have escaped, all but the delete character.
	return JSON.stringify(text).replaceAll('\u007f', '\\u007f');
}

export function tomlList(texts: readonly string[]): string {
	return `[${texts.map(tomlString).join(', ')}]`;
}

/** As the arguments of a command line. */
export function toConfigArgs(settings: Readonly<Record<string, string>>): string[] {
	return Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
}

/** No file of these folders decides what runs, whatever the user once answered in a dialog. */
export function untrust(folders: readonly string[]): string {
	return `{${folders.map((folder) => `${tomlString(folder)}={trust_level="untrusted"}`).join(', ')}}`;
}

export type CodexHook = {
	/** As Codex' settings name it: `PreToolUse`. */
	event: string;
	/** One line for a shell. */
	command: string;
	timeoutS: number;
};

/** One hook for each event; they are the session's own, beside those of the user but for the ones that are switched off. */
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

/** By which Codex trusts a hook that is the first of its event in that file. */
export function toTrust(hook: CodexHook, file: string): string {
	return `${tomlString(trustKey(file, hook.event))}={trusted_hash=${tomlString(toHash(hook))}}`;
}

/** For the first hook of a group. */
export function trustKey(file: string, event: string, group = 0): string {
	return `${file}:${snakeCase(event)}:${group}:0`;
}

/** Codex hashes what a hook is, as JSON with sorted keys. */
export function toHash({ event, command, timeoutS }: CodexHook): string {
	const handler = { async: false, command, timeout: timeoutS, type: 'command' };
	const identity = JSON.stringify({ event_name: snakeCase(event), hooks: [handler] });
	return `sha256:${createHash('sha256').update(identity).digest('hex')}`;
}

function snakeCase(name: string): string {
	return name.replaceAll(/(?<=[a-z])[A-Z]/g, '_$&').toLowerCase();
}
