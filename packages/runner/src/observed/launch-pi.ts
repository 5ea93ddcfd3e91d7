// roost pi: starts the user's own pi with Roost's extension for this launch only; the runner listens to it.
import { hookEnvironment } from '@roost/agents/claude/launch';
import { readPiArgs, toPiArgv } from '@roost/agents/pi/launch';
import type { LaunchOpened } from '@roost/protocol/api/launches';
import type { Result } from '@roost/protocol/result';
import { findAgent } from '../agents/find-agent.ts';
import { loadConfig } from '../config/load-config.ts';
import { readGate } from '../gate.ts';
import { type LaunchOptions, launchAgent, runHere } from './launch-agent.ts';

export async function launchPi(options: LaunchOptions): Promise<Result<{ exitCode: number }>> {
	const config = loadConfig({ env: options.env });
	if (!config.ok) return config;
	const { command: configured, env: added = {} } = config.value.agents.pi ?? {};
	const found = findAgent({ id: 'pi', title: 'Pi', program: 'pi' }, configured, options.env);
	if (!found.ok) return found;
	const own = { ...options, env: { ...options.env, ...added } };
	const read = readPiArgs(options.args);
	if (read.managementOnly) return await runHere(found.value, options.args, own);
	const gate = readGate(options.env, options.enforce);
	if (!gate.ok) return gate;
	const start = async ({ hooks, sessionId }: LaunchOpened) => {
		const env = { ...own.env, ...hookEnvironment({ ...hooks, gate: gate.value, session: sessionId }) };
		return await runHere(found.value, toPiArgv(read), { env, cwd: options.cwd });
	};
	return await launchAgent({ agent: 'pi', gate: gate.value, headless: read.headless, start }, own);
}
