// Tests that the guard of an agent fires on this machine: deploys it in a temporary worktree and runs the real program.
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentAdapter, HooksDef } from '@roost/agents/base/types';
import { type CanaryAgent, type CanaryResult, proveGuard } from '@roost/agents/guards/canary';
import type { KnownAgent } from '@roost/agents/kind/agent-kind';
import { findKind, getAdapter } from '@roost/agents/kinds';
import { sanitiseLine } from '@roost/core/display/sanitise';
import {
	type AgentEnvironments,
	type AgentPrograms,
	type AgentsConfig,
	createAgentEnvironments,
} from '@roost/home/programs/agent-programs';
import type { Argv } from '@roost/home/programs/agent-runs';
import {
	createKnownProofs,
	type KeptProofs,
	type KnownProofs,
	type KnownProofsPlace,
	openKeptProofs,
	proofsFile,
	toProof,
} from '@roost/home/programs/known-proofs';
import { hasCode } from '@roost/machine/error-code';
import { runGit } from '@roost/machine/git';
import { createInTurn } from '@roost/machine/in-turn';
import { ensurePrivateDirectory } from '@roost/machine/private-directory';
import type { GuardProof } from '@roost/protocol/api/agents';
import { ok, type Result } from '@roost/protocol/result';
import { endMarked } from '../driven/orphans.ts';

type ProofOptions = {
	adapter: AgentAdapter;
	canary: CanaryAgent;
	program: Argv;
	/** By the mark of the test. */
	environment: (mark: string) => Record<string, string>;
	/** A private folder for temporary files. */
	folder: string;
	timeLimitMs: number;
	signal?: AbortSignal | undefined;
};

/** Never throws: a failed test means not guarded. */
async function proveHere(options: ProofOptions): Promise<CanaryResult> {
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
	if (!opened.ok) return { guarded: false, reason: `no worktree could be created for the test: ${opened.error.message}` };
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

/** Programs that unpack themselves at their first start are slow. */
const TIME_LIMIT_MS = 60_000;

/** For the runner only: it removes what is left of earlier tests. */
export function openGuardProofs(
	deps: KnownProofsPlace & {
		config: AgentsConfig;
		warn: (sentence: string) => void;
		timeLimitMs?: number | undefined;
		adapterOf?: ((id: string) => Result<AgentAdapter>) | undefined;
	},
): GuardProofs {
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

/** `mark`: the value of `ROOST_SESSION`, by which processes that were started here are found. */
type ProofPlace = AsyncDisposable & { readonly mark: string; readonly worktree: string; readonly stateDir: string };

const MARK = /^proof-[0-9a-f-]{36}$/;

export async function openProofPlace(folder: string): Promise<Result<ProofPlace>> {
	const own = ensurePrivateDirectory(folder, 'close');
	if (!own.ok) return own;
	const mark = `proof-${randomUUID()}`;
	const place = join(folder, mark);
	const [repository, worktree] = [join(place, 'repository'), join(place, 'worktree')];
	await using stack = new AsyncDisposableStack();
	stack.defer(() => clear(folder, [mark]));
	await mkdir(repository, { recursive: true, mode: 0o700 });
	for (const args of toSteps(worktree)) {
		const done = await runGit(repository, args);
		if (!done.ok) return done;
	}
	const owned = stack.move();
	return ok({ mark, worktree, stateDir: join(place, 'state'), [Symbol.asyncDispose]: () => owned.disposeAsync() });
}

/** Left behind by a killed runner. */
export async function clearProofPlaces(folder: string): Promise<void> {
	const names = await readdir(folder).catch((cause: unknown) => {
		if (hasCode(cause, 'ENOENT')) return [];
		throw cause;
	});
	await clear(
		folder,
		names.filter((name) => MARK.test(name)),
	);
}

async function clear(folder: string, marks: readonly string[]): Promise<void> {
	await endMarked(marks);
	for (const mark of marks) await rm(join(folder, mark), { recursive: true, force: true, maxRetries: 3 });
}

/** A linked worktree, in which some agents ignore their hooks. Independent of the user's git settings. */
function toSteps(worktree: string): readonly (readonly string[])[] {
	const author = ['-c', 'user.name=Roost', '-c', 'user.email=roost@localhost', '-c', 'commit.gpgSign=false'];
	return [
		['init', '--quiet', '--template=', '--initial-branch=main'],
		[...author, 'commit', '--quiet', '--allow-empty', '--no-verify', '--message=Start'],
		['worktree', 'add', '--quiet', '-b', 'roost/canary/proof', worktree],
	];
}

export type GuardProofs = AsyncDisposable &
	Pick<KnownProofs, 'known'> & {
		/** Uses a known positive result unless `again`. Fails if the program cannot be started. */
		prove(agent: KnownAgent, options?: { again?: boolean }): Promise<Result<ProvenProgram>>;
	};

export type ProvenProgram = { proof: GuardProof; argv: Argv };

export function createGuardProofs(deps: {
	programs: Pick<AgentPrograms, 'inspect' | 'find'>;
	environments: AgentEnvironments;
	kept: KeptProofs;
	/** Starts the agent's program once, and never fails. */
	proveOnce: (agent: KnownAgent, program: Argv, signal: AbortSignal) => Promise<CanaryResult>;
	now: () => number;
	warn: (sentence: string) => void;
}): GuardProofs {
	const { kept, proveOnce, now, warn } = deps;
	const { known, find, recall } = createKnownProofs(deps);
	const inTurn = createInTurn<'proof'>();
	const stopped = new AbortController();
	/** A counter instead of the clock: a proof made after a request is new enough for it. */
	let turn = 0;
	const provenIn = new Map<string, number>();

	async function proveNow(agent: KnownAgent, argv: Argv, key: string): Promise<GuardProof> {
		const outcome = await proveOnce(agent, argv, stopped.signal);
		if (stopped.signal.aborted) return toProof({ key, provenAt: now(), reason: 'Roost was stopped during the test' });
		const after = await find(agent);
		const isSame = after.ok && after.value.key === key;
		const proof = {
			key,
			provenAt: now(),
			reason: isSame ? toReason(outcome) : 'its program changed during the test: try again',
		};
		turn += 1;
		provenIn.set(agent.id, turn);
		const written = kept.keep(agent.id, proof);
		if (!written.ok) warn(`The guard proof of ${agent.title} could not be saved: ${written.error.message}`);
		return toProof(proof);
	}

	return {
		known,
		async prove(agent, { again = false } = {}) {
			const askedAt = turn;
			return await inTurn('proof', async () => {
				const found = await find(agent);
				if (!found.ok) return found;
				const { argv, key } = found.value;
				const proof = recall(agent.id, key);
				// A failed guard is tested again: the cause may be fixed and is not part of the key.
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

/** One line: it may contain program output. */
function toReason(outcome: CanaryResult): string | null {
	if (outcome.guarded) return null;
	return sanitiseLine(outcome.reason.replaceAll(/\s+/g, ' ').slice(0, MOST_WORDS)).trim();
}
