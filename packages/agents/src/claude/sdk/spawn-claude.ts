// Starts the process of a driven Claude: its pid is told, what it complains about is kept, and it is ended in two steps.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { SpawnOptions } from '@anthropic-ai/claude-agent-sdk';
import type { Timers } from '@roost/machine/timers';

export type ClaudeProcess = {
	/** For the SDK. */
	spawn(options: SpawnOptions): ChildProcessWithoutNullStreams;
	/** The end of what it wrote to stderr. */
	complaint(): string;
	/** It may go by itself first; then it is told to, and killed where it does not. */
	end(graceMs: number): void;
};

const KILL_AFTER_MS = 5000;
const MAX_COMPLAINT = 2000;

export function createClaudeProcess(deps: {
	timers: Timers;
	/** The program that the SDK was given, and the arguments that were configured with it. */
	command?: readonly [string, ...string[]] | undefined;
	onSpawned?: ((pid: number) => void) | undefined;
}): ClaudeProcess {
	let child: ChildProcessWithoutNullStreams | undefined;
	let complaint = '';
	const isAlive = () => child !== undefined && child.exitCode === null && child.signalCode === null;

	return {
		spawn({ command, args, cwd, env, signal }) {
			const started = spawn(command, withConfigured(command, args, deps.command), {
				cwd,
				env,
				signal,
				stdio: 'pipe',
				windowsHide: true,
			});
			child = started;
			started.stderr.setEncoding('utf8');
			started.stderr.on('data', (text: string) => {
				complaint = (complaint + text).slice(-MAX_COMPLAINT);
			});
			if (started.pid !== undefined) deps.onSpawned?.(started.pid);
			return started;
		},
		complaint: () => complaint.trim(),
		end(graceMs) {
			if (!isAlive()) return;
			const forgetEnd = deps.timers.after(graceMs, () => child?.kill('SIGTERM'));
			const forgetKill = deps.timers.after(graceMs + KILL_AFTER_MS, () => child?.kill('SIGKILL'));
			child?.once('exit', () => {
				forgetEnd();
				forgetKill();
			});
		},
	};
}

/** Right behind the program. A script is started by another program, and then stands among the arguments. */
function withConfigured(command: string, args: readonly string[], [program, ...configured]: readonly string[] = []): string[] {
	const at = program === undefined || command === program ? 0 : args.indexOf(program) + 1;
	return [...args.slice(0, at), ...configured, ...args.slice(at)];
}
