// What it costs that Roost drives Claude: time to the first word and per tool call, against Claude alone on the stream that its SDK speaks.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { callTool, message, say } from '@roost/testkit/fakes/model-reply';
import type { Script } from '@roost/testkit/fakes/script';
import { type ClaudeRig, createClaudeRig } from '@roost/testkit/rigs/claude-rig';
import { claudeSession, drivenEnv } from '@roost/testkit/rigs/driven-claude';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import type { BenchRow } from './bench-row.ts';
import { startRunnerProcess } from './runner-process.ts';
import { quantile } from './timing.ts';

const ROUNDS = 12;
/** One for each step of a prompt; Roost allows ten steps. */
const CALLS = 8;
/** The first rounds warm both up. */
const WARM = 2;

export async function run(): Promise<BenchRow[]> {
	const arrivals: number[] = [];
	await using claude = await createClaudeRig({ script: answer(arrivals) });
	await using driven = await openDriven(claude);
	await using bare = openBare(claude);
	const timings: Timings = { first: { floor: [], value: [] }, call: { floor: [], value: [] } };
	for (let round = 0; round < ROUNDS; round++) {
		for (const [side, agent] of [['floor', bare] as const, ['value', driven] as const]) {
			arrivals.length = 0;
			const firstMs = await agent.prompt();
			const calls = arrivals.slice(1).map((at, index) => at - (arrivals[index] ?? at));
			if (calls.length !== CALLS) throw new Error(`${calls.length} calls were made instead of ${CALLS}`);
			if (round < WARM) continue;
			timings.first[side].push(firstMs);
			timings.call[side].push(...calls);
		}
	}
	return [toRow('driven session, first word', timings.first, 50), toRow('driven session, per tool call', timings.call, 10)];
}

type Pair = { floor: number[]; value: number[] };
type Timings = { first: Pair; call: Pair };

function toRow(bar: string, { floor, value }: Pair, mostMs: number): BenchRow {
	// Three processes take turns on few cores: the quickest quarter shows what it costs where nobody else wants them.
	const [floorValue, ms] = [quantile(floor, 0.25), quantile(value, 0.25)];
	const added = ms - floorValue;
	return {
		bar,
		floor: 'claude alone',
		floorValue,
		value: ms,
		unit: 'ms',
		ratio: ms / floorValue,
		target: `<= ${mostMs} ms added`,
		met: added <= mostMs,
	};
}

/** Says a word, then reads one file after the other, then is done; each time it is asked is noted. */
function answer(arrivals: number[]): Script {
	return ({ messages }) => {
		arrivals.push(performance.now());
		const asked = messages.findLastIndex(({ role, content }) => role === 'user' && content.some(({ type }) => type === 'text'));
		const made = messages.slice(asked + 1).filter(({ role }) => role === 'assistant').length;
		if (made >= CALLS) return message([say('done')]);
		return message([...(made === 0 ? [say('well')] : []), callTool('Read', { file_path: 'README.md' })]);
	};
}

type Prompted = AsyncDisposable & {
	/** Until the first word; resolves when all is done. */
	prompt(): Promise<number>;
};

async function openDriven(claude: ClaudeRig): Promise<Prompted> {
	await using stack = new AsyncDisposableStack();
	const runner = stack.use(await startRunnerProcess(claude.home, await drivenEnv(claude, {})));
	const heard = createHeard('"type":"delta"', '"kind":"run.end"');
	stack.use(await runner.subscribe(0, (frame) => heard.take(frame.toString())));
	const { driving } = runner.api;
	const { sessionId } = unwrap(await driving.create(crypto.randomUUID(), await claudeSession(claude)));
	const owned = stack.move();
	return {
		prompt: () => heard.during(async () => void unwrap(await driving.message(crypto.randomUUID(), sessionId, 'go'))),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

const STREAM = ['-p', '--input-format=stream-json', '--output-format=stream-json', '--verbose', '--include-partial-messages'];

function openBare({ binary, project, env }: ClaudeRig): Prompted {
	const child = spawn(binary, [...STREAM, '--setting-sources='], { cwd: project, env, stdio: ['pipe', 'pipe', 'inherit'] });
	const heard = createHeard('"type":"text_delta"', '"type":"result"');
	createInterface({ input: child.stdout }).on('line', heard.take);
	const prompt = { type: 'user', message: { role: 'user', content: 'go' }, parent_tool_use_id: null };
	return {
		prompt: () => heard.during(async () => void child.stdin.write(`${JSON.stringify(prompt)}\n`)),
		async [Symbol.asyncDispose]() {
			child.kill('SIGKILL');
		},
	};
}

/** Waits for two marks in what comes in: the first word, and that all is over. */
function createHeard(word: string, over: string) {
	let firstAt = 0;
	let isOver = false;
	return {
		take(text: string): void {
			if (firstAt === 0 && text.includes(word)) firstAt = performance.now();
			if (text.includes(over)) isOver = true;
		},
		async during(send: () => Promise<void>): Promise<number> {
			firstAt = 0;
			isOver = false;
			const startedAt = performance.now();
			await send();
			await waitFor(() => (isOver && firstAt > 0 ? true : undefined), { deadlineMs: 60_000, what: 'all to be over', everyMs: 1 });
			return firstAt - startedAt;
		},
	};
}
