// One proof that the guard of an agent fires on this machine: deployed as for any agent of a team, and its real program made to try.
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentAdapter, HooksDef } from '@roost/agents/base/types';
import { type CanaryAgent, type CanaryResult, proveGuard } from '@roost/agents/guards/canary';
import { findKind, getAdapter } from '@roost/agents/kinds';
import { type AgentsConfig, createAgentEnvironments } from '@roost/home/programs/agent-environments';
import type { Argv } from '@roost/home/programs/agent-runs';
import { type KnownProofsPlace, openKeptProofs, proofsFile } from '@roost/home/programs/known-proofs';
import { hasCode } from '@roost/machine/error-code';
import { runGit } from '@roost/machine/git';
import { ensurePrivateDirectory } from '@roost/machine/private-directory';
import { ok, type Result } from '@roost/protocol/result';
import { endMarked } from '../driven/orphans.ts';
import { createGuardProofs, type GuardProofs } from './guard-proofs.ts';

type ProofOptions = {
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

/** Programs that unpack themselves at their first start take their time. */
const TIME_LIMIT_MS = 60_000;

type OpenGuardProofsDeps = KnownProofsPlace & {
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

type ProofPlace = AsyncDisposable & {
	/** For `ROOST_SESSION`, so that whatever was started here is found again. */
	readonly mark: string;
	readonly worktree: string;
	readonly stateDir: string;
};

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

/** What a runner that was killed left behind. */
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

/** A linked worktree, as agents get them: in one of those some of them pass over their hooks. Nothing of the user's settings counts. */
function toSteps(worktree: string): readonly (readonly string[])[] {
	const somebody = ['-c', 'user.name=Roost', '-c', 'user.email=roost@localhost', '-c', 'commit.gpgSign=false'];
	return [
		['init', '--quiet', '--template=', '--initial-branch=main'],
		[...somebody, 'commit', '--quiet', '--allow-empty', '--no-verify', '--message=Start'],
		['worktree', 'add', '--quiet', '-b', 'roost/canary/proof', worktree],
	];
}
