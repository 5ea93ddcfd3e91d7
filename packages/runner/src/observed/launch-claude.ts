// roost claude: starts the user's own claude with Roost's hooks for this launch only; the runner listens to them.
import { unlink } from 'node:fs/promises';
import { refuseToEnforce } from '@roost/agents/claude/enforced-launch';
import { type ClaudeArgs, hookEnvironment, readClaudeArgs, toClaudeArgv } from '@roost/agents/claude/launch';
import { refuseManaged } from '@roost/agents/claude/managed-settings';
import { writePrivateJson } from '@roost/agents/hooks/private-file';
import type { GateMode } from '@roost/core/runtime/gate-mode';
import type { LaunchOpened } from '@roost/protocol/api/launches';
import { AppError } from '@roost/protocol/app-error';
import { err, type Result } from '@roost/protocol/result';
import { type Argv, findClaude } from '../claude-cli/find-claude.ts';
import { loadConfig } from '../config/load-config.ts';
import { readGate } from '../gate.ts';
import { newShortId } from '../short-id.ts';
import { isolateLaunch } from './isolate-launch.ts';
import { type LaunchOptions, launchAgent, runHere } from './launch-agent.ts';
import { launchHooks, mergeSettings, readUserSettings } from './launch-settings.ts';

export async function launchClaude(options: LaunchOptions): Promise<Result<{ exitCode: number }>> {
	const config = loadConfig({ env: options.env });
	if (!config.ok) return config;
	const { command: configured, env: added = {} } = config.value.agents.claude ?? {};
	const found = findClaude(configured, options.env);
	if (!found.ok) return found;
	return await launch(found.value, { ...options, env: { ...options.env, ...added } });
}

async function launch(command: Argv, options: LaunchOptions): Promise<Result<{ exitCode: number }>> {
	const gate = readGate(options.env, options.enforce);
	if (!gate.ok) return gate;
	const refusal = gate.value === 'enforce' ? (refuseToEnforce(options.args, options.env) ?? (await refuseManaged())) : null;
	if (refusal !== null) return err(new AppError('usage', refusal));
	const read = readClaudeArgs(options.args, gate.value);
	if (read.managementOnly) return await runHere(command, options.args, options);
	advise(read, options.say);
	const { headless } = read;
	const start = (opened: LaunchOpened, runDir: string) =>
		govern({ command, read, gate: gate.value, runDir, launch: opened }, options);
	return await launchAgent({ agent: 'claude', gate: gate.value, headless, folder: options.cwd, start }, options);
}

type Governed = { command: Argv; read: ClaudeArgs; gate: GateMode; runDir: string; launch: LaunchOpened };

async function govern(launching: Governed, options: LaunchOptions): Promise<Result<{ exitCode: number }>> {
	const { command, read, gate, launch, runDir } = launching;
	const given = await readUserSettings(read.userSettings, options.cwd);
	if (!given.ok) return given;
	const isolated = gate === 'enforce' ? await isolateLaunch({ read, given: given.value, runDir }, options) : null;
	if (isolated && !isolated.ok) return isolated;
	const { settings = given.value, argv = [], remove = async () => {} } = isolated?.value ?? {};
	const ours = launchHooks(launch.hooks, gate, options.env);
	const settingsPath = await writePrivateJson(runDir, mergeSettings(settings, ours), `claude-${newShortId()}.json`);
	if (!settingsPath.ok) return settingsPath;
	try {
		const hooks = hookEnvironment({ ...launch.hooks, gate, session: launch.sessionId });
		return await runHere(command, toClaudeArgv(read, settingsPath.value, argv), { ...options, hooks });
	} finally {
		await unlink(settingsPath.value);
		await remove();
	}
}

/** What the user should know before the screen belongs to claude. */
function advise(read: ClaudeArgs, say: LaunchOptions['say']): void {
	if (read.skipsHooks) say('--bare and --safe-mode switch every hook off: this session will not be on record.');
	if (!read.namesPermissionMode)
		say('added --permission-mode manual, so that claude asks before it acts; name a mode yourself to change that.');
}
