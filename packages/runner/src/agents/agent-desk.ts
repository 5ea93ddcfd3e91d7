// The agents on this machine as the API sees them: their programs, what can be done with each, and what of it is proven.
import type { Matrix } from '@roost/agents/conformance/matrix';
import type { AgentKind } from '@roost/agents/registry';
import type { DrivableAgent } from '@roost/core/runtime/connection';
import type { AgentDesk } from '@roost/gateway/backend';
import type { AgentProgram, AgentRow } from '@roost/protocol/api/agents';
import type { DrivableAgents } from '../driven/may-drive.ts';

export type AgentsHere = AgentDesk & {
	/** Why it cannot be started here; null where it can, as far as its program says. */
	whyNot(name: string): Promise<string | null>;
};

export function createAgentDesk(deps: {
	drivable: DrivableAgents;
	kinds: readonly AgentKind[];
	look: (kind: AgentKind) => Promise<AgentProgram>;
	readMatrix: () => Matrix;
}): AgentsHere {
	const { drivable, kinds, look } = deps;
	const known = new Map(kinds.map((kind) => [kind.runtime.id, kind]));

	async function toRow(id: string, proven: AgentRow['proven']): Promise<AgentRow> {
		const kind = known.get(id);
		const { takesPrompts = false, canResume = false, canInterrupt = false } = drivable.get(id)?.capabilities ?? {};
		return {
			id,
			title: kind?.runtime.title ?? id,
			takesPrompts,
			canResume,
			canInterrupt,
			program: kind ? await look(kind) : whyNotStarted(drivable.get(id)),
			observed: kind?.observed ?? null,
			guarded: kind?.runtime.traits.guard ?? null,
			proven,
		};
	}

	return {
		async list() {
			const { agents } = deps.readMatrix();
			const ids = new Set([...known.keys(), ...drivable.keys()]);
			return await Promise.all([...ids].map((id) => toRow(id, agents[id] ?? null)));
		},
		async whyNot(name) {
			const kind = known.get(name);
			const program = kind && (await look(kind));
			return program?.problem?.sentence ?? null;
		},
	};
}

/** Of one that nobody knows it is not told which version it is, but whether it would start. */
function whyNotStarted(agent: DrivableAgent | undefined): AgentProgram | null {
	const sentence = agent?.refuse({ cwd: '/', gate: 'enforce' }) ?? null;
	return sentence === null ? null : { path: null, version: null, problem: { kind: 'missing', sentence } };
}
