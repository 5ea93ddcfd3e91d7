// Overhead of driving Claude: time to the first text and per decided tool call, against the plain Agent SDK.

import { projectId } from '@roost/protocol/ids';
import { callTool, message, say } from '@roost/testkit/fakes/model-reply';
import type { Script } from '@roost/testkit/fakes/script';
import { type ClaudeRig, openClaudeRig } from '@roost/testkit/rigs/agents/claude-rig';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { openBareClaude } from './bare-claude.ts';
import type { BenchRow } from './bench-row.ts';
import { startRunnerProcess } from './runner-process.ts';
import { quantile } from './timing.ts';

const ROUNDS = 22;
/** Tool calls per prompt. */
const CALLS = 8;
/** The first rounds are a warm-up. */
const WARM = 2;

export async function run(): Promise<BenchRow[]> {
	const arrivals: number[] = [];
	await using claude = await openClaudeRig({ script: answer(arrivals) });
	await using driven = await openDriven(claude);
	await using bare = openBare(claude);
	const timings: Timings = { first: { floor: [], value: [] }, call: { floor: [], value: [] } };
	for (let round = 0; round < ROUNDS; round++) {
		const sides = [['floor', bare] as const, ['value', driven] as const];
		// Alternating, and each equally often first: load on the machine affects both.
		for (const [side, agent] of round % 2 === 0 ? sides : sides.toReversed()) {
			arrivals.length = 0;
			const firstMs = await agent.prompt();
			const calls = arrivals.slice(1).map((at, index) => at - (arrivals[index] ?? at));
			if (calls.length !== CALLS) throw new Error(`${calls.length} calls were made instead of ${CALLS}`);
			if (round < WARM) continue;
			timings.first[side].push(firstMs);
			timings.call[side].push(...calls);
		}
	}
	return [
		toRow('driven session, first text, p50', timings.first, 50),
		toRow('driven session, per tool call allowed by a rule, p50', timings.call, 5),
	];
}

type Pair = { floor: number[]; value: number[] };
type Timings = { first: Pair; call: Pair };

function toRow(bar: string, { floor, value }: Pair, mostMs: number): BenchRow {
	const [floorValue, ms] = [quantile(floor, 0.5), quantile(value, 0.5)];
	const added = ms - floorValue;
	return {
		bar,
		floor: 'the plain Agent SDK with a callback that allows',
		floorValue,
		value: ms,
		unit: 'ms',
		ratio: ms / floorValue,
		added,
		target: `<= ${mostMs} ms added`,
		met: added <= mostMs,
	};
}

/** Writes text, runs one command after another, then ends. Records the time of each model request. */
function answer(arrivals: number[]): Script {
	return ({ messages }) => {
		arrivals.push(performance.now());
		const asked = messages.findLastIndex(({ role, content }) => role === 'user' && content.some(({ type }) => type === 'text'));
		const made = messages.slice(asked + 1).filter(({ role }) => role === 'assistant').length;
		if (made >= CALLS) return message([say('done')]);
		return message([...(made === 0 ? [say('well')] : []), callTool('Bash', { command: 'touch made' })]);
	};
}

type Prompted = AsyncDisposable & {
	/** Time to the first text; resolves at the end of the turn. */
	prompt(): Promise<number>;
};

/** Driven by a complete runner; a rule allows every call. */
async function openDriven(claude: ClaudeRig): Promise<Prompted> {
	await using stack = new AsyncDisposableStack();
	const runner = stack.use(await startRunnerProcess(claude.home, claude.roostEnv));
	unwrap(await runner.api.rules.add({ tool: 'Bash', decision: 'allow', scope: 'user' }));
	const received = createProgress();
	const take = (frame: Buffer) => {
		for (const _ of frame.toString().matchAll(/"kind":"permission\.decision"/g)) received.onDecided();
		if (frame.includes('"type":"delta"')) received.onWord();
		if (frame.includes('"kind":"run.end"')) received.onOver();
	};
	stack.use(await runner.subscribe(0, take));
	const { sessions } = runner.api;
	const { sessionId } = unwrap(
		await sessions.create({ commandId: crypto.randomUUID(), agent: 'claude', projectId: projectId.parse(claude.project) }),
	);
	const owned = stack.move();
	return {
		prompt: () =>
			received.during(
				async () => void unwrap(await sessions.message({ commandId: crypto.randomUUID(), id: sessionId, text: 'go' })),
			),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

function openBare(claude: ClaudeRig): Prompted {
	const received = createProgress();
	const bare = openBareClaude(claude, received);
	return {
		prompt: () => received.during(async () => bare.send('go')),
		[Symbol.asyncDispose]: () => bare[Symbol.asyncDispose](),
	};
}

/** Waits for the first text and for the end, and checks that every call has a decision. */
function createProgress() {
	let firstAt = 0;
	let decided = 0;
	let isOver = false;
	return {
		onDecided(): void {
			decided += 1;
		},
		onWord(): void {
			if (firstAt === 0) firstAt = performance.now();
		},
		onOver(): void {
			isOver = true;
		},
		async during(send: () => Promise<void>): Promise<number> {
			firstAt = 0;
			decided = 0;
			isOver = false;
			const startedAt = performance.now();
			await send();
			await waitFor(() => (isOver && firstAt > 0 ? true : undefined), { deadlineMs: 60_000, what: 'all to be over', everyMs: 1 });
			if (decided !== CALLS) throw new Error(`${decided} calls have a decision instead of ${CALLS}`);
			return firstAt - startedAt;
		},
	};
}
