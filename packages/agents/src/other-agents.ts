// Agents that speak ACP: named by their command, or configured under a name of the user's.
import { basename } from 'node:path';
import type { DrivableAgent } from '@roost/core/runtime/connection';
import { findProgram } from '@roost/machine/find-program';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
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

/** By `acp:<command>`, undefined for any other name; an invalid command becomes an agent that refuses to start. */
export function driveCommand(name: string, { env }: Pick<OtherSetting, 'env'>): DrivableAgent | undefined {
	if (!isAcpName(name)) return undefined;
	const parsed = parseAcpName(name);
	if (!parsed.ok) return driveOther(name, { env, configured: {}, command: [name], unavailable: parsed.error.message });
	const [program, ...args] = parsed.value.argv;
	const path = program.startsWith('/') ? program : findProgram(program, env);
	const unavailable = path === null ? `${program} is not on your PATH: install it, or name it by its absolute path.` : undefined;
	return driveOther(parsed.value.name, { env, configured: {}, command: [path ?? program, ...args], unavailable });
}

/** The models of such an agent are unknown, so it gets all keys. */
const KEYS = ['ANTHROPIC', 'OPENAI', 'GEMINI', 'GOOGLE', 'OPENROUTER', 'MISTRAL', 'GROQ', 'XAI', 'DEEPSEEK', 'CEREBRAS'].flatMap(
	(provider) => [`${provider}_API_KEY`, `${provider}_BASE_URL`],
);

/** More variables are configured as `agents.<id>.env`. */
const toAcpEnvironment = createAgentEnvironment({
	inherited: [
		{ why: 'the agent reaches the models of its user', names: KEYS },
		{
			why: 'the agent can access the cloud of its models',
			names: ['AWS_*', 'AZURE_OPENAI_*', 'GOOGLE_CLOUD_*', 'GOOGLE_APPLICATION_CREDENTIALS', 'GEMINI_*', 'OPENCODE_*'],
		},
	],
	withheld: [],
});

const PREFIX = 'acp:';
const LONGEST = 200;
/** No quotes, variables or patterns. */
const WORD = /^[\w@%+=:,./-]+$/;

export function isAcpName(name: string): boolean {
	return name.startsWith(PREFIX);
}

/** The argv, and the normalised name of this command. */
export function parseAcpName(name: string): Result<{ name: string; argv: readonly [string, ...string[]] }> {
	const [program, ...args] = name
		.slice(PREFIX.length)
		.split(' ')
		.filter((word) => word !== '');
	if (program === undefined || name.length > LONGEST)
		return refused(`expected a program after "acp:", in at most ${LONGEST} characters`);
	const odd = [program, ...args].find((word) => !WORD.test(word));
	if (odd !== undefined) return refused(`no shell reads it, so it takes plain words without quotes and signs`);
	if (program.startsWith('-')) return refused('the first word is the program');
	if (program.includes('/') && !program.startsWith('/')) return refused('its program is a name on your PATH or an absolute path');
	return ok({ name: `${PREFIX}${[program, ...args].join(' ')}`, argv: [program, ...args] });
}

function refused(why: string): Result<never> {
	const instead = 'such as "acp:gemini --acp", or configure it as agents.<id>.command in config.yaml';
	return err(new AppError('bad_request', `This is not the command of an agent: ${why}; ${instead}.`));
}
