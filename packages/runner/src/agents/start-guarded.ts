// Starts an agent with its guard in a worktree and a terminal: exactly the program whose guard was tested.
import { realpath } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { isInside } from '@roost/agents/base/is-inside';
import type { AgentAdapter, Deployed, HooksDef, OverlayContent, QualityGate } from '@roost/agents/base/types';
import { getAdapter, KNOWN_AGENTS, toModelName } from '@roost/agents/kinds';
import { toSentence } from '@roost/core/display/sentence';
import { type AgentsConfig, createAgentEnvironments } from '@roost/home/programs/agent-programs';
import { type GuardProof, guardWords } from '@roost/protocol/api/agents';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { openTui, type TuiAgent, type TuiLoopDeps, type TuiStart } from '../driven/tui-loop.ts';
import type { GuardProofs, ProvenProgram } from './prove-here.ts';

export type GuardedStart = Pick<TuiStart, 'beacon' | 'size'> & {
	/** Lowercase letters, digits and dashes: names its terminal, branches and guard files. */
	name: string;
	/** The kind of agent: `claude`, `codex`, `pi`, `copilot`. */
	agent: string;
	model: string;
	worktree: string;
	capability: string;
	overlay?: OverlayContent | undefined;
	qualityGates?: QualityGate[] | undefined;
	/** Requires a working guard. Otherwise it starts without one and asks in its terminal. */
	guarded: boolean;
};

export type GuardedAgent = TuiAgent & {
	readonly guard: GuardProof;
	readonly mark: string;
	/** The folder for the decisions of its guard. */
	readonly stateDir: string;
};

export type GuardedStartDeps = Pick<TuiLoopDeps, 'tmux' | 'clock' | 'limits'> & {
	proofs: Pick<GuardProofs, 'prove'>;
	env: NodeJS.ProcessEnv;
	config: AgentsConfig;
	dataDir: string;
	adapterOf?: ((id: string) => Result<AgentAdapter>) | undefined;
};

export type StartGuarded = (start: GuardedStart) => Promise<Result<GuardedAgent>>;

export function createStartGuarded(deps: GuardedStartDeps): StartGuarded {
	const { adapterOf = (id) => getAdapter(id, deps.config.runtime) } = deps;
	const environments = createAgentEnvironments(deps.env, deps.config.agents);
	const starting = new Set<string>();

	/** Two agents of one name would overwrite each other's guard. */
	async function reserve(name: string): Promise<Result<Disposable>> {
		const taken = err(new AppError('conflict', `An agent named "${name}" already exists. Choose another name.`));
		if (starting.has(name)) return taken;
		starting.add(name);
		const there = await deps.tmux.read(name);
		if (there.ok && there.value === null) return ok({ [Symbol.dispose]: () => void starting.delete(name) });
		starting.delete(name);
		return there.ok ? taken : there;
	}

	async function start(wanted: GuardedStart, adapter: AgentAdapter, proven: ProvenProgram): Promise<Result<GuardedAgent>> {
		const { name, capability, qualityGates } = wanted;
		const model = toModelName(adapter.id, wanted.model, deps.config.runtime);
		if (!model.ok) return model;
		const place = await findPlace(wanted, deps.dataDir);
		if (!place.ok) return place;
		const { worktreePath, stateDir } = place.value;
		const env = environments(adapter.id, '');
		const def: HooksDef = { agentName: name, capability, worktreePath, stateDir, qualityGates, env };
		const deployed = await deploy(adapter, def, wanted.overlay);
		if (!deployed.ok) return deployed;
		const spawn = {
			model: model.value,
			// Only a working guard replaces the agent's own questions.
			permissionMode: proven.proof.state === 'guarded' ? 'bypass' : 'ask',
			cwd: worktreePath,
			env: { ...env, ...adapter.buildEnv({ model: model.value }, def) },
			program: proven.argv,
			deployed: deployed.value,
		} as const;
		const opened = await openTui({ ...deps, adapter }, { ...wanted, spawn });
		if (opened.ok) return ok(toGuardedAgent(opened.value, proven.proof, stateDir, deployed.value));
		// An agent that could not be ended keeps its guard.
		const left = await deps.tmux.read(name);
		if (left.ok && left.value === null) await deployed.value.remove();
		return opened;
	}

	return async (wanted) => {
		const adapter = adapterOf(wanted.agent);
		if (!adapter.ok) return adapter;
		const known = KNOWN_AGENTS.find(({ id }) => id === adapter.value.id);
		if (!known) return err(new AppError('cannot_start', `${adapter.value.title} has no program that Roost knows.`));
		const reserved = await reserve(wanted.name);
		if (!reserved.ok) return reserved;
		using _ = reserved.value;
		const proven = await deps.proofs.prove(known);
		if (!proven.ok) return proven;
		const { proof } = proven.value;
		if (wanted.guarded && proof.state !== 'guarded') return err(notStarted(adapter.value, proof));
		return await start(wanted, adapter.value, proven.value);
	};
}

function notStarted({ title }: AgentAdapter, proof: GuardProof): AppError {
	const remedy = 'Fix this and retry, or start it without guards';
	return new AppError('cannot_start', `${toSentence(`${title} was not started: ${guardWords(proof)}`)} ${remedy}.`);
}

async function findPlace(
	{ worktree, name }: GuardedStart,
	dataDir: string,
): Promise<Result<{ worktreePath: string; stateDir: string }>> {
	const worktreePath = isAbsolute(worktree) ? await realpath(worktree).catch(() => null) : null;
	if (worktreePath === null)
		return err(new AppError('bad_request', `${worktree} is not the absolute path of an existing folder.`));
	if (await isInside(worktreePath, dataDir)) {
		const sentence = `${worktree} contains Roost's own home, which agents cannot write to. Choose another folder, or set ROOST_HOME.`;
		return err(new AppError('bad_request', sentence));
	}
	return ok({ worktreePath, stateDir: join(dataDir, 'guards', name) });
}

async function deploy(adapter: AgentAdapter, def: HooksDef, overlay: OverlayContent | undefined): Promise<Result<Deployed>> {
	try {
		return ok(await adapter.deployConfig(def.worktreePath, overlay, def));
	} catch (cause) {
		if (cause instanceof AppError) return err(cause);
		const why = cause instanceof Error ? cause.message : String(cause);
		return err(new AppError('cannot_start', `The guard of ${adapter.title} cannot be deployed: ${why}.`, { cause }));
	}
}

function toGuardedAgent(tui: TuiAgent, guard: GuardProof, stateDir: string, deployed: Deployed): GuardedAgent {
	async function kill(): Promise<Result<void>> {
		const ended = await tui.kill();
		// The guard stays until the agent is gone.
		if (ended.ok) await deployed.remove();
		return ended;
	}
	return {
		...tui,
		guard,
		mark: guardWords(guard),
		stateDir,
		kill,
		async [Symbol.asyncDispose]() {
			await kill();
		},
	};
}
