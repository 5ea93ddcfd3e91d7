// The proofs of guards with all their parts: wiring only.
import { join } from 'node:path';
import type { AgentAdapter } from '@roost/agents/base/types';
import { findKind, getAdapter } from '@roost/agents/kinds';
import { type AgentsConfig, createAgentEnvironments } from '@roost/home/programs/agent-environments';
import { openKeptProofs } from '@roost/home/programs/kept-proofs';
import { type KnownProofsPlace, proofsFile } from '@roost/home/programs/known-proofs';
import type { Result } from '@roost/protocol/result';
import { createGuardProofs, type GuardProofs } from './guard-proofs.ts';
import { clearProofPlaces } from './proof-place.ts';
import { proveHere } from './prove-here.ts';

/** Programs that unpack themselves at their first start take their time. */
const TIME_LIMIT_MS = 60_000;

export type OpenGuardProofsDeps = KnownProofsPlace & {
	config: AgentsConfig;
	warn: (sentence: string) => void;
	timeLimitMs?: number | undefined;
	adapterOf?: ((id: string) => Result<AgentAdapter>) | undefined;
};

/** For the only process that works in this home: what is left there of proofs is nobody else's. */
export function openGuardProofs(deps: OpenGuardProofsDeps): GuardProofs {
	const { programs, env, config, dataDir, warn, timeLimitMs = TIME_LIMIT_MS } = deps;
	const { adapterOf = (id) => getAdapter(id, config.runtime) } = deps;
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
			const adapter = adapterOf(id);
			if (!canary || !adapter.ok) return { guarded: false, reason: 'Roost has no guard for it' };
			const environment = (mark: string) => environments(id, mark);
			return await proveHere({ adapter: adapter.value, canary, program, environment, folder, timeLimitMs, signal });
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
