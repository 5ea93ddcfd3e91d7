// Overhead of driving Codex, Pi, Copilot and ACP agents: time per tool call, against the same program driven without Roost.
import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { quoteArgv } from '@roost/agents/base/argv';
import { projectId } from '@roost/protocol/ids';
import { message, say } from '@roost/testkit/fakes/model-reply';
import type { Script } from '@roost/testkit/fakes/script';
import { findAgentProgram } from '@roost/testkit/rigs/agents/agent-programs';
import type { AgentRig, AgentWords } from '@roost/testkit/rigs/agents/agent-rig';
import { codexWords, openCodexRig } from '@roost/testkit/rigs/agents/codex-rig';
import { copilotWords, openCopilotRig } from '@roost/testkit/rigs/agents/copilot-rig';
import { openPiRig, piWords } from '@roost/testkit/rigs/agents/pi-rig';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import type { BareAgent, BareProgram } from './bare-agent.ts';
import { openBareCodex } from './bare-codex.ts';
import { openBareCopilot } from './bare-copilot.ts';
import { openBarePi } from './bare-pi.ts';
import type { BenchRow } from './bench-row.ts';
import { startRunnerProcess } from './runner-process.ts';
import { quantile, within } from './timing.ts';

const ROUNDS = 6;
const CALLS = 8;
/** The first round is a warm-up. */
const WARM = 1;
const DEADLINE_MS = 60_000;

type Measured = {
	/** Its id in config.yaml; an unknown id is an ACP agent. */
	readonly agent: string;
	readonly program: 'codex' | 'pi' | 'copilot';
	/** Arguments that a user would configure. */
	readonly args?: readonly string[];
	readonly words: AgentWords;
	/** It reports calls through a hook, which starts a process each time. */
	readonly hasHook: boolean;
	openRig(options: { script: Script }): Promise<AgentRig>;
	openBare(program: BareProgram): Promise<BareAgent>;
};

export function runCodex(): Promise<BenchRow[]> {
	return measure({
		agent: 'codex',
		program: 'codex',
		words: codexWords,
		hasHook: true,
		openRig: openCodexRig,
		openBare: openBareCodex,
	});
}

export function runPi(): Promise<BenchRow[]> {
	return measure({ agent: 'pi', program: 'pi', words: piWords, hasHook: false, openRig: openPiRig, openBare: openBarePi });
}

export function runCopilot(): Promise<BenchRow[]> {
	return measure({
		agent: 'copilot',
		program: 'copilot',
		words: copilotWords,
		hasHook: true,
		openRig: openCopilotRig,
		openBare: openBareCopilot,
	});
}

/** Copilot through the generic ACP client. */
export function runAcp(): Promise<BenchRow[]> {
	const args = ['--acp', '--no-auto-update'];
	const copilot = { program: 'copilot', words: copilotWords, openRig: openCopilotRig, openBare: openBareCopilot } as const;
	return measure({ agent: 'acp-agent', args, hasHook: false, ...copilot });
}

async function measure(measured: Measured): Promise<BenchRow[]> {
	const { agent, words, hasHook, openRig, openBare, args = [] } = measured;
	const program = findAgentProgram(measured.program);
	if (program === null) throw new Error(`${measured.program} is not installed: run \`npm install\` without --omit=dev.`);
	const model = createModel(words);
	await using rig = await openRig({ script: model.script });
	const place = { program, project: rig.project, env: rig.env };
	await using bare = await openBare(place);
	await using hooked = hasHook ? await openBare({ ...place, hook: quoteArgv([process.execPath, '-e', '0']) }) : null;
	await using driven = await openDriven(agent, [program, ...args], rig);
	const sides = [toSide(bare), ...(hooked ? [toSide(hooked)] : []), toSide(driven)] as const;
	for (let round = 0; round < ROUNDS; round++) {
		for (const { prompt, times } of sides) {
			const calls = await model.during(prompt);
			if (round >= WARM) times.push(...calls);
		}
	}
	const [alone = Number.NaN, ...others] = sides.map(({ times }) => quantile(times, 0.5));
	const value = others.pop() ?? Number.NaN;
	return [
		toRow(agent, `${measured.program} alone`, alone, value),
		...others.map((withHook) => toRow(agent, `${measured.program} alone, with the hook "node -e 0"`, withHook, value)),
	];
}

function toSide({ prompt }: BareAgent): { prompt: BareAgent['prompt']; times: number[] } {
	return { prompt, times: [] };
}

function toRow(agent: string, floor: string, floorValue: number, value: number): BenchRow {
	const figures = { floorValue, value, unit: 'ms', ratio: value / floorValue, added: value - floorValue };
	return { bar: `driven ${agent}, per tool call`, floor, ...figures, target: 'printed', met: true };
}

/** Runs one command after another, then ends. The time between two model requests is one call. */
function createModel(words: AgentWords) {
	let arrivals: number[] = [];
	const script: Script = () => {
		arrivals.push(performance.now());
		return message([arrivals.length > CALLS ? say('done') : words.shell('touch made')]);
	};
	async function during(prompt: () => Promise<void>): Promise<number[]> {
		arrivals = [];
		await prompt();
		const calls = arrivals.slice(1).map((at, index) => at - (arrivals[index] ?? at));
		if (calls.length !== CALLS) throw new Error(`${calls.length} calls were made instead of ${CALLS}`);
		return calls;
	}
	return { script, during };
}

/** Driven by a complete runner; a rule allows every call. */
async function openDriven(agent: string, command: readonly string[], rig: AgentRig): Promise<BareAgent> {
	await using stack = new AsyncDisposableStack();
	const roostHome = join(rig.home, 'roost');
	await mkdir(roostHome, { mode: 0o700 });
	const config = { runner: { port: 0 }, agents: { [agent]: { command, env: rig.env } } };
	await writeFile(join(roostHome, 'config.yaml'), JSON.stringify(config), { mode: 0o600 });
	const runner = stack.use(await startRunnerProcess(roostHome, { ...rig.env, ROOST_HOME: roostHome }));
	unwrap(await runner.api.rules.add({ tool: 'Bash', decision: 'allow', scope: 'user' }));
	let over = Promise.withResolvers<void>();
	stack.use(
		await runner.subscribe(0, (frame) => {
			if (frame.includes('"kind":"run.end"')) over.resolve();
		}),
	);
	const { sessions } = runner.api;
	const project = projectId.parse(await realpath(rig.project));
	const { sessionId } = unwrap(await sessions.create({ commandId: crypto.randomUUID(), agent, projectId: project }));
	const owned = stack.move();
	return {
		async prompt() {
			over = Promise.withResolvers<void>();
			unwrap(await sessions.message({ commandId: crypto.randomUUID(), id: sessionId, text: 'go' }));
			await within(DEADLINE_MS, over.promise, 'The end of the run');
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}
