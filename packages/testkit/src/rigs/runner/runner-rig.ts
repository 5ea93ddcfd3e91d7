// A real runner with a home of its own, in this process or as a process, reached as scripts, agents and the command line reach it.
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mockAgent } from '@roost/agents/mock/driven/open-mock-agent';
import { type ApiClient, createApiClient } from '@roost/client/api-client';
import type { DrivableAgent } from '@roost/core/runtime/connection';
import { type RunningRunner, readRunnerFile, removeRunnerFile, writeRunnerFile } from '@roost/home/runner-file';
import { VERSION } from '@roost/home/version';
import type { CreateSession } from '@roost/protocol/api/driving';
import { type LaunchBody, type LaunchOpened, launchOpened } from '@roost/protocol/api/launches';
import { projectId, type SessionId } from '@roost/protocol/ids';
import { openRunner } from '@roost/runner/open-runner';
import type { AgentRig } from '../agents/agent-rig.ts';
import { type RawResponse, sendRaw } from '../api/raw-http.ts';
import { type Exit, type Program, startProgram } from '../program.ts';
import { createTempDir } from '../temp-dir.ts';
import { unwrap } from '../unwrap.ts';
import { waitFor } from '../wait-for.ts';
import { roostArgv } from './roost-cli.ts';
import { reportStory, type SessionStory, startStory } from './session-story.ts';

type Env = Readonly<Record<string, string>>;

export type ReachedRunner = {
	readonly pid: number;
	readonly port: number;
	readonly url: string;
	readonly token: string;
	readonly bearer: { authorization: string };
	readonly api: ApiClient;
	call(method: string, path: string, body?: unknown): Promise<RawResponse>;
	/** The launch of an agent that the test plays. */
	openLaunch(over?: Partial<LaunchBody>): Promise<PlayedAgent>;
};

export type PlayedAgent = LaunchOpened & {
	/** Sends one hook over HTTP; resolves with the runner's reply. */
	report(payload: Record<string, unknown>): Promise<RawResponse>;
};

export type RunnerRig = ReachedRunner &
	AsyncDisposable & {
		/** ROOST_HOME. */
		readonly home: string;
		/** The project of its sessions, and where commands run. */
		readonly folder: string;
		/** The environment of commands that reach this runner. */
		readonly env: Record<string, string>;
		/** Runs one command as a process. */
		roost(...args: readonly string[]): Promise<Exit>;
		/** The request for a driven session in the project. */
		describe(body?: Partial<CreateSession>): CreateSession;
		start(body?: Partial<CreateSession>): Promise<SessionStory>;
		startSession(prompt?: string): Promise<SessionId>;
		find(id: SessionId): SessionStory;
		/** The process of a session's agent, once there is one. */
		agentPid(id: SessionId): Promise<number>;
	};

type CommonOptions = {
	/** The content of config.yaml; the port is free unless it says otherwise. */
	config?: object;
	/** Added to the runner's environment. */
	env?: Env;
	/** Another runner had this home before; else it gets its own. */
	home?: string;
	/** The user and the project of an agent's rig. */
	rig?: Pick<AgentRig, 'project' | 'env'>;
	/** The agent of its sessions. */
	agent?: string;
};

export type RunnerOptions = CommonOptions & {
	/** Driven in place of the agents of this machine; the scripted agent where there is no rig. */
	drives?: DrivableAgent;
};

export type InProcessRunner = RunnerRig & {
	/** Shuts the runner down in order, as at the end of its process. */
	end(): Promise<void>;
};

