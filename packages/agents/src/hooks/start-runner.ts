// Loaded by the forwarder when a session begins in an installed project without a runner: starts one and waits briefly.
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, readFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { openPrivateLog } from '@roost/machine/private-file';
import { z } from 'zod';

/** Written on installation, so that the session's environment, which a repository may set, does not reach the runner. */
export const runnerStart = z.object({
	argv: z.tuple([z.string()], z.string()),
	env: z.record(z.string(), z.string()),
	cwd: z.string(),
	log: z.string(),
});
export type RunnerStart = z.infer<typeof runnerStart>;

const LOOK_MS = 50;
/** A start that lost the race exits before the winner is reachable. */
const SETTLE_MS = 2000;

/** Resolves when the socket accepts connections, or when waiting is pointless. */
export async function startRunner(startFile: string, socketPath: string, waitMs: number): Promise<void> {
	const child = spawnRunner(runnerStart.parse(JSON.parse(readFileSync(startFile, 'utf8'))));
	let until = performance.now() + waitMs;
	const giveUpSoon = () => {
		until = Math.min(until, performance.now() + SETTLE_MS);
	};
	child.once('error', giveUpSoon).once('exit', giveUpSoon);
	while (performance.now() < until && !(await isListening(socketPath))) await delay(LOOK_MS);
}

function spawnRunner({ argv: [program, ...args], env, cwd, log }: RunnerStart): ChildProcess {
	const file = openPrivateLog(log);
	if (!file.ok) throw file.error;
	const child = spawn(program, args, { cwd, env, detached: true, stdio: ['ignore', file.value, file.value] });
	closeSync(file.value);
	child.unref();
	return child;
}

export function isListening(path: string): Promise<boolean> {
	return new Promise((resolve) => {
		const socket = createConnection(path);
		socket.once('connect', () => {
			socket.destroy();
			resolve(true);
		});
		socket.once('error', () => resolve(false));
	});
}
