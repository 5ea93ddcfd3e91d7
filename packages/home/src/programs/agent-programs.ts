// The agents' programs on this machine: path, version (asked once per file), problems and environment.
import { type Stats, statSync } from 'node:fs';
import type { KnownAgent, RuntimeConfig } from '@roost/agents/kind/agent-kind';
import { findKind } from '@roost/agents/kinds';
import { sanitiseLine } from '@roost/core/display/sanitise';
import { realTimers, type Timers } from '@roost/machine/timers';
import type { AgentProgram, ProgramProblem } from '@roost/protocol/api/agents';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import type { RunnerConfig } from '../config/schema.ts';
import { type AgentRuns, type Argv, createAgentRuns, findAgent, type WantedAgent } from './agent-runs.ts';

export type AgentPrograms = AsyncDisposable & {
	/** Never fails: a problem is data. */
	inspect(agent: KnownAgent): Promise<AgentProgram>;
	/** As it would be started now. */
	find(agent: WantedAgent): Result<FoundProgram>;
};

/** The mark changes with the program's file and its arguments. */
type FoundProgram = { argv: Argv; mark: string };

/** A program that unpacks itself takes several seconds at its first start. */
const LIMIT_MS = 20_000;

export function createAgentPrograms(deps: {
	env: NodeJS.ProcessEnv;
	agents: RunnerConfig['agents'];
	timers?: Timers;
	environments?: AgentEnvironments;
}): AgentPrograms {
	const { env, agents, timers = realTimers, environments = createAgentEnvironments(env, agents) } = deps;
	const answered = new Map<string, Known>();
	const running = new Set<AgentRuns>();

	async function ask(agent: KnownAgent, argv: Argv): Promise<AgentProgram> {
		const [path] = argv;
		await using runs = createAgentRuns({
			name: agent.program,
			find: () => ({ ok: true, value: argv }),
			env: () => environments(agent.id, ''),
			timers,
		});
		running.add(runs);
		// From the root directory: no user's folder can influence the answer.
		const asked = await runs.run({ args: ['--version'], cwd: '/', limitMs: LIMIT_MS });
		running.delete(runs);
		if (asked.ok) return readVersion(agent, path, asked.value);
		return { path, version: null, problem: toProblem(asked.error, path) };
	}

	function find(agent: WantedAgent): Result<FoundProgram> {
		const found = findAgent(agent, agents[agent.id]?.command, env);
		if (!found.ok) return found;
		const argv = found.value;
		const file = fileOf(argv[0]);
		if (file) return ok({ argv, mark: JSON.stringify([argv, file.mtimeMs, file.ctimeMs, file.size, file.ino]) });
		const sentence = `agents.${agent.id}.command names ${argv[0]}, which is not there: fix it in config.yaml.`;
		return err(new AppError('cannot_start', sentence));
	}

	async function inspect(agent: KnownAgent): Promise<AgentProgram> {
		const { id } = agent;
		const found = find(agent);
		if (!found.ok) return { path: null, version: null, problem: { kind: 'missing', sentence: found.error.message } };
		const { argv, mark } = found.value;
		const known = answered.get(id);
		if (known?.mark === mark) return await known.program;
		const program = ask(agent, argv);
		answered.set(id, { mark, program });
		// Retried the next time.
		const { problem } = await program;
		if ((problem?.kind === 'hung' || problem?.kind === 'crashed') && answered.get(id)?.program === program) answered.delete(id);
		return await program;
	}

	return {
		inspect,
		find,
		async [Symbol.asyncDispose]() {
			await Promise.all([...running].map((runs) => runs[Symbol.asyncDispose]()));
		},
	};
}

type Known = { mark: string; program: Promise<AgentProgram> };

function fileOf(path: string): Stats | null {
	const file = statSync(path, { throwIfNoEntry: false });
	return file?.isFile() ? file : null;
}

function toProblem(error: AppError, path: string): ProgramProblem {
	if (error.code === 'timed_out') {
		const seconds = Math.round(LIMIT_MS / 1_000);
		const sentence = `${path} did not print its version within ${seconds} seconds: run "${path} --version" yourself.`;
		return { kind: 'hung', sentence };
	}
	const why = error.cause instanceof Error ? error.cause.message : error.message;
	return { kind: 'crashed', sentence: `${path} cannot be started (${why}): reinstall it.` };
}

type Answer = { code: number | null; stdout: string; stderr: string };

type KnownVersion = Pick<KnownAgent, 'version' | 'oldest' | 'title'>;

/** Some programs print it to stderr. */
function readVersion({ version: says, oldest, title }: KnownVersion, path: string, answer: Answer): AgentProgram {
	const version = (says.exec(answer.stdout) ?? says.exec(answer.stderr))?.[1];
	if (version === undefined) return { path, version: null, problem: toVersionProblem(title, path, answer) };
	if (!isOlder(version, oldest)) return { path, version, problem: null };
	const sentence = `${title} ${version} is too old: Roost is known to work with ${oldest} and later, so update it.`;
	return { path, version, problem: { kind: 'too-old', sentence } };
}

function toVersionProblem(title: string, path: string, { code, stdout, stderr }: Answer): ProgramProblem {
	const line = firstLine(code === 0 ? stdout || stderr : stderr || stdout);
	const words = line === '' ? 'no output' : `output: "${line}"`;
	if (code === 0) return { kind: 'garbage', sentence: `${path} is not ${title} (${words}): another program has that name.` };
	const how = code === null ? 'was killed' : `failed with exit code ${code}`;
	const remedy = `run "${path} --version" yourself, and reinstall it if that fails too`;
	return { kind: 'crashed', sentence: `${path} ${how} when it was asked for its version (${words}): ${remedy}.` };
}

const MOST_WORDS = 80;

function firstLine(text: string): string {
	const line = text.trim().split('\n')[0] ?? '';
	return sanitiseLine(line.length > MOST_WORDS ? `${line.slice(0, MOST_WORDS)}…` : line).trim();
}

/** Compares the numbers only. */
function isOlder(version: string, oldest: string): boolean {
	const [a, b] = [toNumbers(version), toNumbers(oldest)];
	const at = b.findIndex((number, index) => number !== (a[index] ?? 0));
	return at >= 0 && (a[at] ?? 0) < (b[at] ?? 0);
}

function toNumbers(version: string): number[] {
	return version.split('.').map((part) => Number.parseInt(part, 10));
}

export type AgentsConfig = { agents: RunnerConfig['agents']; runtime: RuntimeConfig };

/** By agent and by the session it is started for. */
export type AgentEnvironments = (id: string, session: string) => Record<string, string>;

/** Empty for an unknown agent. */
export function createAgentEnvironments(env: NodeJS.ProcessEnv, agents: RunnerConfig['agents']): AgentEnvironments {
	return (id, session) => findKind(id)?.environment({ processEnv: env, configured: agents[id]?.env ?? {}, session }) ?? {};
}
