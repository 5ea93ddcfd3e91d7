// An agent that nobody here knows but that speaks ACP: named by its command, or configured under a name of its user's.
import { basename } from 'node:path';
import { toAcpEnvironment } from '@roost/agents/acp/acp-environment';
import { createAcpAgent } from '@roost/agents/acp/open-acp-agent';
import type { DriveSetting } from '@roost/agents/agent-kind';
import type { DrivableAgent } from '@roost/core/runtime/connection';
import type { Argv } from '@roost/home/programs/find-claude';
import { findProgram } from '@roost/machine/find-program';
import { parseAcpName } from '../agents/acp-command.ts';

type AcpSetting = Pick<DriveSetting, 'env' | 'configured' | 'command' | 'unavailable'>;

export function openAcpAgent(id: string, { env, configured, command, unavailable }: AcpSetting): DrivableAgent {
	return createAcpAgent({
		agent: id,
		title: basename(command[0]),
		argv: () => command,
		env: (session) => toAcpEnvironment({ processEnv: env, configured, session }),
		unavailable,
	});
}

/** By `acp:<command>`; one that is no command is an agent that says so and does not start. */
export function openNamedAcpAgent(name: string, deps: Pick<AcpSetting, 'env'>): DrivableAgent {
	const parsed = parseAcpName(name);
	if (!parsed.ok) return openAcpAgent(name, { env: deps.env, ...NOTHING, unavailable: parsed.error.message });
	const [program, ...args] = parsed.value.argv;
	const path = program.startsWith('/') ? program : findProgram(program, deps.env);
	const unavailable = path === null ? `${program} is not on your PATH: install it, or name it by its absolute path.` : undefined;
	return openAcpAgent(parsed.value.name, { env: deps.env, ...NOTHING, command: [path ?? program, ...args], unavailable });
}

const NOTHING: { configured: Record<string, string>; command: Argv } = { configured: {}, command: ['acp'] };
