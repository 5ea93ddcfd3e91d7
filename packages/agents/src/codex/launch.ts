// How to start the user's own codex so that it reports to Roost.
import { toPinnedArgv } from '@roost/core/process/loader-variables';
import type { GateMode } from '@roost/core/runtime/gate-mode';
import { AppError } from '@roost/protocol/app-error';
import { err, ok } from '@roost/protocol/result';
import { beforeOperands, optionValues, quoteArgv } from '../base/argv.ts';
import { toHookSeconds, toProgramMs } from '../base/ask-timeouts.ts';
import type { Forwarder, Launchable } from '../kind/observed-kind.ts';
import { toHookArgs } from './config-args.ts';
import { type Enforced, toEnforced } from './enforced.ts';

export type CodexArgs = ReturnType<typeof readCodexArgs>;

const HEADLESS = new Set(['exec', 'e', 'review']);
const IN_TERMINAL = new Set(['', 'resume', 'fork']);
/** Their agents run in a shared server with its own hooks. */
const ELSEWHERE = new Set(['agents', 'queue', 'remote-control', 'app-server', 'exec-server', 'cloud']);
const MANAGEMENT = new Set(
	'login logout mcp plugin completion update doctor sandbox debug apply a archive delete migrate-rollouts migrate-nfs-db unarchive features help'.split(
		' ',
	),
);
const COMMANDS = new Set([...HEADLESS, ...IN_TERMINAL, ...ELSEWHERE, ...MANAGEMENT]);
const WITH_VALUE = new Set(
	'-c --config --enable --disable --remote --remote-auth-token-env -i --image -m --model --local-provider -p --profile -s --sandbox -C --cd --add-dir -a --ask-for-approval'.split(
		' ',
	),
);
const ANSWERS_AND_EXITS = new Set(['--help', '-h', '--version', '-V']);
/** `-c` in all spellings, for settings of hooks. */
const HOOK_SETTING = /^(?:-c|--config)?=?\s*["']?(?:hooks\b|features\b.*\bhooks\b)/;
const HOOKS_OFF = /^--disable=(?:codex_)?hooks$|^--remote(?:=|$)/;

export function readCodexArgs(given: readonly string[]) {
	const options = beforeOperands(given);
	const command = findCommand(options);
	return {
		args: given,
		/** Empty for the terminal itself. */
		command,
		headless: HEADLESS.has(command),
		/** Roost's hooks would not run, or others instead. */
		skipsHooks: ELSEWHERE.has(command) || options.some((arg, at) => isHookSetting(arg, options[at - 1])),
		managementOnly: MANAGEMENT.has(command) || options.some((arg) => ANSWERS_AND_EXITS.has(arg)),
		folder: optionValues(options, ['-C', '--cd']).at(-1),
	};
}

/** The first word that belongs to no option; otherwise it is a prompt. */
function findCommand(options: readonly string[]): string {
	const word = options.find((arg, at) => !arg.startsWith('-') && !WITH_VALUE.has(options[at - 1] ?? ''));
	return word !== undefined && COMMANDS.has(word) ? word : '';
}

function isHookSetting(arg: string, before = ''): boolean {
	if (before === '--disable') return /^(?:codex_)?hooks$/.test(arg);
	if (before === '-c' || before === '--config') return HOOK_SETTING.test(arg);
	return HOOKS_OFF.test(arg) || (/^(?:-c|--config=)./.test(arg) && HOOK_SETTING.test(arg));
}

/** The events of a launch. */
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

const TIMEOUT_S = 10;
/** The maximum for this hook. */
const LAST_TIMEOUT_S = 3;
/** Codex continues if a hook fails to run, except with exit code 2. */
const OR_REFUSE = ` || { echo 'Roost could not be asked, and this session requires its decision.' >&2; exit 2; }`;

export const CODEX_REPORTS = [
	...[...ASKS, ...REPORTS].map((event) => ({ event, timeoutS: TIMEOUT_S })),
	{ event: 'SessionEnd', timeoutS: LAST_TIMEOUT_S },
];

const NOTHING: Enforced = { settings: [], switchedOff: [], says: [] };

/** Roost's arguments come last and override the user's; only operands follow. */
export function toCodexArgv(
	{ args, command }: CodexArgs,
	forwarder: Forwarder,
	gate: GateMode,
	enforced: Enforced = NOTHING,
): string[] {
	const { node, script, askMs } = forwarder;
	const toHook =
		(timeoutS: number, otherwise: string, ...waits: string[]) =>
		(event: string) => ({
			event,
			command: `${quoteArgv(toPinnedArgv([node, script, event, ...waits]))}${otherwise}`,
			timeoutS,
		});
	const ours = [
		...ASKS.map(toHook(toHookSeconds(askMs), gate === 'enforce' ? OR_REFUSE : '', '--wait-ms', String(toProgramMs(askMs)))),
		...REPORTS.map(toHook(TIMEOUT_S, '')),
		toHook(LAST_TIMEOUT_S, '')('SessionEnd'),
	];
	const hooks = toHookArgs(ours, enforced.switchedOff);
	const options = beforeOperands(args);
	// A daemon would run the hooks in the environment of another launch.
	const alone = IN_TERMINAL.has(command) ? ['--no-daemon'] : [];
	return [...options, ...alone, ...enforced.settings, ...hooks, ...args.slice(options.length)];
}

export const CODEX_LAUNCH = {
	read: async ({ args }) => ok(readCodexArgs(args)),
	async prepare(launch) {
		const { args, gate, forwarder } = launch;
		const read = readCodexArgs(args);
		if (read.skipsHooks && gate === 'enforce') return err(new AppError('usage', CANNOT_ENFORCE));
		const enforced = gate === 'enforce' ? await toEnforced({ ...read, options: beforeOperands(args) }, launch) : ok(NOTHING);
		if (!enforced.ok) return enforced;
		const argv = toCodexArgv(read, forwarder, gate, enforced.value);
		const added = read.skipsHooks ? NOT_ON_RECORD : argv.includes('--no-daemon') ? ADDED_ALONE : ADDED;
		return ok({ argv, says: [added, ...enforced.value.says] });
	},
} satisfies Launchable;

const ADDED = "added Roost's hooks to this launch of codex.";
const ADDED_ALONE = `${ADDED.slice(0, -1)}, and --no-daemon, because a server that other launches share would run their hooks instead.`;
const NOT_ON_RECORD = 'with these arguments codex may run without the hooks of this launch: this session may not be on record.';
const CANNOT_ENFORCE =
	'With these arguments codex would run elsewhere or with other hooks, so nothing could be enforced: leave out --remote and settings of hooks, or leave out --enforce.';
