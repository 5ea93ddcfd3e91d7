// Starts the process of a driven Claude: its pid is told, what it complains about is kept, and it is ended in two steps.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { SpawnOptions } from '@anthropic-ai/claude-agent-sdk';
import type { Timers } from '../../timers.ts';

export type ClaudeProcess = {
	/** For the SDK. */
	spawn(options: SpawnOptions): ChildProcessWithoutNullStreams;
	/** The end of what it wrote to stderr. */
	complaint(): string;
	/** Politely first; a process that does not go is killed. */
	end(): void;
};

const KILL_AFTER_MS = 5000;
const MAX_COMPLAINT = 2000;

export function createClaudeProcess(deps: { timers: Timers; onSpawned?: ((pid: number) => void) | undefined }): ClaudeProcess {
	let child: ChildProcessWithoutNullStreams | undefined;
	let complaint = '';
	const isAlive = () => child !== undefined && child.exitCode === null && child.signalCode === null;

	return {
		spawn({ command, args, cwd, env, signal }) {
			const started = spawn(command, args, { cwd, env, signal, stdio: 'pipe', windowsHide: true });
			child = started;
			started.stderr.setEncoding('utf8');
			started.stderr.on('data', (text: string) => {
				complaint = (complaint + text).slice(-MAX_COMPLAINT);
			});
			if (started.pid !== undefined) deps.onSpawned?.(started.pid);
			return started;
		},
		complaint: () => complaint.trim(),
		end() {
			if (!isAlive()) return;
			child?.kill('SIGTERM');
			const forget = deps.timers.after(KILL_AFTER_MS, () => {
				if (isAlive()) child?.kill('SIGKILL');
			});
			child?.once('exit', forget);
		},
	};
}
