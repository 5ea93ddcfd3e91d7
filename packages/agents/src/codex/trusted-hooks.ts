// Hooks on Codex' command line, with the hashes by which it trusts them: without those it passes over them in silence.
import { createHash } from 'node:crypto';
import { toConfigArgs, tomlString } from './toml.ts';

export type CodexHook = {
	/** As Codex' settings name it: `PreToolUse`. */
	event: string;
	/** One line for a shell. */
	command: string;
	timeoutS: number;
};

/** One hook for each event; they are the session's own, beside those of the user. */
export function toHookArgs(hooks: readonly CodexHook[]): string[] {
	const entries = hooks.map(({ event, command, timeoutS }) => [
		`hooks.${event}`,
		`[{hooks=[{type="command", command=${tomlString(command)}, timeout=${timeoutS}}]}]`,
	]);
	const state = hooks.map((hook) => `${tomlString(toKey(hook))}={trusted_hash=${tomlString(toHash(hook))}}`);
	return toConfigArgs({ 'features.hooks': 'true', ...Object.fromEntries(entries), 'hooks.state': `{${state.join(', ')}}` });
}

function toKey({ event }: CodexHook): string {
	return `/<session-flags>/config.toml:${snakeCase(event)}:0:0`;
}

/** Codex hashes what a hook is, as JSON with sorted keys. */
function toHash({ event, command, timeoutS }: CodexHook): string {
	const handler = { async: false, command, timeout: timeoutS, type: 'command' };
	const identity = JSON.stringify({ event_name: snakeCase(event), hooks: [handler] });
	return `sha256:${createHash('sha256').update(identity).digest('hex')}`;
}

function snakeCase(name: string): string {
	return name.replaceAll(/(?<=[a-z])[A-Z]/g, '_$&').toLowerCase();
}
