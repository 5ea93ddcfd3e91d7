// roost codex, roost copilot, roost pi: starts the user's own agent with what makes it report, for this launch only.
import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { hookEnvironment } from '@roost/agents/claude/launch';
import { CODEX_LAUNCH } from '@roost/agents/codex/launch';
import { COPILOT_LAUNCH } from '@roost/agents/copilot/launch';
import { KNOWN_AGENTS } from '@roost/agents/known-agents';
import type { Launchable } from '@roost/agents/launchable';
import { PI_LAUNCH } from '@roost/agents/pi/launch';
import type { GateMode } from '@roost/core/runtime/gate-mode';
import { loadConfig } from '@roost/home/config/load-config';
import { findAgent } from '@roost/home/programs/find-agent';
import type { Argv } from '@roost/home/programs/find-claude';
import { newShortId } from '@roost/home/short-id';
import type { LaunchedAgent, LaunchOpened } from '@roost/protocol/api/launches';
import type { Result } from '@roost/protocol/result';
import { type LaunchOptions, launchAgent, runHere } from './launch-agent.ts';
import { launchForwarder } from './launch-forwarder.ts';

/** Claude is started in its own way: its hooks stand in settings that the user may give too. */
export type ObservedAgent = Exclude<LaunchedAgent, 'claude'>;

const LAUNCHABLE: Readonly<Record<ObservedAgent, Launchable>> = { codex: CODEX_LAUNCH, copilot: COPILOT_LAUNCH, pi: PI_LAUNCH };

export async function launchObserved(agent: ObservedAgent, options: LaunchOptions): Promise<Result<{ exitCode: number }>> {
	const config = loadConfig({ env: options.env, flags: { enforce: options.enforce } });
	if (!config.ok) return config;
	const { command: configured, env: added = {} } = config.value.agents[agent] ?? {};
	const wanted = KNOWN_AGENTS.find(({ id }) => id === agent) ?? { id: agent, title: agent, program: agent };
	const command = findAgent(wanted, configured, options.env);
	if (!command.ok) return command;
	const own = { ...options, env: { ...options.env, ...added } };
	const { headless, managementOnly, folder = '' } = LAUNCHABLE[agent].read(options.args);
	if (managementOnly) return await runHere(command.value, options.args, own);
	const gate = config.value.gate.mode;
	const start = (launch: LaunchOpened, runDir: string) => govern({ agent, command: command.value, gate, launch, runDir }, own);
	return await launchAgent({ agent, gate, headless, folder: resolve(options.cwd, folder), start }, own);
}

type Governed = { agent: ObservedAgent; command: Argv; gate: GateMode; launch: LaunchOpened; runDir: string };

async function govern(governed: Governed, options: LaunchOptions): Promise<Result<{ exitCode: number }>> {
	const { agent, command, gate, launch, runDir } = governed;
	const dir = join(runDir, `${agent}-${newShortId()}`);
	await mkdir(dir, { mode: 0o700 });
	try {
		const { args, cwd } = options;
		const prepared = await LAUNCHABLE[agent].prepare({
			args,
			gate,
			cwd,
			command,
			env: options.env,
			dir,
			forwarder: launchForwarder(launch.hooks),
		});
		if (!prepared.ok) return prepared;
		for (const sentence of prepared.value.says) options.say(sentence);
		const hooks = hookEnvironment({ ...launch.hooks, gate, session: launch.sessionId });
		return await runHere(command, prepared.value.argv, { ...options, hooks });
	} finally {
		await rm(dir, { recursive: true, force: true });
	}
}
