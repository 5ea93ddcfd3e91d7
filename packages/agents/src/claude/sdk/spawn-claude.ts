// The process of a driven Claude: reports its pid, keeps the end of stderr, and ends in two steps.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { SpawnOptions } from '@anthropic-ai/claude-agent-sdk';
import { endChild, isChildAlive, keepTail } from '@roost/machine/child-process';
import type { Timers } from '@roost/machine/timers';

const MAX_COMPLAINT = 2000;

export function createClaudeProcess(deps: {
	timers: Timers;
	/** The configured program and arguments. */
	command?: readonly [string, ...string[]] | undefined;
	onSpawned?: ((pid: number) => void) | undefined;
}) {
	let child: ChildProcessWithoutNullStreams | undefined;
	let complaint = () => '';

	return {
		spawn({ command, args, cwd, env, signal }: SpawnOptions): ChildProcessWithoutNullStreams {
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
		/** The end of stderr. */
		complaint: () => complaint(),
		/** After the grace period it is terminated, then killed. */
		end(graceMs: number): void {
			const running = child;
			if (!running || !isChildAlive(running)) return;
			endChild(running, { afterMs: graceMs, timers: deps.timers, send: (signal) => running.kill(signal) });
		},
	};
}

/** Directly after the program, which is an argument itself where a script is started by another program. */
function withConfigured(command: string, args: readonly string[], [program, ...configured]: readonly string[] = []): string[] {
	const at = program === undefined || command === program ? 0 : args.indexOf(program) + 1;
	return [...args.slice(0, at), ...configured, ...args.slice(at)];
}

const CHECK = 'check that "agents.claude.command" is Claude';
export const NOT_READY = `Claude did not become ready: ${CHECK}.`;
export const NEVER_READY = `Claude ended before it was ready: ${CHECK}.`;

/** Messages of the SDK. */
const NOT_THERE = /\b(?:binary|executable) not found at (\S+?)\.?(?:\s|$)|\bENOENT\b/;
const RESULT_PREFIX = /^Claude Code returned an error result: /;

/** `error` is what the SDK threw, `complaint` the end of stderr. */
export function toExitReason(error: unknown, complaint: string): string {
	if (error === undefined) return 'Claude ended by itself.';
	const thrown = error instanceof Error ? error.message : String(error);
	const missing = complaint === '' ? NOT_THERE.exec(thrown) : null;
	if (missing) return `Claude could not be started (${missing[1] ?? thrown} is not there): ${CHECK}.`;
	if (RESULT_PREFIX.test(thrown)) return `Claude ended: ${asSentence(thrown.replace(RESULT_PREFIX, ''))}`;
	const text = complaint.split('\n').findLast((line) => line.trim() !== '');
	return text === undefined ? `Claude ended: ${asSentence(thrown)}` : `Claude ended: ${asSentence(text.trim())} (${thrown})`;
}

function asSentence(text: string): string {
	return /[.!?]$/.test(text) ? text : `${text}.`;
}
