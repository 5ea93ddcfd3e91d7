// How `roost claude` starts the user's own claude: Roost's hooks stand in a settings file of this launch, on top of the user's own settings.
import { writePrivateFile } from '@roost/machine/private-file';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Launchable, LaunchStart } from '../kind/observed-kind.ts';
import { refuseToEnforce } from './enforced-launch.ts';
import { isolateLaunch } from './isolate-launch.ts';
import { ASKING_MODE, type ClaudeArgs, readClaudeArgs, toClaudeArgv } from './launch.ts';
import {
	launchHooks,
	mergeSettings,
	readChosenMode,
	readUserSettings,
	type Settings,
	withMode,
	withNotice,
} from './launch-settings.ts';
import { refuseManaged } from './managed-settings.ts';

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
	/** The one that the user's own settings choose. */
	mode: string | null;
	/** What the user should see of how it is started. */
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
