// roost <agent>: starts the user's own agent with what makes it report, for this launch only.
import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { AgentId } from '@roost/agents/base/agent-names';
import { hookEnvironment } from '@roost/agents/hooks/hook-environment';
import type { Launchable } from '@roost/agents/kind/observed-kind';
import { findKind } from '@roost/agents/kinds';
import type { GateMode } from '@roost/core/runtime/gate-mode';
import { loadConfig } from '@roost/home/config/load-config';
import type { Home } from '@roost/home/home';
import { createMcpTrust } from '@roost/home/mcp-trust';
import { type Argv, findAgent } from '@roost/home/programs/agent-runs';
import { newShortId } from '@roost/home/short-id';
import type { LaunchOpened } from '@roost/protocol/api/launches';
import { AppError } from '@roost/protocol/app-error';
import { err, type Result } from '@roost/protocol/result';
import { type LaunchOptions, launchAgent, runHere } from './launch-agent.ts';
import { launchForwarder } from './launch-forwarder.ts';

export async function launchObserved(agent: AgentId, options: LaunchOptions): Promise<Result<{ exitCode: number }>> {
	const config = loadConfig({ env: options.env, flags: { enforce: options.enforce } });
	if (!config.ok) return config;
	const kind = findKind(agent);
	if (!kind?.observed) return err(new AppError('usage', `${agent} cannot be observed in a terminal.`));
	const { launch: launchable, repository } = kind.observed;
	const { command: configured, env: added = {} } = config.value.agents[agent] ?? {};
	const command = findAgent(kind.known, configured, options.env);
	if (!command.ok) return command;
	const own = { ...options, env: { ...options.env, ...added } };
	const gate = config.value.gate.mode;
	const read = await launchable.read({ ...own, gate });
	if (!read.ok) return read;
	const { headless, managementOnly, folder = '', says = [], notices } = read.value;
	if (managementOnly) return await runHere(command.value, options.args, own);
	for (const sentence of says) options.say(sentence);
	const start = (launch: LaunchOpened, home: Home) =>
		govern({ agent, launchable, command: command.value, gate, launch, home }, own);
	const launching = { agent, gate, headless, folder: resolve(options.cwd, folder), repository, notices, start };
	return await launchAgent(launching, own);
}

type Governed = { agent: AgentId; launchable: Launchable; command: Argv; gate: GateMode; launch: LaunchOpened; home: Home };

async function govern(governed: Governed, options: LaunchOptions): Promise<Result<{ exitCode: number }>> {
	const { agent, launchable, command, gate, launch, home } = governed;
	const dir = join(home.run, `${agent}-${newShortId()}`);
	await mkdir(dir, { mode: 0o700 });
	try {
		const { args, cwd, env } = options;
		const prepared = await launchable.prepare(
			{ args, gate, cwd, command, env, dir, forwarder: launchForwarder(launch.hooks) },
			{ hooks: launch.hooks, isTrusted: createMcpTrust(home).isTrusted },
		);
		if (!prepared.ok) return prepared;
		for (const sentence of prepared.value.says) options.say(sentence);
		const hooks = hookEnvironment({ ...launch.hooks, gate, session: launch.sessionId });
		return await runHere(command, prepared.value.argv, { ...options, hooks });
	} finally {
		await rm(dir, { recursive: true, force: true });
	}
}
