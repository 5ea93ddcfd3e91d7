// Proves on this machine that a deployed guard fires: the agent's own program, with a model that makes it try what every guard refuses.
import { CANARY_REASON } from '@roost/core/guards/canary-command';
import { type ProgramExit, runProgram } from '@roost/machine/run-program';
import type { Deployed, HooksDef } from '../base/types.ts';
import { type ModelAnswer, type ModelCall, openCanaryModel } from './canary-model.ts';
import { readGuardLog } from './guard-log.ts';

/** What differs between agents: how their model speaks, and how the program is made to speak to another one. */
export type CanaryAgent = {
	/** Decided by the call alone: the shell call first, an end once its result is there. Null for what is no call to a model. */
	answer(call: ModelCall): ModelAnswer | null;
	/** What the agent told its model about the shell call; null in calls that do not tell. */
	outcome(call: ModelCall): string | null;
	/** One run without a terminal. `env` is added to that of the agent. */
	launch(canary: { modelUrl: string; deployed: Deployed; stateDir: string }): Promise<CanaryLaunch>;
};

export type CanaryLaunch = { args: readonly string[]; env: Readonly<Record<string, string>> };

export type CanaryOptions = {
	agent: CanaryAgent;
	/** The agent's program, and arguments that belong to it. */
	program: readonly [string, ...string[]];
	def: HooksDef;
	deployed: Deployed;
	/** The whole environment the agent will be started with. */
	env: Readonly<Record<string, string>>;
	timeLimitMs?: number;
	/** Ends the proof early. */
	signal?: AbortSignal | undefined;
};

export type CanaryResult = { guarded: true } | { guarded: false; reason: string };

const TIME_LIMIT_MS = 60_000;

/** Never throws: a guard that could not be proven is none. */
export async function proveGuard(options: CanaryOptions): Promise<CanaryResult> {
	try {
		return await prove(options);
	} catch (cause) {
		return unguarded(`the proof failed: ${cause instanceof Error ? cause.message : String(cause)}`);
	}
}

async function prove({
	agent,
	program,
	def,
	deployed,
	env,
	timeLimitMs = TIME_LIMIT_MS,
	signal,
}: CanaryOptions): Promise<CanaryResult> {
	const before = (await readGuardLog(def.stateDir)).length;
	const outcomes: string[] = [];
	await using model = await openCanaryModel((call) => {
		const outcome = agent.outcome(call);
		if (outcome !== null) outcomes.push(outcome);
		return agent.answer(call);
	});
	const launch = await agent.launch({ modelUrl: model.url, deployed, stateDir: def.stateDir });
	const [file, ...own] = program;
	const running = runProgram([file, ...own, ...launch.args], {
		cwd: def.worktreePath,
		env: { ...env, ...deployed.env, ...launch.env },
		limitMs: timeLimitMs,
		signal,
	});
	const ended = await running.ended;
	const how = ended.ok ? describe(ended.value) : ended.error.message;
	if (outcomes.length === 0) return unguarded(`its program did not come to the call that the guard must refuse (${how})`);
	const lines = (await readGuardLog(def.stateDir)).slice(before);
	if (!lines.some((line) => !line.allowed && line.reason === CANARY_REASON)) return unguarded('the guard was never asked');
	if (!outcomes.every((outcome) => outcome.includes(CANARY_REASON)))
		return unguarded('the guard refused the call, and it went on all the same');
	return { guarded: true };
}

const MOST_SAID = 300;
const STOPPED = { timeout: 'it took too long; ', aborted: 'it was stopped; ' } as const;

/** How it ended, with the last of what it said. */
function describe({ code, signal, stdout, stderr, stopped }: ProgramExit): string {
	const said = `${stdout}${stderr}`.trim().slice(-MOST_SAID);
	return `${stopped ? STOPPED[stopped] : ''}it ended with ${signal ?? code}${said && `: ${said}`}`;
}

function unguarded(reason: string): CanaryResult {
	return { guarded: false, reason };
}
