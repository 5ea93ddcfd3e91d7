// Which program an agent is, for whatever starts or checks it: the configured one, else the one on the user's PATH, else a bundled one.
import { isAbsolute } from 'node:path';
import type { KnownAgent } from '@roost/agents/kind/agent-kind';
import { findProgram } from '@roost/machine/find-program';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';

export type Argv = readonly [string, ...string[]];

export type WantedAgent = Pick<KnownAgent, 'id' | 'title' | 'program' | 'bundled'>;

/** Never one of a repository. */
export function findAgent(agent: WantedAgent, configured: readonly string[] | undefined, env: NodeJS.ProcessEnv): Result<Argv> {
	const { id, title } = agent;
	const [program = agent.program, ...args] = configured ?? [];
	const own = isAbsolute(program) ? program : findProgram(program, env);
	const path = own ?? (configured ? null : (agent.bundled?.() ?? null));
	if (path) return ok([path, ...args]);
	const sentence = configured
		? `agents.${id}.command names ${program}, which is not on your PATH: fix it in config.yaml.`
		: `${title} is not on this machine: install it, or name its program as agents.${id}.command in config.yaml.`;
	return err(new AppError('cannot_start', sentence));
}
