// What was found about the guards of agents, kept in a file: a proof costs a start of the agent's program, and is good until that changes.
import { readPrivateJson, replacePrivateFile } from '@roost/machine/private-file';
import type { Result } from '@roost/protocol/result';
import { z } from 'zod';

const keptProof = z.object({
	/** Of everything that the outcome depends on. */
	key: z.string().min(1),
	provenAt: z.int().nonnegative(),
	/** Why the agent is not guarded; null where it is. */
	reason: z.string().min(1).nullable(),
});
export type KeptProof = z.infer<typeof keptProof>;

export type KeptProofs = {
	find(id: string): KeptProof | undefined;
	/** It is known from now on, also where it could not be written down. */
	keep(id: string, proof: KeptProof): Result<void>;
};

/** What cannot be read proves nothing, and is written anew. */
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
