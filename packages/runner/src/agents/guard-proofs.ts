// Which agents are guarded on this machine: proven once for each program, one after the other, and known from then on.
import type { CanaryResult } from '@roost/agents/guards/canary';
import type { KnownAgent } from '@roost/agents/kind/agent-kind';
import { sanitiseLine } from '@roost/core/display/sanitise';
import type { AgentEnvironments } from '@roost/home/programs/agent-environments';
import type { AgentPrograms } from '@roost/home/programs/agent-programs';
import type { Argv } from '@roost/home/programs/agent-runs';
import { createKnownProofs, type KeptProofs, type KnownProofs, toProof } from '@roost/home/programs/known-proofs';
import { createInTurn } from '@roost/machine/in-turn';
import type { GuardProof } from '@roost/protocol/api/agents';
import { ok, type Result } from '@roost/protocol/result';

export type GuardProofs = AsyncDisposable &
	Pick<KnownProofs, 'known'> & {
		/** Proves it, unless it is known to be guarded and not wanted `again`. Fails where no program could be started. */
		prove(agent: KnownAgent, options?: { again?: boolean }): Promise<Result<ProvenProgram>>;
	};

/** The program that was proven is the one to be started. */
export type ProvenProgram = { proof: GuardProof; argv: Argv };

export type GuardProofsDeps = {
	programs: Pick<AgentPrograms, 'inspect' | 'find'>;
	environments: AgentEnvironments;
	kept: KeptProofs;
	/** Starts the agent's program once, and never fails. */
	proveOnce: (agent: KnownAgent, program: Argv, signal: AbortSignal) => Promise<CanaryResult>;
	now: () => number;
	warn: (sentence: string) => void;
};

export function createGuardProofs({ programs, environments, kept, proveOnce, now, warn }: GuardProofsDeps): GuardProofs {
	const { known, find, recall } = createKnownProofs({ programs, environments, kept });
	const inTurn = createInTurn<'proof'>();
	const stopped = new AbortController();
	/** Counted, because the clock may be set: a proof that was made since somebody asked is new enough. */
	let turn = 0;
	const provenIn = new Map<string, number>();

	async function proveNow(agent: KnownAgent, argv: Argv, key: string): Promise<GuardProof> {
		const outcome = await proveOnce(agent, argv, stopped.signal);
		if (stopped.signal.aborted) return toProof({ key, provenAt: now(), reason: 'Roost was stopped before it was proven' });
		const after = await find(agent);
		const isSame = after.ok && after.value.key === key;
		const proof = {
			key,
			provenAt: now(),
			reason: isSame ? toReason(outcome) : 'its program changed while it was proven: try again',
		};
		turn += 1;
		provenIn.set(agent.id, turn);
		const written = kept.keep(agent.id, proof);
		if (!written.ok) warn(`What was found about the guard of ${agent.title} is not kept: ${written.error.message}`);
		return toProof(proof);
	}

	return {
		known,
		async prove(agent, { again = false } = {}) {
			const askedAt = turn;
			// One at a time: each starts a whole agent, and has a time limit.
			return await inTurn('proof', async () => {
				const found = await find(agent);
				if (!found.ok) return found;
				const { argv, key } = found.value;
				const proof = recall(agent.id, key);
				// A guard that did not fire is tried at each start: what hindered it may be mended, and is not part of the key.
				if (proof && ((proof.reason === null && !again) || (provenIn.get(agent.id) ?? 0) > askedAt))
					return ok({ argv, proof: toProof(proof) });
				return ok({ argv, proof: await proveNow(agent, argv, key) });
			});
		},
		async [Symbol.asyncDispose]() {
			stopped.abort();
			await inTurn('proof', async () => {});
		},
	};
}

const MOST_WORDS = 300;

/** One line: it may hold what a program said last. */
function toReason(outcome: CanaryResult): string | null {
	if (outcome.guarded) return null;
	return sanitiseLine(outcome.reason.replaceAll(/\s+/g, ' ').slice(0, MOST_WORDS)).trim();
}