/** In this process. */
export async function startRunner(options: RunnerOptions = {}): Promise<InProcessRunner> {
	const { agent = 'mock', drives = options.rig ? undefined : mockAgent() } = options;
	await using stack = new AsyncDisposableStack();
	const place = await createPlace(stack, 'project', options);
	const journal = { log: () => {}, hide: () => {} };
	const drivable = drives && new Map([...new Set(['mock', agent])].map((name) => [name, drives]));
	const given = { env: { ...place.env, ...options.env }, flags: {}, journal, warn: () => {}, roost: roostArgv() };
	const runner = stack.use(unwrap(await openRunner(drivable ? { ...given, drivable } : given)));
	const { home, gateway } = runner;
	unwrap(writeRunnerFile(home, { port: gateway.port, version: VERSION, startedAt: Date.now() }));
	stack.defer(() => void removeRunnerFile(home));
	const reached = await reachRoost(place.home);
	const owned = stack.move();
	return {
		...reached,
		...place,
		...createCommands(place, () => reached, agent),
		openLaunch: (over) => reached.openLaunch({ cwd: place.folder, ...over }),
		async end() {
			removeRunnerFile(home);
			await runner[Symbol.asyncDispose]();
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

export type RunnerProcessOptions = CommonOptions & {
	/** The command that starts it, such as a shell that sets limits first. */
	through?: readonly string[];
};

export type RunnerProcess = RunnerRig & {
	/** Not the runner: a process for launches to name, which survives a kill. */
	readonly waiterPid: number;
	/** The current one, or the last. */
	readonly program: Program;
	/** With SIGKILL, as in a crash. */
	kill(): Promise<void>;
	restart(): Promise<void>;
};

/** As a process: from the bundle in the gate, else from the sources. */
export async function startRunnerProcess(options: RunnerProcessOptions = {}): Promise<RunnerProcess> {
	await using stack = new AsyncDisposableStack();
	const place = await createPlace(stack, '.', options);
	const programs = stack.use(new AsyncDisposableStack());
	const env = { ...place.env, ...options.env };
	const waiter = stack.use(await startProgram(['sleep', '86400'], { cwd: place.folder, env }));
	const [file = '', ...args] = [...(options.through ?? []), ...roostArgv('up')];
	const startOne = async () => {
		const program = programs.use(await startProgram([file, ...args], { cwd: place.folder, env }));
		return { program, reached: await reachRoost(place.home, program.output) };
	};
	let current = await startOne();
	const owned = stack.move();
	return {
		...place,
		...createCommands(place, () => current.reached, options.agent ?? 'mock'),
		waiterPid: waiter.pid,
		get program() {
			return current.program;
		},
		get pid() {
			return current.reached.pid;
		},
		get port() {
			return current.reached.port;
		},
		get url() {
			return current.reached.url;
		},
		get api() {
			return current.reached.api;
		},
		token: current.reached.token,
		bearer: current.reached.bearer,
		call: (...request) => current.reached.call(...request),
		openLaunch: (over) => current.reached.openLaunch({ cwd: place.folder, ...over }),
		async kill() {
			current.program.signal('SIGKILL');
			await current.program.waitForExit(DEADLINE_MS);
		},
		async restart() {
			current = await startOne();
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

type Place = Pick<RunnerRig, 'home' | 'folder' | 'env'>;

const DEADLINE_MS = 120_000;

/** `project`: relative to the user's home, where there is no rig. */
async function createPlace(stack: AsyncDisposableStack, project: string, options: CommonOptions): Promise<Place> {
	const { config, rig, env } = options;
	const temp = stack.use(await createTempDir()).path;
	const home = options.home ?? env?.ROOST_HOME ?? join(temp, 'roost');
	const folder = rig ? await realpath(rig.project) : join(temp, project);
	await mkdir(folder, { recursive: true });
	await mkdir(home, { recursive: true, mode: 0o700 });
	const file = join(home, 'config.yaml');
	if (!existsSync(file)) await writeFile(file, JSON.stringify({ runner: { port: 0 }, ...config }), { mode: 0o600 });
	return { home, folder, env: { PATH: process.env.PATH ?? '', HOME: temp, ...rig?.env, ROOST_HOME: home } };
}

function createCommands({ home, folder, env }: Place, reached: () => ReachedRunner, agent: string) {
	const describe: RunnerRig['describe'] = (body) => ({ projectId: projectId.parse(folder), agent, ...body });
	const start: RunnerRig['start'] = (body) => startStory(reached().api, describe(body));
	return {
		describe,
		start,
		startSession: async (prompt?: string) => (await start({ prompt })).id,
		find: (id: SessionId) => reportStory(reached().api, id),
		async roost(...args: readonly string[]) {
			await using command = await startProgram(roostArgv(...args), { cwd: folder, env });
			return await command.waitForExit(DEADLINE_MS);
		},
		async agentPid(id: SessionId) {
			const file = join(home, 'run', `agent-${id}.json`);
			const read = () => (existsSync(file) ? /"pid":(\d+)/.exec(readFileSync(file, 'utf8'))?.[1] : undefined);
			return Number(await waitFor(read, { what: 'the process of an agent' }));
		},
	};
}

/** Waits until the runner of that home is up; `seen` is shown when it does not come up. */
export async function reachRoost(home: string, seen?: () => unknown): Promise<ReachedRunner> {
	const up = await waitFor(() => findRunner(home), { deadlineMs: DEADLINE_MS, what: 'the runner', ...(seen ? { seen } : {}) });
	const { pid, port } = up;
	const url = `http://127.0.0.1:${port}`;
	const token = readFileSync(join(home, 'token'), 'utf8').trim();
	const bearer = { authorization: `Bearer ${token}` };

	async function call(method: string, path: string, body?: unknown): Promise<RawResponse> {
		const json = body === undefined ? {} : { body: JSON.stringify(body) };
		return await sendRaw({ port, method, path, headers: { ...bearer, 'content-type': 'application/json' }, ...json });
	}
	return {
		pid,
		port,
		url,
		token,
		bearer,
		api: createApiClient({ baseUrl: url, token, face: 'cli', fetch: (to, init) => fetch(to, init) }),
		call,
		async openLaunch(over = {}) {
			// No command of the test descends from the waiting process.
			const body = { agent: 'claude', cwd: home, gate: 'observe', headless: true, pid, ...over };
			const opened = launchOpened.parse(JSON.parse((await call('POST', '/api/v1/launches', body)).body));
			return { ...opened, report: (payload) => report(opened, payload) };
		},
	};
}

export function findRunner(home: string): RunningRunner | undefined {
	return unwrap(readRunnerFile({ run: join(home, 'run') })) ?? undefined;
}

function report({ hooks }: LaunchOpened, payload: Record<string, unknown>): Promise<RawResponse> {
	const { port, pathname } = new URL(hooks.httpUrl);
	const headers = { authorization: `Bearer ${hooks.secret}`, 'content-type': 'application/json' };
	return sendRaw({ port: Number(port), method: 'POST', path: pathname, headers, body: JSON.stringify(payload) });
}

/** The decision that an agent receives. */
export type HookDecision = { readonly behavior: string; readonly updatedInput?: Readonly<Record<string, unknown>> };

type HookReply = { readonly hookSpecificOutput: { readonly decision: HookDecision } };

const NATIVE = '5f0c8f7e-0000-4000-8000-000000000002';

/** Resolves with the decision. Another native id is another session. */
export async function askToUse(
	agent: PlayedAgent,
	tool: string,
	input: Record<string, unknown>,
	native = NATIVE,
): Promise<HookDecision> {
	const { body } = await agent.report({
		hook_event_name: 'PermissionRequest',
		session_id: native,
		tool_name: tool,
		tool_input: input,
	});
	const reply: HookReply = JSON.parse(body);
	return reply.hookSpecificOutput.decision;
}

/** Reports a prompt of the user; resolves when the runner has received it. */
export async function sayPrompt(agent: PlayedAgent, prompt: string, native = NATIVE): Promise<void> {
	await agent.report({ hook_event_name: 'UserPromptSubmit', session_id: native, prompt });
}
