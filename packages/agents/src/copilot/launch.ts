// How to start the user's own copilot so that it reports to Roost: its arguments, and a plugin of this launch with its hooks.
import { AppError } from '@roost/protocol/app-error';
import { err, ok } from '@roost/protocol/result';
import type { Forwarder, Launchable, LaunchRead } from '../launchable.ts';
import { type PluginHook, writeHookPlugin } from './hook-plugin.ts';
import { findHookSwitch } from './hook-switches.ts';
import { COPILOT_HOOKS } from './observed-words.ts';

export type CopilotArgs = LaunchRead & {
	/** Its session runs elsewhere, where no hook of this launch is. */
	skipsHooks: boolean;
};

const COMMANDS = new Set(
	'app login help init config update version workflow sessions memories plugin mcp skill instruction lsp sandbox completion'.split(
		' ',
	),
);
const ANSWERS_AND_EXITS = new Set(['--help', '-h', '--version', '-v']);
const HEADLESS = /^(?:-p|--prompt)(?:=|$)|^--acp$/;
const ELSEWHERE = /^--(?:connect|environment-host|acp)(?:=|$)/;

export function readCopilotArgs(given: readonly string[]): CopilotArgs {
	const operandsAt = given.indexOf('--');
	const options = operandsAt < 0 ? given : given.slice(0, operandsAt);
	return {
		headless: options.some((arg) => HEADLESS.test(arg)),
		skipsHooks: options.some((arg) => ELSEWHERE.test(arg)),
		managementOnly: COMMANDS.has(given[0] ?? '') || options.some((arg) => ANSWERS_AND_EXITS.has(arg)),
	};
}

/** Seconds; Copilot lets a call pass whose hook takes longer, so Roost (and its forwarder) answer before. */
const ASK_TIMEOUT_S = 330;
const TIMEOUT_S = 10;

/** A hook that cannot be run at all is a refusal to Copilot. */
export function toCopilotHooks({ node, script }: Forwarder): Record<string, PluginHook> {
	const entries = COPILOT_HOOKS.map(({ native, hookName }): [string, PluginHook] => [
		native,
		{ program: [node, script, hookName, '--plain'], timeoutSec: hookName === 'PreToolUse' ? ASK_TIMEOUT_S : TIMEOUT_S },
	]);
	return Object.fromEntries(entries);
}

export const COPILOT_LAUNCH: Launchable = {
	read: readCopilotArgs,
	async prepare({ args, gate, cwd, dir, forwarder }) {
		const problem = readCopilotArgs(args).skipsHooks ? ELSEWHERE_REASON : await findHookSwitch(cwd);
		if (problem !== null && gate === 'enforce') return err(new AppError('usage', toRefusal(problem)));
		const plugin = await writeHookPlugin(dir, toCopilotHooks(forwarder));
		if (!plugin.ok) return plugin;
		const said = problem === null ? ADDED : `${problem}: this session may not be on record.`;
		return ok({ argv: [...plugin.value.argv, ...args], says: [said] });
	},
};

const ADDED = "added --plugin-dir with Roost's hooks for this launch of copilot.";
const ELSEWHERE_REASON = 'with --connect, --acp or --environment-host the session of copilot is another';

function toRefusal(problem: string): string {
	return `${problem}, so nothing could be enforced: change that, or leave out --enforce.`;
}
