// Start-up time of the command line, the runner, and the programs that agents start for every call; each against `node -e 0`.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { deployGuard } from '@roost/agents/guards/deploy-guard';
import { PROGRAM_FOLDER } from '@roost/core/process/program-files';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import type { BenchRow } from './bench-row.ts';
import { builtFile } from './built-file.ts';
import { startRunnerProcess, TICK_MS } from './runner-process.ts';
import { quantile, timed } from './timing.ts';

const ROUNDS = 40;
const RUNNERS = 5;

type Started = { name: string; argv: readonly string[]; input?: string; target?: number };

export async function run(): Promise<BenchRow[]> {
	await using home = await createTempDir();
	await using runner = await startRunnerProcess(home.path);
	const env = { PATH: process.env.PATH ?? '', HOME: home.path, ROOST_HOME: home.path, ROOST_AGENT_NAME: 'bench' };
	const rows: BenchRow[] = [];
	for (const started of await programs(home.path)) rows.push(...toRows(started, await measure(started, env)));
	return [...rows, runnerRow(await measureRunners(runner.startCpuMs), rows[1]?.floorValue ?? Number.NaN)];
}

async function programs(folder: string): Promise<Started[]> {
	const node = process.execPath;
	const worktreePath = join(folder, 'tree');
	await mkdir(worktreePath);
	const def = { agentName: 'bench', capability: 'scout', worktreePath, stateDir: join(folder, 'state'), qualityGates: [] };
	const { definitionPath } = await deployGuard(def, 'claude');
	const call = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'git status' }, cwd: worktreePath };
	const nobody = join(folder, 'nobody');
	return [
		{ name: 'roost --version', argv: [node, builtFile('start'), '--version'], target: 1.5 },
		{ name: './roost --version', argv: [join(PROGRAM_FOLDER, 'roost'), '--version'], target: 1.5 },
		{ name: 'roost status', argv: [node, builtFile('start'), 'status'], target: 3 },
		{ name: './roost status', argv: [join(PROGRAM_FOLDER, 'roost'), 'status'], target: 3 },
		{ name: 'the forwarder, without a runner', argv: [node, builtFile('forwarder'), 'Stop'], input: '{}' },
		{ name: 'the guard', argv: [node, builtFile('guard'), 'claude', definitionPath], input: JSON.stringify(call) },
		{ name: 'the hook of Copilot, without a runner', argv: [node, builtFile('copilotGate'), nobody, '1000'], input: '{}' },
	];
}

type Times = { wallMs: number; cpuMs: number };

/** Program and floor alternate, so that load on the machine affects both. */
async function measure({ argv, input = '' }: Started, env: Record<string, string>): Promise<{ seen: Times; floor: Times }> {
	const [seen, floor] = [createStopwatch(), createStopwatch()];
	// The first start may still compile.
	await start(argv, input, env);
	for (let round = 0; round < ROUNDS; round++) {
		await floor.time(() => start([process.execPath, '-e', '0'], input, env));
		await seen.time(() => start(argv, input, env));
	}
	return { seen: seen.read(), floor: floor.read() };
}

/** Starting is mostly waiting for a core: the fastest tenth shows the cost on an idle core, and the kernel counts CPU time. */
function createStopwatch(): { time(action: () => Promise<void>): Promise<void>; read(): Times } {
	const walls: number[] = [];
	let cpuMs = 0;
	return {
		async time(action) {
			const before = childrenMs();
			walls.push(await timed(action));
			cpuMs += childrenMs() - before;
		},
		read: () => ({ wallMs: quantile(walls, 0.1), cpuMs: cpuMs / walls.length }),
	};
}

function start([file = '', ...args]: readonly string[], input: string, env: Record<string, string>): Promise<void> {
	const child = spawn(file, args, { env, stdio: ['pipe', 'ignore', 'inherit'] });
	// Ignores EPIPE from a program that does not read its input.
	child.stdin.on('error', () => {});
	child.stdin.end(input);
	return new Promise((resolve, reject) => {
		child.on('error', reject).on('close', (code) => (code === 0 ? resolve() : reject(new Error(`${args} ended with ${code}`))));
	});
}

/** CPU time of all children that have exited. */
function childrenMs(): number {
	const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
	return (Number(fields[13]) + Number(fields[14])) * TICK_MS;
}

async function measureRunners(first: number): Promise<number> {
	const seen = [first];
	for (let round = 1; round < RUNNERS; round++) {
		await using home = await createTempDir();
		await using runner = await startRunnerProcess(home.path);
		seen.push(runner.startCpuMs);
	}
	return quantile(seen, 0.5);
}

function toRows({ name, target }: Started, { seen, floor }: { seen: Times; floor: Times }): BenchRow[] {
	const row = (bar: string, value: number, floorValue: number) => {
		return { bar, floor: 'node -e 0', floorValue, value, unit: 'ms', ratio: value / floorValue };
	};
	const wall = row(`start: ${name}`, seen.wallMs, floor.wallMs);
	return [
		{ ...wall, target: target ? `<= ${target}x` : 'printed', met: target === undefined || wall.ratio <= target },
		{ ...row(`start: ${name}, CPU time`, seen.cpuMs, floor.cpuMs), target: 'printed', met: true },
	];
}

const RUNNER_MS = 400;

function runnerRow(value: number, floorValue: number): BenchRow {
	return {
		bar: 'start: a runner until it is reachable, CPU time',
		floor: 'node -e 0',
		floorValue,
		value,
		unit: 'ms',
		ratio: value / floorValue,
		target: `<= ${RUNNER_MS} ms`,
		met: value <= RUNNER_MS,
	};
}
