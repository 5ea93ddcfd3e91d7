// The coding agents on this machine: which are here, and whether a program that was configured for one can be used.
import { KNOWN_AGENTS } from '@roost/agents/known-agents';
import type { AgentProgram } from '@roost/protocol/api/agents';
import { createAgentPrograms } from '../agents/agent-programs.ts';
import type { RunnerConfig } from '../config/schema.ts';
import { fail, fine, type Said, warn } from './finding.ts';

export async function checkAgents(env: NodeJS.ProcessEnv, { agents }: Pick<RunnerConfig, 'agents'>): Promise<Said[]> {
	await using programs = createAgentPrograms({ env, agents });
	const isConfigured = (id: string) => agents[id]?.command !== undefined;
	// The claude of the user's PATH is checked for itself: "roost claude" needs it.
	const known = KNOWN_AGENTS.filter(({ id }) => id !== 'claude' || isConfigured(id));
	const found = await Promise.all(known.map(programs.look));
	return known.map(({ id, title }, index) => toSaid(title, isConfigured(id), found[index]));
}

function toSaid(title: string, isConfigured: boolean, program: AgentProgram | undefined): Said {
	if (!program?.problem) return fine(`${title} ${program?.version} at ${program?.path}`);
	const { kind, sentence } = program.problem;
	if (kind === 'missing' && !isConfigured) return fine(`${title} is not here; it is needed only to start it`);
	if (isConfigured) return fail(sentence, `Mend its command in config.yaml, or take it out.`);
	return warn(sentence, 'Until then Roost does not start it.');
}
