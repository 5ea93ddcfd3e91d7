// The agents of this machine and the means to start them: wiring only.
import { readMatrix } from '@roost/agents/conformance/matrix';
import { KNOWN_AGENTS } from '@roost/agents/known-agents';
import { getRuntime } from '@roost/agents/registry';
import type { DrivableDeps } from '../driven/agent-setting.ts';
import type { DrivableAgents } from '../driven/may-drive.ts';
import { openDrivable } from '../driven/open-drivable.ts';
import { type AgentsHere, createAgentDesk } from './agent-desk.ts';
import { createAgentPrograms } from './agent-programs.ts';

export type OpenAgentsHere = AsyncDisposable & AgentsHere & { drivable: DrivableAgents };

/** Who brings agents of their own has no others: nothing of the machine is looked at. */
export function openAgentsHere(deps: DrivableDeps & { brought?: DrivableAgents | undefined }): OpenAgentsHere {
	const { env, config, brought } = deps;
	const programs = createAgentPrograms({ env, agents: config.agents });
	const drivable = brought ?? openDrivable(deps);
	const known = brought ? [] : KNOWN_AGENTS;
	return {
		...createAgentDesk({ drivable, known, guardOf, look: programs.look, readMatrix }),
		drivable,
		[Symbol.asyncDispose]: programs[Symbol.asyncDispose],
	};
}

function guardOf(id: string): string | null {
	const runtime = getRuntime(id);
	return runtime.ok ? runtime.value.traits.guard : null;
}
