// One proof that the guard of an agent fires on this machine: deployed as for any agent of a team, and its real program made to try.

import type { AgentAdapter, HooksDef } from '@roost/agents/base/types';
import { type CanaryAgent, type CanaryResult, proveGuard } from '@roost/agents/guards/canary';
import type { Argv } from '@roost/home/programs/find-agent';
import { openProofPlace } from './proof-place.ts';

export type ProofOptions = {
	adapter: AgentAdapter;
	canary: CanaryAgent;
	/** The agent's program, and arguments that belong to it. */
	program: Argv;
	/** The environment that an agent with this mark gets. */
	environment: (mark: string) => Record<string, string>;
	/** One of this user only, for what the proof needs while it lasts. */
	folder: string;
	timeLimitMs: number;
	signal?: AbortSignal | undefined;
};

/** Never throws: what could not be proven is not guarded. */
export async function proveHere(options: ProofOptions): Promise<CanaryResult> {
	try {
		return await prove(options);
	} catch (cause) {
		return {
			guarded: false,
			reason: `its guard could not be deployed: ${cause instanceof Error ? cause.message : String(cause)}`,
		};
	}
}

async function prove({ adapter, canary, environment, folder, ...how }: ProofOptions): Promise<CanaryResult> {
	const opened = await openProofPlace(folder);
	if (!opened.ok) return { guarded: false, reason: `there is no place to prove it in: ${opened.error.message}` };
	await using place = opened.value;
	const { mark, worktree: worktreePath, stateDir } = place;
	const own = environment(mark);
	const def: HooksDef = { agentName: 'canary', capability: 'scout', worktreePath, stateDir, env: own };
	const deployed = await adapter.deployConfig(worktreePath, undefined, def);
	try {
		const env = { ...own, ...adapter.buildEnv({ model: '' }, def) };
		return await proveGuard({ agent: canary, def, deployed, env, ...how });
	} finally {
		await deployed.remove();
	}
}
