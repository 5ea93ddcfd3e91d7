// How to start the user's own codex so that it reports to Roost: its arguments, pure.
import { quoteArgv } from '../shell-quote.ts';
import { toHookArgs } from './trusted-hooks.ts';

export type CodexArgs = {
	/** What the user gave. */
	args: readonly string[];
	/** One run without a terminal (`exec`): it asks nobody. */
	headless: boolean;
	/** Codex itself skips every hook with such a setting. */
	skipsHooks: boolean;
	/** A management command such as `mcp list`: no agent runs, so there is nothing to govern. */
	managementOnly: boolean;
};

const AGENTS = new Set(['exec', 'e', 'resume', 'fork', 'review']);
const COMMANDS = new Set(
	'login logout mcp plugin app app-server completion sandbox debug apply a cloud features help update doctor execpolicy'.split(
		' ',
	),
);
const ANSWERS_AND_EXITS = new Set(['--help', '-h', '--version', '-V']);
const HOOKS_OFF = /^features\.hooks\s*=\s*false\s*$|^--disable=hooks$/;

export function readCodexArgs(given: readonly string[]): CodexArgs {
	const operandsAt = given.indexOf('--');
	const options = operandsAt < 0 ? given : given.slice(0, operandsAt);
	const command = given[0] ?? '';
	return {
		args: given,
		headless: command === 'exec' || command === 'e' || command === 'review',
		skipsHooks: options.some((arg, at) => HOOKS_OFF.test(arg) || (arg === 'hooks' && options[at - 1] === '--disable')),
		managementOnly: COMMANDS.has(command) || options.some((arg) => ANSWERS_AND_EXITS.has(arg)),
	};
}

/** What a launch listens to. The others say nothing that is not said by these. */
const ASKS = ['PreToolUse', 'PermissionRequest'] as const;
const REPORTS = [
	'SessionStart',
	'UserPromptSubmit',
	'PostToolUse',
	'PreCompact',
	'PostCompact',
	'SubagentStart',
	'SubagentStop',
	'Stop',
] as const;

/** Seconds; above Roost's own deadline (and the forwarder's), so that it is Roost who answers. */
const ASK_TIMEOUT_S = 330;
const TIMEOUT_S = 10;
/** Codex gives the last hook no more, and trusts none that asks for more. */
const LAST_TIMEOUT_S = 3;

/** A daemon would run the hooks in the environment of another launch, and so report for it. */
export function toCodexArgv({ args }: CodexArgs, forwarder: { node: string; script: string }): string[] {
	const toHook = (timeoutS: number) => (event: string) => ({
		event,
		command: quoteArgv([forwarder.node, forwarder.script, event]),
		timeoutS,
	});
	const hooks = toHookArgs([
		...ASKS.map(toHook(ASK_TIMEOUT_S)),
		...REPORTS.map(toHook(TIMEOUT_S)),
		toHook(LAST_TIMEOUT_S)('SessionEnd'),
	]);
	const [command = '', ...rest] = args;
	if (!AGENTS.has(command)) return ['--no-daemon', ...hooks, ...args];
	return command === 'resume' || command === 'fork' ? [command, '--no-daemon', ...hooks, ...rest] : [command, ...hooks, ...rest];
}
