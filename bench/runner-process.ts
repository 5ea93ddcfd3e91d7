// A real runner in a separate process, as users start it, with a home chosen by the benchmark.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reachRunner } from '@roost/cli/runner/reach';
import { type ApiClient, createApiClient } from '@roost/client/api-client';
import { type CountingSocket, openCountingSocket } from '@roost/testkit/rigs/api/counting-sockets';
import { startProgram } from '@roost/testkit/rigs/program';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { builtFile } from './built-file.ts';
import { type HookDoor, openHttpHook, type Report } from './hook-client.ts';

export type RunnerProcess = AsyncDisposable & {
	readonly api: ApiClient;
	readonly url: string;
	readonly pid: number;
	/** Time from the start of the process until it is reachable. */
	readonly startMs: number;
	/** CPU time from its start until it was reachable. */
	readonly startCpuMs: number;
	/** Current and peak resident memory, in megabytes. */
	memory(): { now: number; peak: number };
	/** A client that receives every line after the given position. */
	subscribe(afterSeqNo: number, onFrame?: (frame: Buffer) => void): Promise<CountingSocket>;
	/** An agent that reports; its launch is opened like by the command line. */
	openHook(): Promise<Report>;
	/** The launch of an agent. `pid`: what descends from it belongs to the agent. */
	openLaunch(pid: number): Promise<HookDoor>;
	/** The environment of a hook process that reports here. */
	hookEnv(): Promise<Record<string, string>>;
};

const UP_DEADLINE_MS = 30_000;
/** The flags of the launcher. */
export const RUNNER_FLAGS = ['--max-semi-space-size=2', '--no-maglev'];

/** `over`: additional environment variables. */
export async function startRunnerProcess(home: string, over: Readonly<Record<string, string>> = {}): Promise<RunnerProcess> {
	const env = { PATH: process.env.PATH ?? '', HOME: home, ROOST_HOME: home, ROOST_PORT: '0', ...over };
	await using stack = new AsyncDisposableStack();
	const started = performance.now();
	const program = stack.use(
		await startProgram([process.execPath, ...RUNNER_FLAGS, builtFile('start'), 'up'], { cwd: home, env }),
	);
	const reached = await waitFor(async () => unwrap(await reachRunner({ env })) ?? undefined, {
		deadlineMs: UP_DEADLINE_MS,
		what: 'the runner to be up',
		seen: program.output,
		everyMs: 2,
	});
	const startMs = performance.now() - started;
	const startCpuMs = readCpu(program.pid);
	const { baseUrl, token } = reached;
	const api = createApiClient({ baseUrl, token, face: 'bench', fetch });
	const runnerId = readFileSync(join(env.ROOST_HOME, 'runner-id'), 'utf8').trim();
	const owned = stack.move();
	return {
		api,
		url: baseUrl,
		pid: program.pid,
		startMs,
		startCpuMs,
		memory: () => readMemory(program.pid),
		async subscribe(afterSeqNo, onFrame) {
			const url = `${baseUrl.replace('http', 'ws')}/api/v1/stream`;
			const socket = await openCountingSocket(url, { authorization: `Bearer ${token}` }, onFrame);
			const after = afterSeqNo === 0 ? null : { runnerId, epoch: 1, seqNo: afterSeqNo };
			socket.send(JSON.stringify({ type: 'subscribe-all', sub: 'bench', after }));
			return socket;
		},
		openHook: async () => openHttpHook(await openLaunch(api, home)),
		openLaunch: (pid) => openLaunch(api, home, pid),
		async hookEnv() {
			const { socketPath, secret } = await openLaunch(api, home);
			return { ROOST_HOOK_SOCKET: socketPath, ROOST_HOOK_SECRET: secret };
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

async function openLaunch(api: ApiClient, cwd: string, pid = process.pid): Promise<HookDoor & { socketPath: string }> {
	const launch = { agent: 'claude', cwd, gate: 'observe', headless: true, pid } as const;
	return unwrap(await api.launches.open(launch)).hooks;
}

/** Unit of CPU time in the kernel. */
export const TICK_MS = 10;

function readCpu(pid: number): number {
	const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
	return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

export function readMemory(pid: number): { now: number; peak: number } {
	const status = readFileSync(`/proc/${pid}/status`, 'utf8');
	const megabytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1_024;
	return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') };
}
