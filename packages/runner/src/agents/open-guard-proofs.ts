// The proofs of guards with all their parts: wiring only.
import { join } from 'node:path';
import { findKind } from '@roost/agents/kinds';
import { getRuntime } from '@roost/agents/registry';
import type { AgentRuntime } from '@roost/agents/types';
import type { Result } from '@roost/protocol/result';
import { type AgentsConfig, createAgentEnvironments } from './agent-environments.ts';
import type { AgentPrograms } from './agent-programs.ts';
import { createGuardProofs, type GuardProofs } from './guard-proofs.ts';
import { openKeptProofs } from './kept-proofs.ts';
import { createKnownProofs, type KnownProofs } from './known-proofs.ts';
import { clearProofPlaces } from './proof-place.ts';
import { proveHere } from './prove-here.ts';

/** Programs that unpack themselves at their first start take their time. */
const TIME_LIMIT_MS = 60_000;

export type KnownProofsPlace = {
	programs: Pick<AgentPrograms, 'look' | 'find'>;
	env: NodeJS.ProcessEnv;
	config: Pick<AgentsConfig, 'agents'>;
	/** Roost's own home. */
	dataDir: string;
};

export type OpenGuardProofsDeps = KnownProofsPlace & {
	config: AgentsConfig;
	warn: (sentence: string) => void;
	timeLimitMs?: number | undefined;
	runtimeOf?: ((id: string) => Result<AgentRuntime>) | undefined;
};

/** What is known of the guards of this home, for whoever only looks. */
export function readKnownProofs({ programs, env, config, dataDir }: KnownProofsPlace): Pick<KnownProofs, 'known'> {
	const environments = createAgentEnvironments(env, config.agents);
	return createKnownProofs({ programs, environments, kept: openKeptProofs(proofsFile(dataDir)) });
}

function proofsFile(dataDir: string): string {
	return join(dataDir, 'guard-proofs.json');
}

/** For the only process that works in this home: what is left there of proofs is nobody else's. */
export function openGuardProofs(deps: OpenGuardProofsDeps): GuardProofs {
	const { programs, env, config, dataDir, warn, timeLimitMs = TIME_LIMIT_MS } = deps;
	const { runtimeOf = (id) => getRuntime(id, config.runtime) } = deps;
	const folder = join(dataDir, 'guard-proofs');
	const environments = createAgentEnvironments(env, config.agents);
	const cleared = clearProofPlaces(folder).catch((cause: unknown) => warn(`${folder} cannot be cleared: ${String(cause)}.`));
	const proofs = createGuardProofs({
		programs,
		environments,
		kept: openKeptProofs(proofsFile(dataDir)),
		async proveOnce({ id }, program, signal) {
			await cleared;
			const canary = findKind(id)?.canary;
			const runtime = runtimeOf(id);
			if (!canary || !runtime.ok) return { guarded: false, reason: 'Roost has no guard for it' };
			const environment = (mark: string) => environments(id, mark);
			return await proveHere({ runtime: runtime.value, canary, program, environment, folder, timeLimitMs, signal });
		},
		now: Date.now,
		warn,
	});
	return {
		...proofs,
		async [Symbol.asyncDispose]() {
			await proofs[Symbol.asyncDispose]();
			await cleared;
		},
	};
}
