// Guard verdicts: calls judged per second, against parsing the same calls and their shell lines.
import { judgeLine } from '@roost/core/guards/judge-line';
import { simpleCommands } from '@roost/core/shell/simple-commands';
import { EVERYDAY_COMMANDS } from '@roost/testkit/corpora/everyday-commands';
import { READING_COMMANDS } from '@roost/testkit/corpora/reading-commands';
import type { BenchRow } from './bench-row.ts';
import { quantile } from './timing.ts';

const ROUNDS = 7;
const REPEATS = 20;
const WHO = { agentName: 'bee', worktreePath: '/home/dev/tree', gates: ['npm run check'] };

export async function run(): Promise<BenchRow[]> {
	return [
		measure('guard verdicts, read-only agent', READING_COMMANDS, (line) => judgeLine(line, { ...WHO, writes: false })),
		measure('guard verdicts, writing agent', EVERYDAY_COMMANDS, (line) => judgeLine(line, { ...WHO, writes: true })),
	];
}

function measure(bar: string, lines: readonly string[], judge: (line: string) => unknown): BenchRow {
	const payloads = lines.map((command) => JSON.stringify({ tool_name: 'Bash', tool_input: { command }, cwd: WHO.worktreePath }));
	const parseOnly = () => {
		for (const payload of payloads) simpleCommands(commandIn(payload));
	};
	const judged = () => {
		for (const payload of payloads) judge(commandIn(payload));
	};
	rate(parseOnly, payloads.length);
	rate(judged, payloads.length);
	const rounds = Array.from({ length: ROUNDS }, () => ({
		floor: rate(parseOnly, payloads.length),
		value: rate(judged, payloads.length),
	}));
	const floorValue = quantile(
		rounds.map((round) => round.floor),
		0.5,
	);
	const value = quantile(
		rounds.map((round) => round.value),
		0.5,
	);
	const ratio = value / floorValue;
	const floor = 'JSON.parse and shell parsing of the same lines';
	return { bar, floor, floorValue, value, unit: 'calls/s', ratio, target: '≥ 0.2x', met: ratio >= 0.2 };
}

function commandIn(payload: string): string {
	return JSON.parse(payload).tool_input.command;
}

/** Per second. */
function rate(work: () => void, count: number): number {
	const start = performance.now();
	for (let round = 0; round < REPEATS; round++) work();
	return (count * REPEATS * 1000) / (performance.now() - start);
}
