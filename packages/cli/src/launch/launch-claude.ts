// roost claude: starts the user's own claude with Roost's hooks for this launch only; the runner listens to them.
import { unlink } from 'node:fs/promises';
import { refuseToEnforce } from '@roost/agents/claude/enforced-launch';
import { ASKING_MODE, type ClaudeArgs, hookEnvironment, readClaudeArgs, toClaudeArgv } from '@roost/agents/claude/launch';
import { refuseManaged } from '@roost/agents/claude/managed-settings';
import type { GateMode } from '@roost/core/runtime/gate-mode';
import { loadConfig } from '@roost/home/config/load-config';
import { type Argv, findClaude } from '@roost/home/programs/find-claude';
import { newShortId } from '@roost/home/short-id';
import { writePrivateFile } from '@roost/machine/private-file';
import type { LaunchOpened } from '@roost/protocol/api/launches';
import { AppError } from '@roost/protocol/app-error';
import { err, type Result } from '@roost/protocol/result';
import { isolateLaunch } from './isolate-launch.ts';
import { type LaunchOptions, launchAgent, runHere } from './launch-agent.ts';
import {
	launchHooks,
	mergeSettings,
	readChosenMode,
	readUserSettings,
	type Settings,
	withMode,
	withNotice,
} from './launch-settings.ts';

export async function launchClaude(options: LaunchOptions): Promise<Result<{ exitCode: number }>> {
	const config = loadConfig({ env: options.env, flags: { enforce: options.enforce } });
	if (!config.ok) return config;
	const { command: configured, env: added = {} } = config.value.agents.claude ?? {};
	const found = findClaude(configured, options.env);
	if (!found.ok) return found;
	return await launch(found.value, config.value.gate.mode, { ...options, env: { ...options.env, ...added } });
}

async function launch(command: Argv, gate: GateMode, options: LaunchOptions): Promise<Result<{ exitCode: number }>> {
	const refusal = gate === 'enforce' ? (refuseToEnforce(options.args, options.env) ?? (await refuseManaged())) : null;
	if (refusal !== null) return err(new AppError('usage', refusal));
	const read = readClaudeArgs(options.args, gate);
	if (read.managementOnly) return await runHere(command, options.args, options);
	if (read.skipsHooks) options.say('--bare and --safe-mode switch every hook off: this session will not be on record.');
	const typed = await readUserSettings(read.userSettings, options.cwd);
	if (!typed.ok) return typed;
	const mode = read.namesPermissionMode ? null : await readChosenMode(typed.value, options.env);
	const notices = read.namesPermissionMode || mode !== null ? [] : [ADDED_MODE];
	for (const notice of notices) options.say(notice);
	const { headless } = read;
	const start = (opened: LaunchOpened, runDir: string) =>
		govern({ command, read, typed: typed.value, mode, notices, gate, runDir, launch: opened }, options);
	return await launchAgent({ agent: 'claude', gate, headless, folder: options.cwd, notices, start }, options);
}

const ADDED_MODE = `added ${ASKING_MODE.join(' ')}: Claude asks before it acts. Set permissions.defaultMode in your Claude settings, or pass --permission-mode, to change this.`;

type Governed = {
	command: Argv;
	read: ClaudeArgs;
	typed: Settings;
	/** The one that the user's own settings choose. */
	mode: string | null;
	/** What the user should see of how it is started. */
	notices: readonly string[];
	gate: GateMode;
	runDir: string;
	launch: LaunchOpened;
};

async function govern(launching: Governed, options: LaunchOptions): Promise<Result<{ exitCode: number }>> {
	const { command, read, typed, mode, notices, gate, launch, runDir } = launching;
	const isolated = gate === 'enforce' ? await isolateLaunch({ read, given: typed, runDir }, options) : null;
	if (isolated && !isolated.ok) return isolated;
	const { settings = typed, argv = [], remove = async () => {} } = isolated?.value ?? {};
	const merged = mergeSettings(mode === null ? settings : withMode(settings, mode), launchHooks(launch.hooks, gate, options.env));
	const shown = read.headless ? merged : notices.reduce((all, notice) => withNotice(all, `Roost ${notice}`), merged);
	const settingsPath = writePrivateFile(runDir, shown, `claude-${newShortId()}.json`);
	if (!settingsPath.ok) return settingsPath;
	try {
		const hooks = hookEnvironment({ ...launch.hooks, gate, session: launch.sessionId });
		const added = notices.length > 0 ? [...argv, ...ASKING_MODE] : argv;
		return await runHere(command, toClaudeArgv(read, settingsPath.value, added), { ...options, hooks });
	} finally {
		await unlink(settingsPath.value);
		await remove();
	}
}
