// Hook settings of one launch for `--settings`; the user's files stay unchanged.
import { pinLinker, toPinnedArgv } from '@roost/core/process/loader-variables';
import type { GateMode } from '@roost/core/runtime/gate-mode';
import { toHookSeconds, toProgramMs } from '../../base/ask-timeouts.ts';
import { type HookName, isGatingHook, LISTENED_HOOKS } from '../../hooks/hook-names.ts';
import type { Forwarder } from '../../kind/observed-kind.ts';

export type HookSettings = {
	/** Set here because it overrides a repository's settings. */
	disableAllHooks: false;
	env: Record<string, string>;
	hooks: Record<string, [{ hooks: [HookEntry] }]>;
};

export type HookEntry = HttpHook | CommandHook;
type Common = { timeout: number; onFailure?: 'block'; statusMessage?: string };
type HttpHook = Common & { type: 'http'; url: string; headers: Record<string, string>; allowedEnvVars: string[] };
type CommandHook = Common & { type: 'command'; command: string; args: string[] };

export type HookSettingsOptions = {
	httpUrl: string;
	socketPath: string;
	forwarder: Forwarder;
	gate: GateMode;
	transport: 'http' | 'command';
	/** Pinned, so that no repository can replace it; only the owner can read the file. */
	secret?: string;
	/** For proxy exceptions and the dynamic linker. */
	env?: NodeJS.ProcessEnv;
};

const SECRET_VARIABLE = 'ROOST_HOOK_SECRET';
const LOOPBACK = '127.0.0.1';

/** Claude Code does not support HTTP hooks for these. */
const COMMAND_ONLY: readonly HookName[] = ['SessionStart', 'Setup'];

/** Seconds. Without it SessionEnd is cut short. */
const TIMEOUT_S = 10;

/** Shown by Claude instead of a dialog while such a hook waits. */
const WAITING = 'Waiting for approval in Roost: see "roost asks" in another terminal';

export function buildHookSettings(options: HookSettingsOptions): HookSettings {
	return {
		disableAllHooks: false,
		env: pinnedEnvironment(options),
		hooks: Object.fromEntries(LISTENED_HOOKS.map((name) => [name, [{ hooks: [hookEntry(name, options)] }]])),
	};
}

function pinnedEnvironment(options: HookSettingsOptions): Record<string, string> {
	const { secret, env = process.env } = options;
	const noProxy = env.NO_PROXY ?? env.no_proxy ?? '';
	// Claude sends HTTP hooks through a proxy even on loopback: the secret would leave this machine.
	const direct = noProxy === '*' ? noProxy : [noProxy, LOOPBACK].filter(Boolean).join(',');
	return {
		...pinLinker(env),
		ROOST_HOOK_SOCKET: options.socketPath,
		ROOST_HOOK_GATE: options.gate,
		NO_PROXY: direct,
		no_proxy: direct,
		...(secret === undefined ? {} : { [SECRET_VARIABLE]: secret }),
	};
}

function hookEntry(name: HookName, options: HookSettingsOptions): HookEntry {
	const gating = isGatingHook(name);
	const { node, script, askMs } = options.forwarder;
	const timeout = gating ? toHookSeconds(askMs) : TIMEOUT_S;
	const common: Common =
		gating && options.gate === 'enforce' ? { timeout, onFailure: 'block', statusMessage: WAITING } : { timeout };
	if (options.transport === 'command' || COMMAND_ONLY.includes(name)) {
		const [command, ...args] = toPinnedArgv([node, script, name, ...(gating ? ['--wait-ms', String(toProgramMs(askMs))] : [])]);
		return { type: 'command', command, args, ...common };
	}
	const headers = { authorization: `Bearer $${SECRET_VARIABLE}` };
	return { type: 'http', url: options.httpUrl, headers, allowedEnvVars: [SECRET_VARIABLE], ...common };
}
