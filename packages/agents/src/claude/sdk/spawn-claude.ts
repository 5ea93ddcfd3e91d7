// Starts the process of a driven Claude: its pid is told, what it complains about is kept, and it is ended in two steps.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { SpawnOptions } from '@anthropic-ai/claude-agent-sdk';
import { endChild, isChildAlive, keepTail } from '@roost/machine/child-process';
import type { Timers } from '@roost/machine/timers';

type ClaudeProcess = {
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

const CHECK = 'check that "agents.claude.command" is Claude';
export const NOT_READY = `Claude did not become ready: ${CHECK}.`;
export const NEVER_READY = `Claude ended before it was ready: ${CHECK}.`;

/** In the words of the SDK, which are for who programs with it. */
const NOT_THERE = /\b(?:binary|executable) not found at (\S+?)\.?(?:\s|$)|\bENOENT\b/;
const RESULT_PREFIX = /^Claude Code returned an error result: /;

/** `error` is what the SDK threw; `complaint` the end of what the process wrote to stderr. */
export function toExitReason(error: unknown, complaint: string): string {
	if (error === undefined) return 'Claude ended by itself.';
	const thrown = error instanceof Error ? error.message : String(error);
	const missing = complaint === '' ? NOT_THERE.exec(thrown) : null;
	if (missing) return `Claude could not be started (${missing[1] ?? thrown} is not there): ${CHECK}.`;
	if (RESULT_PREFIX.test(thrown)) return `Claude ended: ${asSentence(thrown.replace(RESULT_PREFIX, ''))}`;
	const said = complaint.split('\n').findLast((line) => line.trim() !== '');
	return said === undefined ? `Claude ended: ${asSentence(thrown)}` : `Claude ended: ${asSentence(said.trim())} (${thrown})`;
}

function asSentence(text: string): string {
	return /[.!?]$/.test(text) ? text : `${text}.`;
}
