// What it costs that Roost drives Codex, Pi and Copilot: time per tool call, against the same program driven bare.
import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectId } from '@roost/protocol/ids';
import { message, say } from '@roost/testkit/fakes/model-reply';
import type { Script } from '@roost/testkit/fakes/script';
import { findAgentProgram } from '@roost/testkit/rigs/agent-programs';
import type { AgentRig, AgentWords } from '@roost/testkit/rigs/agent-rig';
import { codexWords, openCodexRig } from '@roost/testkit/rigs/codex-rig';
import { copilotWords, openCopilotRig } from '@roost/testkit/rigs/copilot-rig';
import { openPiRig, piWords } from '@roost/testkit/rigs/pi-rig';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import type { BareAgent, BareProgram } from './bare-agent.ts';
import { openBareCodex } from './bare-codex.ts';
import { openBareCopilot } from './bare-copilot.ts';
import { openBarePi } from './bare-pi.ts';
import type { BenchRow } from './bench-row.ts';
import { startRunnerProcess } from './runner-process.ts';
import { quantile } from './timing.ts';

const ROUNDS = 7;
const CALLS = 8;
/** The first rounds warm both up. */
const WARM = 2;

type Measured = {
	readonly agent: 'codex' | 'pi' | 'copilot';
	readonly words: AgentWords;
	openRig(options: { script: Script }): Promise<AgentRig>;
	openBare(program: BareProgram): Promise<BareAgent>;
};

const MEASURED: readonly Measured[] = [
	{ agent: 'codex', words: codexWords, openRig: openCodexRig, openBare: openBareCodex },
	{ agent: 'pi', words: piWords, openRig: openPiRig, openBare: openBarePi },
	{ agent: 'copilot', words: copilotWords, openRig: openCopilotRig, openBare: openBareCopilot },
];

export async function run(): Promise<BenchRow[]> {
	const rows: BenchRow[] = [];
	for (const measured of MEASURED) rows.push(await measure(measured));
	return rows;
}

async function measure({ agent, words, openRig, openBare }: Measured): Promise<BenchRow> {
	const program = findAgentProgram(agent);
	if (program === null) throw new Error(`${agent} is not installed: run \`npm install\` without --omit=dev.`);
	const model = createModel(words);
	await using rig = await openRig({ script: model.script });
	await using bare = await openBare({ program, project: rig.project, env: rig.env });
	await using driven = await openDriven(agent, program, rig);
	const floor: number[] = [];
	const value: number[] = [];
	for (let round = 0; round < ROUNDS; round++) {
		for (const [times, side] of [[floor, bare] as const, [value, driven] as const]) {
			const calls = await model.during(() => side.prompt());
			if (round >= WARM) times.push(...calls);
		}
	}
	return toRow(agent, quantile(floor, 0.5), quantile(value, 0.5));
}

function toRow(agent: string, floorValue: number, value: number): BenchRow {
	const bar = `driven ${agent}, per tool call`;
	const figures = { floorValue, value, unit: 'ms', ratio: value / floorValue, added: value - floorValue };
	return { bar, floor: `${agent} alone`, ...figures, target: 'printed', met: true };
}

/** Wants one command after the other, then is done. From one of its answers to the next question is one call. */
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

/** By a runner with all that belongs to it; a rule allows what the agent wants, so nobody is asked. */
async function openDriven(agent: string, program: string, rig: AgentRig): Promise<BareAgent> {
	await using stack = new AsyncDisposableStack();
	const roostHome = join(rig.home, 'roost');
	await mkdir(roostHome, { mode: 0o700 });
	const config = { runner: { port: 0 }, agents: { [agent]: { command: [program], env: rig.env } } };
	await writeFile(join(roostHome, 'config.yaml'), JSON.stringify(config), { mode: 0o600 });
	const runner = stack.use(await startRunnerProcess(roostHome, { ...rig.env, ROOST_HOME: roostHome }));
	unwrap(await runner.api.rules.add({ tool: 'Bash', decision: 'allow', scope: 'user' }));
	let runs = 0;
	stack.use(
		await runner.subscribe(0, (frame) => {
			if (frame.includes('"kind":"run.end"')) runs += 1;
		}),
	);
	const { driving } = runner.api;
	const project = projectId.parse(await realpath(rig.project));
	const { sessionId } = unwrap(await driving.create(crypto.randomUUID(), { agent, projectId: project }));
	const owned = stack.move();
	return {
		async prompt() {
			const before = runs;
			unwrap(await driving.message(crypto.randomUUID(), sessionId, 'go'));
			await waitFor(() => (runs > before ? true : undefined), { deadlineMs: 60_000, what: 'the end of the run', everyMs: 1 });
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}
