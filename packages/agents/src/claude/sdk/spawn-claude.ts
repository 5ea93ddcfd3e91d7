// Starts the process of a driven Claude: its pid is told, what it complains about is kept, and it is ended in two steps.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { SpawnOptions } from '@anthropic-ai/claude-agent-sdk';
import { endChild, isChildAlive, keepTail } from '@roost/machine/child-process';
import type { Timers } from '@roost/machine/timers';

export type ClaudeProcess = {
	/** For the SDK. */
	spawn(options: SpawnOptions): ChildProcessWithoutNullStreams;
	/** The end of what it wrote to stderr. */
	complaint(): string;
	/** It may go by itself first; then it is told to, and killed where it does not. */
	end(graceMs: number): void;
};

const MAX_COMPLAINT = 2000;

export function createClaudeProcess(deps: {
	timers: Timers;
	/** The program that the SDK was given, and the arguments that were configured with it. */
	command?: readonly [string, ...string[]] | undefined;
	onSpawned?: ((pid: number) => void) | undefined;
}): ClaudeProcess {
	let child: ChildProcessWithoutNullStreams | undefined;
	let complaint = () => '';

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
			complaint = keepTail(started.stderr, MAX_COMPLAINT);
			if (started.pid !== undefined) deps.onSpawned?.(started.pid);
			return started;
		},
		complaint: () => complaint(),
		end(graceMs) {
			const running = child;
			if (!running || !isChildAlive(running)) return;
			endChild(running, { afterMs: graceMs, timers: deps.timers, send: (signal) => running.kill(signal) });
		},
	};
}

/** Right behind the program. A script is started by another program, and then stands among the arguments. */
function withConfigured(command: string, args: readonly string[], [program, ...configured]: readonly string[] = []): string[] {
	const at = program === undefined || command === program ? 0 : args.indexOf(program) + 1;
	return [...args.slice(0, at), ...configured, ...args.slice(at)];
}
