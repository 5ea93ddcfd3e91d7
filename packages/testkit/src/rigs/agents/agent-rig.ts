// One real agent program against a scripted model, with a home and a repository of its own, in the same shape for every agent.
// A test runs the program itself, drives the agent through Roost's adapter, or runs `roost` as the user of this home.
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { DrivableAgent, DrivenAgent, DrivenRequest } from '@roost/core/runtime/connection';
import type { Block } from '../../fakes/model-reply.ts';
import type { ModelRequest } from '../../fakes/model-request.ts';
import type { FakeModel } from '../../fakes/model-server.ts';
import type { Script } from '../../fakes/script.ts';
import { endProcessesWithEnv } from '../live-processes.ts';
import { type Exit, type Program, type ProgramOptions, startProgram } from '../program.ts';
import { roostArgv } from '../runner/roost-cli.ts';
import { createGitRepository } from '../shell/git-repository.ts';
import { createTempDir } from '../temp-dir.ts';
import { type AgentProgram, needProgram } from './agent-programs.ts';
import { allowAll, type DrivenStory, listenTo, type TestGate } from './driven-story.ts';

type Env = Readonly<Record<string, string>>;

export type AgentRig<Deps = object> = AsyncDisposable & {
	readonly agent: DrivableAgent;
	/** The path of the agent's own program. */
	readonly program: string;
	readonly home: string;
	/** The agent's own settings and sessions. */
	readonly configDir: string;
	/** A git repository with one commit. */
	readonly project: string;
	/** The complete environment of the agent. */
	readonly env: Env;
	/** The environment of `roost`: the agent's program is on the PATH, and Roost's home is empty. */
	readonly roostEnv: Env;
	/** All requests to the model so far. */
	readonly requests: readonly ModelRequest[];
	/** A driven agent that is not started yet. */
	open(request?: Partial<DrivenRequest>, deps?: Partial<Deps>): DrivenAgent;
	/** A driven agent, started and recorded. */
	start(request?: Partial<DrivenRequest>, gate?: TestGate, deps?: Partial<Deps>): DrivenStory;
	/** Runs the agent's program until it exits; it is killed with the rig. */
	run(args: readonly string[], options?: RunOptions): Promise<Exit>;
	/** Starts the agent's program; it is killed with the rig. */
	spawn(args: readonly string[], options?: SpawnOptions): Promise<Program>;
	/** Runs one command of Roost in the project. */
	roost(...args: readonly string[]): Promise<Exit>;
};

export type SpawnOptions = Partial<ProgramOptions>;
export type RunOptions = SpawnOptions & { readonly timeoutMs?: number };

/** How a model calls this agent's own tools. */
export type AgentWords = {
	/** Runs a shell command. */
	shell(command: string): Block;
	/** Makes a file, whose path is relative to the project. */
	write(path: string, text: string): Block;
	/** Reads a file. */
	read(path: string): Block;
	/** Asks the user a question with these choices; null where the agent has no such tool. */
	question(question: string, choices: readonly string[]): Block | null;
};

export type AgentRigOptions<Deps = object> = {
	/** The replies of the model. */
	script: Script;
	/** Added to the agent's environment. */
	env?: Env;
	/** Started in place of the agent's own program, with the same arguments. */
	program?: string;
	/** Replaces parts of what Roost's adapter gets. */
	deps?: Partial<Deps>;
};

/** The part of a rig that the conformance suite uses. */
export type ConformanceRig = Pick<AgentRig, 'agent' | 'project' | 'home' | 'env' | 'requests' | typeof Symbol.asyncDispose>;
export type OpenAgentRig = (options: Omit<AgentRigOptions, 'deps'>) => Promise<ConformanceRig>;

/** What is different for each agent. */
export type RigKind<Deps> = {
	readonly program: AgentProgram;
	/** Below the folder of the rig. */
	readonly configDir?: string;
	startModel(script: Script): Promise<FakeModel>;
	/** Writes the agent's settings, and returns its variables. */
	setUp(dirs: AgentDirs, modelUrl: string): Promise<Env>;
	toDeps(place: { program: string; env: Env; home: string; root: string }): Deps;
	createAgent(deps: Deps): DrivableAgent;
	/** The defaults of every session. */
	readonly request?: Partial<DrivenRequest>;
};

export type AgentDirs = Pick<AgentRig, 'home' | 'configDir' | 'project'> & { readonly tmp: string };

/** A busy machine takes its time over real programs. */
const DEADLINE_MS = 120_000;

export async function openAgentRig<Deps>(kind: RigKind<Deps>, options: AgentRigOptions<Deps>): Promise<AgentRig<Deps>> {
	const program = options.program ?? needProgram(kind.program);
	await using stack = new AsyncDisposableStack();
	const root = stack.use(await createTempDir()).path;
	// Agents start commands in process groups of their own, so killing the agent's group is not enough.
	stack.defer(() => endProcessesWithEnv(root));
	const model = stack.use(await kind.startModel(options.script));
	const dirs = {
		home: join(root, 'home'),
		configDir: join(root, kind.configDir ?? 'config'),
		project: join(root, 'project'),
		tmp: join(root, 'tmp'),
	};
	const bin = join(root, 'bin');
	for (const dir of [...Object.values(dirs), bin]) await mkdir(dir, { recursive: true, mode: 0o700 });
	await symlink(program, join(bin, kind.program));
	const base = { PATH: process.env.PATH ?? '', HOME: dirs.home };
	const env: Env = { ...base, ...(await kind.setUp(dirs, model.url)), ...options.env };
	await createGitRepository(dirs.project, env);
	const roostEnv = { ...env, PATH: `${bin}:${env.PATH}`, ROOST_HOME: join(dirs.home, 'roost') };
	const home = env.HOME ?? dirs.home;
	const deps = { ...kind.toDeps({ program, env, home, root }), ...options.deps };
	const agent = kind.createAgent(deps);
	const owned = stack.move();
	const open: AgentRig<Deps>['open'] = (request, over) => {
		const driving = over ? kind.createAgent({ ...deps, ...over }) : agent;
		const driven = driving.open({ cwd: dirs.project, gate: 'enforce', ...kind.request, ...request });
		owned.defer(() => driven.connection.close());
		return driven;
	};
	const spawn: AgentRig['spawn'] = async (args, { cwd = dirs.project, env: more, input = '' } = {}) =>
		owned.use(await startProgram([program, ...args], { cwd, env: { ...env, ...more }, input }));
	return {
		agent,
		program,
		home,
		configDir: dirs.configDir,
		project: dirs.project,
		env,
		roostEnv,
		requests: model.requests,
		open,
		start: (request, gate = allowAll, over) => listenTo(open(request, over), gate),
		spawn,
		async run(args, { timeoutMs = DEADLINE_MS, ...given } = {}) {
			await using running = await spawn(args, given);
			return await running.waitForExit(timeoutMs);
		},
		async roost(...args) {
			await using running = await startProgram(roostArgv(...args), { cwd: dirs.project, env: roostEnv });
			return await running.waitForExit(DEADLINE_MS);
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}
