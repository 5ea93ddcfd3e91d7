// How `roost claude` starts the user's own claude: with Roost's hooks in a settings file of this launch.
import type { GateMode } from '@roost/core/runtime/gate-mode';
import { writePrivateFile } from '@roost/machine/private-file';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { beforeOperands } from '../base/argv.ts';
import type { Launchable, LaunchStart } from '../kind/observed-kind.ts';
import { isolateLaunch, refuseToEnforce } from './enforced-launch.ts';
import {
	launchHooks,
	mergeSettings,
	readChosenMode,
	readUserSettings,
	refuseManaged,
	type Settings,
	withMode,
	withNotice,
} from './launch-settings.ts';

export type ClaudeArgs = ReturnType<typeof readClaudeArgs>;

const COMMANDS = new Set(
	'agents attach auth auto-mode doctor gateway help install kill logs mcp plugin plugins project respawn rm setup-token stop ultrareview update upgrade'.split(
		' ',
	),
);
const PERMISSION_FLAGS = ['--permission-mode', '--dangerously-skip-permissions'];
const ANSWERS_AND_EXITS = new Set(['--help', '-h', '--version', '-v']);

export function readClaudeArgs(given: readonly string[], gate: GateMode = 'observe') {
	const options = beforeOperands(given);
	const settings = takeOption('--settings', given, options.length);
	const instructions =
		gate === 'enforce'
			? takeOption(INSTRUCTION_FLAG, settings.args, options.length - (given.length - settings.args.length))
			: { args: settings.args, value: null };
	return {
		/** Without `--settings`, which is merged into Roost's. */
		args: instructions.args,
		userSettings: settings.value,
		/** In enforce mode: joined with Roost's own instructions. */
		instructionFile: instructions.value,
		headless: options.includes('-p') || options.includes('--print'),
		namesPermissionMode: options.some((arg) => PERMISSION_FLAGS.some((flag) => arg === flag || arg.startsWith(`${flag}=`))),
		/** Claude skips every hook with such a flag. */
		skipsHooks: options.includes('--bare') || options.includes('--safe-mode'),
		managementOnly: COMMANDS.has(given[0] ?? '') || options.some((arg) => ANSWERS_AND_EXITS.has(arg)),
	};
}

/** Claude asks before it acts; by default a model decides. */
export const ASKING_MODE = ['--permission-mode', 'manual'] as const;

/** Roost's arguments come first, so that no list-valued option of the user consumes them. */
export function toClaudeArgv(read: ClaudeArgs, settingsPath: string, added: readonly string[] = []): string[] {
	return ['--settings', settingsPath, ...added, ...read.args];
}

const INSTRUCTION_FLAG = '--append-system-prompt-file';

/** Removes an option and returns its last value. */
function takeOption(name: string, given: readonly string[], optionCount: number): { args: string[]; value: string | null } {
	const args: string[] = [];
	let value: string | null = null;
	for (let index = 0; index < given.length; index += 1) {
		const arg = given[index] ?? '';
		if (index >= optionCount) args.push(arg);
		else if (arg === name) {
			index += 1;
			value = given[index] ?? null;
		} else if (arg.startsWith(`${name}=`)) value = arg.slice(name.length + 1);
		else args.push(arg);
	}
	return { args, value };
}

export const CLAUDE_LAUNCH = {
	async read(start) {
		const { args, gate, env } = start;
		const refusal = gate === 'enforce' ? (refuseToEnforce(args, env) ?? (await refuseManaged())) : null;
		if (refusal !== null) return err(new AppError('usage', refusal));
		const { managementOnly, headless, skipsHooks } = readClaudeArgs(args, gate);
		if (managementOnly) return ok({ managementOnly, headless });
		const user = await readUser(start);
		if (!user.ok) return user;
		const { notices } = user.value;
		return ok({ managementOnly, headless, notices, says: [...(skipsHooks ? [NO_HOOKS] : []), ...notices] });
	},
	async prepare(launch, runner) {
		const { gate, env, dir, forwarder } = launch;
		const user = await readUser(launch);
		if (!user.ok) return user;
		const { read, typed, mode, notices } = user.value;
		const isolated = gate === 'enforce' ? await isolateLaunch({ read, given: typed, isTrusted: runner.isTrusted }, launch) : null;
		if (isolated && !isolated.ok) return isolated;
		const { settings = typed, argv = [], says = [] } = isolated?.value ?? {};
		const hooks = launchHooks(runner.hooks, { forwarder, gate, env });
		const merged = mergeSettings(mode === null ? settings : withMode(settings, mode), hooks);
		const shown = read.headless ? merged : notices.reduce((all, notice) => withNotice(all, `Roost ${notice}`), merged);
		const path = writePrivateFile(dir, shown, 'settings.json');
		if (!path.ok) return path;
		const added = notices.length > 0 ? [...argv, ...ASKING_MODE] : argv;
		return ok({ argv: toClaudeArgv(read, path.value, added), says });
	},
} satisfies Launchable;

const NO_HOOKS = '--bare and --safe-mode switch every hook off: this session will not be on record.';
const ADDED_MODE = `added ${ASKING_MODE.join(' ')}: Claude asks before it acts. Set permissions.defaultMode in your Claude settings, or pass --permission-mode, to change this.`;

type ReadUser = {
	read: ClaudeArgs;
	typed: Settings;
	/** From the user's own settings. */
	mode: string | null;
	notices: readonly string[];
};

async function readUser({ args, gate, cwd, env }: LaunchStart): Promise<Result<ReadUser>> {
	const read = readClaudeArgs(args, gate);
	const typed = await readUserSettings(read.userSettings, cwd);
	if (!typed.ok) return typed;
	const mode = read.namesPermissionMode ? null : await readChosenMode(typed.value, env);
	const notices = read.namesPermissionMode || mode !== null ? [] : [ADDED_MODE];
	return ok({ read, typed: typed.value, mode, notices });
}
