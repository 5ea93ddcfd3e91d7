// How to start the user's own copilot so that it reports to Roost: its arguments, and a plugin of this launch with its hooks.
import { resolve } from 'node:path';
import { AppError } from '@roost/protocol/app-error';
import { err, ok } from '@roost/protocol/result';
import { toHookSeconds, toProgramMs } from '../base/ask-timeouts.ts';
import { beforeOperands, optionValues } from '../base/option-values.ts';
import type { Forwarder, Launchable, LaunchRead } from '../kind/observed-kind.ts';
import { toEnforced } from './enforced.ts';
import { type PluginHook, writeHookPlugin } from './hook-plugin.ts';
import { findHookSwitch } from './hook-switches.ts';
import { COPILOT_HOOKS } from './observed-words.ts';

export type CopilotArgs = LaunchRead & {
	/** Its session runs elsewhere, where no hook of this launch is. */
	skipsHooks: boolean;
};

const COMMANDS = new Set(
	'app login help config update version sessions memories plugin mcp skill instruction lsp sandbox completion'.split(' '),
);
/** They start agents that no hook of a launch reaches. */
const AGENT_COMMANDS = new Set(['workflow', 'init']);
const ANSWERS_AND_EXITS = new Set(['--help', '-h', '--version', '-v']);
const HEADLESS = /^(?:-p|--prompt)(?:=|$)|^--acp$/;
const ELSEWHERE = /^--(?:connect|environment-host|ahp-host|acp|server|headless)(?:=|$)/;

export function readCopilotArgs(given: readonly string[]): CopilotArgs {
	const options = beforeOperands(given);
	return {
		headless: options.some((arg) => HEADLESS.test(arg)),
		skipsHooks: AGENT_COMMANDS.has(given[0] ?? '') || options.some((arg) => ELSEWHERE.test(arg)),
		folder: optionValues(options, ['-C']).at(-1),
		managementOnly: COMMANDS.has(given[0] ?? '') || options.some((arg) => ANSWERS_AND_EXITS.has(arg)),
	};
}

/** Seconds; Copilot lets a call pass whose hook takes longer. */
const TIMEOUT_S = 10;

/** A hook that cannot be run at all is a refusal to Copilot. */
export function toCopilotHooks({ node, script, askMs }: Forwarder): Record<string, PluginHook> {
	const entries = COPILOT_HOOKS.map(({ native, hookName }): [string, PluginHook] => {
		const program = [node, script, hookName, '--plain'] as const;
		if (hookName !== 'PreToolUse') return [native, { program, timeoutSec: TIMEOUT_S }];
		const waiting = [...program, '--wait-ms', String(toProgramMs(askMs))] as const;
		return [native, { program: waiting, timeoutSec: toHookSeconds(askMs) }];
	});
	return Object.fromEntries(entries);
}

export const COPILOT_LAUNCH = {
	read: async ({ args }) => ok(readCopilotArgs(args)),
	async prepare(launch) {
		const { args, gate, dir, forwarder } = launch;
		const read = readCopilotArgs(args);
		const options = beforeOperands(args);
		const problem = read.skipsHooks ? ELSEWHERE_REASON : await findHookSwitch(resolve(launch.cwd, read.folder ?? ''));
		if (problem !== null && gate === 'enforce') return err(new AppError('usage', toRefusal(problem)));
		const enforced = gate === 'enforce' ? await toEnforced({ ...read, options }, launch) : ok([]);
		if (!enforced.ok) return enforced;
		const plugin = writeHookPlugin(dir, toCopilotHooks(forwarder));
		if (!plugin.ok) return plugin;
		const said = problem === null ? ADDED : `${problem}: this session may not be on record.`;
		// Hooks run in the order of plugins: the last one sees a call as it will run.
		const argv = [...options, ...enforced.value, ...plugin.value.argv, ...args.slice(options.length)];
		return ok({ argv: read.skipsHooks ? [...args] : argv, says: [said] });
	},
} satisfies Launchable;

const ADDED = "added --plugin-dir with Roost's hooks for this launch of copilot.";
const ELSEWHERE_REASON = 'with these arguments the session of copilot runs where no hook of this launch is';

function toRefusal(problem: string): string {
	return `${problem}, so nothing could be enforced: change that, or leave out --enforce.`;
}
