// The coding agents on this machine, and whether configured programs can be used.
import { KNOWN_AGENTS } from '@roost/agents/kinds';
import type { RunnerConfig } from '@roost/home/config/schema';
import type { Home } from '@roost/home/home';
import { createAgentPrograms } from '@roost/home/programs/agent-programs';
import { readKnownProofs } from '@roost/home/programs/known-proofs';
import { type AgentProgram, type AgentRow, type GuardProof, guardWords } from '@roost/protocol/api/agents';
import { fail, fine, type Outcome, warn } from './finding.ts';

/** The agents as the runner finds them; null if no runner answers. */
export type RunnersAgents = () => Promise<readonly Pick<AgentRow, 'id' | 'program'>[] | null>;

export async function checkAgents(
	env: NodeJS.ProcessEnv,
	{ agents }: Pick<RunnerConfig, 'agents'>,
	{ data }: Pick<Home, 'data'>,
	askRunner: RunnersAgents,
): Promise<Outcome[]> {
	await using programs = createAgentPrograms({ env, agents });
	const isConfigured = (id: string) => agents[id]?.command !== undefined;
	const found = await Promise.all(KNOWN_AGENTS.map(programs.inspect));
	const proofs = readKnownProofs({ programs, env, config: { agents }, dataDir: data });
	const proven = await Promise.all(KNOWN_AGENTS.map((agent, index) => (found[index]?.problem ? null : proofs.known(agent))));
	const runners = (await askRunner()) ?? [];
	const obstacles = await Promise.all(
		KNOWN_AGENTS.map(({ findObstacle }, index) => (found[index]?.problem ? null : (findObstacle?.(env) ?? null))),
	);
	return KNOWN_AGENTS.flatMap(({ id, title }, index) => [
		toSaid(title, isConfigured(id), found[index], proven[index] ?? null),
		...compare(title, found[index], runners.find((row) => row.id === id)?.program),
		...toObstacles(obstacles[index]),
	]);
}

function toObstacles(obstacle: { says: string; remedy: string } | null | undefined): Outcome[] {
	return obstacle ? [warn(obstacle.says, obstacle.remedy)] : [];
}

/** "roost run" starts agents from the PATH of the runner. */
function compare(title: string, here: AgentProgram | undefined, there: AgentProgram | null | undefined): Outcome[] {
	if (!there || !here || there.path === here.path) return [];
	const says = `${title} is ${here.path ?? 'not found'} in this terminal, but ${there.path ?? 'not found'} for the runner, which was started with another PATH`;
	return [warn(says, 'Run "roost down"; the next command starts a runner with the PATH of its terminal.')];
}

function toSaid(title: string, isConfigured: boolean, program: AgentProgram | undefined, proof: GuardProof | null): Outcome {
	if (!program?.problem) return toGuarded(`${title} ${program?.version} at ${program?.path}`, proof);
	const { kind, sentence } = program.problem;
	if (kind === 'missing' && !isConfigured) return fine(`${title} is not here; it is needed only to start it`);
	if (isConfigured) return fail(sentence, `Fix its command in config.yaml, or remove it.`);
	return warn(sentence, 'Until then Roost does not start it.');
}

/** An untested permission hook is no problem. */
function toGuarded(says: string, proof: GuardProof | null): Outcome {
	if (proof === null || proof.state === 'not-proven') return fine(says);
	const tested = `${says}; ${guardWords(proof)}`;
	return proof.state === 'guarded' ? fine(tested) : warn(tested, 'Fix this, then run "roost agents --prove".');
}
