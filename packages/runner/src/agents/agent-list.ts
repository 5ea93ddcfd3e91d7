// The agents on this machine for the API: programs, capabilities and guard proofs.
import { type Matrix, readMatrix } from '@roost/agents/conformance/matrix';
import type { KnownAgent } from '@roost/agents/kind/agent-kind';
import { getAdapter, KNOWN_AGENTS } from '@roost/agents/kinds';
import type { DrivableAgent } from '@roost/core/runtime/connection';
import { createAgentPrograms } from '@roost/home/programs/agent-programs';
import type { AgentProgram, AgentRow, GuardProof, ProveAgents } from '@roost/protocol/api/agents';
import type { DrivableAgents } from '../driven/may-drive.ts';
import { type DrivableDeps, openDrivable } from '../driven/open-drivable.ts';
import { type GuardProofs, openGuardProofs } from './prove-here.ts';

export type AgentsHere = {
	list(): Promise<readonly AgentRow[]>;
	/** Starts each installed agent to test its guard, and lists all. */
	prove(body: ProveAgents, report: (line: string) => void): Promise<readonly AgentRow[]>;
	/** Why it cannot be started here; null if it can. */
	whyNot(name: string): Promise<string | null>;
};

export function createAgentList(deps: {
	drivable: DrivableAgents;
	known: readonly KnownAgent[];
	/** The kind of its guard; null if it has none. */
	guardOf: (id: string) => string | null;
	inspect: (agent: KnownAgent) => Promise<AgentProgram>;
	proofs: Pick<GuardProofs, 'known' | 'prove'>;
	readMatrix: () => Matrix;
}): AgentsHere {
	const { drivable, inspect, proofs } = deps;
	const known = new Map(deps.known.map((agent) => [agent.id, agent]));

	async function list(): Promise<readonly AgentRow[]> {
		const { agents } = deps.readMatrix();
		const ids = new Set([...known.keys(), ...drivable.keys()]);
		return await Promise.all([...ids].map((id) => toRow(id, agents[id])));
	}

	async function toRow(id: string, proven: Matrix['agents'][string] | undefined): Promise<AgentRow> {
		const agent = known.get(id);
		const program = agent ? await inspect(agent) : whyNotStarted(drivable.get(id));
		const { takesPrompts = false, canResume = false, canInterrupt = false } = drivable.get(id)?.capabilities ?? {};
		return {
			id,
			title: agent?.title ?? id,
			takesPrompts,
			canResume,
			canInterrupt,
			program,
			observed: agent?.observed ?? null,
			guarded: deps.guardOf(id),
			guardProof: agent ? await findProof(agent, program) : null,
			proven: proven ? { version: proven.version, cells: proven.cells } : null,
		};
	}

	/** Does not start a program with a known problem again. */
	async function findProof(agent: KnownAgent, program: AgentProgram | null): Promise<GuardProof | null> {
		if (deps.guardOf(agent.id) === null) return null;
		return program?.problem ? { state: 'not-proven' } : await proofs.known(agent);
	}

	async function findGuarded(): Promise<KnownAgent[]> {
		const all = deps.known.filter(({ id }) => deps.guardOf(id) !== null);
		const programs = await Promise.all(all.map(inspect));
		return all.filter((_, at) => programs[at]?.problem === null);
	}

	return {
		list,
		async prove({ again = false }, report) {
			const here = await findGuarded();
			for (const [at, agent] of here.entries()) {
				report(`${at + 1} of ${here.length}: proving the guard of ${agent.title} …`);
				await proofs.prove(agent, { again });
			}
			return await list();
		},
		async whyNot(name) {
			const agent = known.get(name);
			const program = agent && (await inspect(agent));
			return program?.problem?.sentence ?? null;
		},
	};
}

/** For an unknown agent: no version, only whether it would start. */
function whyNotStarted(agent: DrivableAgent | undefined): AgentProgram | null {
	const sentence = agent?.refuse({ cwd: '/', gate: 'enforce' }) ?? null;
	return sentence === null ? null : { path: null, version: null, problem: { kind: 'missing', sentence } };
}

export function openAgentsHere(
	deps: DrivableDeps & {
		dataDir: string;
		warn: (sentence: string) => void;
		/** Replaces the agents of this machine. */
		brought?: DrivableAgents | undefined;
	},
): AsyncDisposable & AgentsHere & { drivable: DrivableAgents } {
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
