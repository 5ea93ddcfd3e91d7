// Guard proofs, kept in a file. A proof holds for one program, environment and version of Roost, because it costs a start of the agent.
import { hash } from 'node:crypto';
import { join } from 'node:path';
import type { KnownAgent } from '@roost/agents/kind/agent-kind';
import { readPrivateJson, replacePrivateFile } from '@roost/machine/private-file';
import type { GuardProof } from '@roost/protocol/api/agents';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { z } from 'zod';
import { VERSION } from '../version.ts';
import { type AgentEnvironments, type AgentPrograms, type AgentsConfig, createAgentEnvironments } from './agent-programs.ts';
import type { Argv } from './agent-runs.ts';

export type KnownProofs = {
	/** Starts no agent. */
	known(agent: KnownAgent): Promise<GuardProof>;
	/** The current program, and the key of everything that a proof depends on. Fails if it cannot be started. */
	find(agent: KnownAgent): Promise<Result<{ argv: Argv; key: string }>>;
	recall(id: string, key: string): KeptProof | undefined;
};

export function createKnownProofs(deps: {
	programs: Pick<AgentPrograms, 'inspect' | 'find'>;
	environments: AgentEnvironments;
	kept: Pick<KeptProofs, 'find'>;
}): KnownProofs {
	const { programs, environments, kept } = deps;
	async function find(agent: KnownAgent): Promise<Result<{ argv: Argv; key: string }>> {
		const { version, problem } = await programs.inspect(agent);
		if (problem) return err(new AppError('cannot_start', problem.sentence));
		const found = programs.find(agent);
		if (!found.ok) return found;
		const { argv, mark } = found.value;
		return ok({ argv, key: toKey([mark, version, VERSION, lasting(environments(agent.id, ''))]) });
	}

	function recall(id: string, key: string): KeptProof | undefined {
		const proof = kept.find(id);
		return proof?.key === key ? proof : undefined;
	}

	return {
		find,
		recall,
		async known(agent) {
			const found = await find(agent);
			const proof = found.ok ? recall(agent.id, found.value.key) : undefined;
			return proof ? toProof(proof) : { state: 'not-proven' };
		},
	};
}

export type KnownProofsPlace = {
	programs: Pick<AgentPrograms, 'inspect' | 'find'>;
	env: NodeJS.ProcessEnv;
	config: Pick<AgentsConfig, 'agents'>;
	/** Roost's own home. */
	dataDir: string;
};

/** The proofs of this home, read-only. */
export function readKnownProofs({ programs, env, config, dataDir }: KnownProofsPlace): Pick<KnownProofs, 'known'> {
	const environments = createAgentEnvironments(env, config.agents);
	return createKnownProofs({ programs, environments, kept: openKeptProofs(proofsFile(dataDir)) });
}

export function proofsFile(dataDir: string): string {
	return join(dataDir, 'guard-proofs.json');
}

export function toProof({ reason, provenAt }: KeptProof): GuardProof {
	return reason === null ? { state: 'guarded', provenAt } : { state: 'not-guarded', provenAt, reason };
}

/** Hashed, because an environment contains secrets. */
function toKey(parts: readonly unknown[]): string {
	return hash('sha256', JSON.stringify(parts));
}

/** Variables that differ by login or terminal and do not affect a guard. */
const PASSING = /^(ROOST_SESSION|TERM|COLORTERM|SSH_AUTH_SOCK|XDG_(SESSION|SEAT|VTNR|RUNTIME)\w*)$/;

function lasting(env: Readonly<Record<string, string>>): readonly (readonly [string, string])[] {
	return Object.entries(env)
		.filter(([name]) => !PASSING.test(name))
		.sort(([a], [b]) => (a < b ? -1 : 1));
}

const keptProof = z.object({
	/** Of everything that the result depends on. */
	key: z.string().min(1),
	provenAt: z.int().nonnegative(),
	/** Why the agent is not guarded; null if it is. */
	reason: z.string().min(1).nullable(),
});
type KeptProof = z.infer<typeof keptProof>;

export type KeptProofs = {
	find(id: string): KeptProof | undefined;
	/** Kept in memory even if it cannot be written. */
	keep(id: string, proof: KeptProof): Result<void>;
};

/** An unreadable file counts as empty and is overwritten. */
export function openKeptProofs(path: string): KeptProofs {
	const proofs = new Map(read(path));
	return {
		find: (id) => proofs.get(id),
		keep(id, proof) {
			proofs.set(id, proof);
			return replacePrivateFile(path, `${JSON.stringify(Object.fromEntries(proofs))}\n`);
		},
	};
}

function read(path: string): [string, KeptProof][] {
	return Object.entries(z.record(z.string(), keptProof).safeParse(readPrivateJson(path)).data ?? {});
}
