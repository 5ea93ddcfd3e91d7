// The agents of this machine and the means to start them: wiring only.
import { readMatrix } from '@roost/agents/conformance/matrix';
import { getAdapter, KNOWN_AGENTS } from '@roost/agents/kinds';
import { createAgentPrograms } from '@roost/home/programs/agent-programs';
import type { DrivableAgents } from '../driven/may-drive.ts';
import { type DrivableDeps, openDrivable } from '../driven/open-drivable.ts';
import { type AgentsHere, createAgentList } from './agent-list.ts';
import { openGuardProofs } from './open-guard-proofs.ts';

export type OpenAgentsHere = AsyncDisposable & AgentsHere & { drivable: DrivableAgents };

export type AgentsHereDeps = DrivableDeps & {
	/** Roost's own home. */
	dataDir: string;
	warn: (sentence: string) => void;
	/** Who brings agents of their own has no others: nothing of the machine is looked at. */
	brought?: DrivableAgents | undefined;
};

export function openAgentsHere(deps: AgentsHereDeps): OpenAgentsHere {
	const { env, config, brought, dataDir, warn } = deps;
	const programs = createAgentPrograms({ env, agents: config.agents });
	const proofs = openGuardProofs({ programs, env, config, dataDir, warn });
	const drivable = brought ?? openDrivable(deps);
	const known = brought ? [] : KNOWN_AGENTS;
	return {
		...createAgentList({ drivable, known, guardOf, proofs, inspect: programs.inspect, readMatrix }),
		drivable,
		async [Symbol.asyncDispose]() {
			await proofs[Symbol.asyncDispose]();
			await programs[Symbol.asyncDispose]();
		},
	};
}

function guardOf(id: string): string | null {
	const adapter = getAdapter(id);
	return adapter.ok ? adapter.value.traits.guard : null;
}
