// Agents of no kind that Roost knows, but that speak ACP: named by their command, or configured under a name of their user's.
import { basename } from 'node:path';
import type { DrivableAgent } from '@roost/core/runtime/connection';
import { findProgram } from '@roost/machine/find-program';
import { isAcpName, parseAcpName } from './acp/acp-command.ts';
import { toAcpEnvironment } from './acp/acp-environment.ts';
import { createAcpAgent } from './acp/open-acp-agent.ts';
import type { DriveSetting } from './agent-kind.ts';

type OtherSetting = Pick<DriveSetting, 'env' | 'configured' | 'command' | 'unavailable'>;

export function driveOther(id: string, { env, configured, command, unavailable }: OtherSetting): DrivableAgent {
	return createAcpAgent({
		agent: id,
		title: basename(command[0]),
		argv: () => command,
		env: (session) => toAcpEnvironment({ processEnv: env, configured, session }),
		unavailable,
	});
}

/** By `acp:<command>`, undefined for any other name; one that is no command is an agent that says so and does not start. */
export function driveCommand(name: string, { env }: Pick<OtherSetting, 'env'>): DrivableAgent | undefined {
	if (!isAcpName(name)) return undefined;
	const parsed = parseAcpName(name);
	if (!parsed.ok) return driveOther(name, { env, configured: {}, command: [name], unavailable: parsed.error.message });
	const [program, ...args] = parsed.value.argv;
	const path = program.startsWith('/') ? program : findProgram(program, env);
	const unavailable = path === null ? `${program} is not on your PATH: install it, or name it by its absolute path.` : undefined;
	return driveOther(parsed.value.name, { env, configured: {}, command: [path ?? program, ...args], unavailable });
}
