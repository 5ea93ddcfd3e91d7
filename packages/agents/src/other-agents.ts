// Agents of no kind that Roost knows, but that speak ACP: named by their command, or configured under a name of their user's.
import { basename } from 'node:path';
import type { DrivableAgent } from '@roost/core/runtime/connection';
import { findProgram } from '@roost/machine/find-program';
import { isAcpName, parseAcpName } from './acp/acp-command.ts';
import { createAcpAgent } from './acp/open-acp-agent.ts';
import { createAgentEnvironment } from './base/agent-environment.ts';
import type { DriveSetting } from './kind/agent-kind.ts';

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

/** Nobody knows which models such an agent uses, so it gets the keys to all. */
const KEYS = ['ANTHROPIC', 'OPENAI', 'GEMINI', 'GOOGLE', 'OPENROUTER', 'MISTRAL', 'GROQ', 'XAI', 'DEEPSEEK', 'CEREBRAS'].flatMap(
	(provider) => [`${provider}_API_KEY`, `${provider}_BASE_URL`],
);

/** Whatever else one needs, its user configures as `agents.<id>.env`. */
const toAcpEnvironment = createAgentEnvironment({
	inherited: [
		{ why: 'the agent reaches the models of its user', names: KEYS },
		{
			why: 'the agent reaches the cloud that its models are served from',
			names: ['AWS_*', 'AZURE_OPENAI_*', 'GOOGLE_CLOUD_*', 'GOOGLE_APPLICATION_CREDENTIALS', 'GEMINI_*', 'OPENCODE_*'],
		},
	],
	withheld: [],
});
