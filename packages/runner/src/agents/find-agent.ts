// Which program an agent is: the one that is configured, else the one on the user's PATH. Never one of a repository.
import { isAbsolute } from 'node:path';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { type Argv, findClaude } from '../claude-cli/find-claude.ts';
import { findProgram } from '../observed/find-program.ts';

export type WantedAgent = { id: string; title: string; program: string };

export function findAgent(agent: WantedAgent, configured: readonly string[] | undefined, env: NodeJS.ProcessEnv): Result<Argv> {
	if (agent.id === 'claude') return findClaude(configured, env);
	const [program = agent.program, ...args] = configured ?? [];
	const path = isAbsolute(program) ? program : findProgram(program, env);
	if (path) return ok([path, ...args]);
	const sentence = configured
		? `agents.${agent.id}.command names ${program}, which is not on your PATH: mend it in config.yaml.`
		: `${agent.title} is not on this machine: install it, or name its program as agents.${agent.id}.command in config.yaml.`;
	return err(new AppError('cannot_start', sentence));
}
