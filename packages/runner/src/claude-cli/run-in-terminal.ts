// Runs a command of claude that refuses to work without a terminal: it gets one, and nobody types into it.
import type { IPty } from '@lydell/node-pty';
import { toTerminalLines } from '@roost/agents/claude/cli/terminal-lines';
import { endGroup, signalGroup } from '@roost/machine/child-process';
import type { Timers } from '@roost/machine/timers';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Argv } from './find-claude.ts';
import { type ClaudeCall, type ClaudeRuns, type ClaudeRunsDeps, keepRuns, tookTooLong } from './run-claude.ts';

export function createTerminalRuns(deps: ClaudeRunsDeps): ClaudeRuns {
	return keepRuns(deps, async (argv, call, env) => {
		const opened = await open(argv, call, env);
		return opened.ok ? ok({ pid: opened.value.pid, ended: follow(opened.value, call, deps.timers) }) : opened;
	});
}

/** So wide that no address is broken. */
const SIZE = { cols: 4_000, rows: 50 };

async function open([program, ...before]: Argv, { args, cwd }: ClaudeCall, env: NodeJS.ProcessEnv): Promise<Result<IPty>> {
	const { spawn } = await import('@lydell/node-pty');
	try {
		return ok(spawn(program, [...before, ...args], { ...SIZE, cwd, env, name: 'xterm' }));
	} catch (cause) {
		return err(new AppError('cannot_start', 'claude cannot be given a terminal: see "roost doctor".', { cause }));
	}
}

function follow(terminal: IPty, { args, limitMs, onLine = () => {} }: ClaudeCall, timers: Timers) {
	let raw = '';
	let told = 0;
	const tellWhole = (upTo: number) => {
		const lines = toTerminalLines(raw.slice(0, upTo));
		for (const line of lines.slice(told)) onLine(line);
		told = Math.max(told, lines.length);
	};
	terminal.onData((text) => {
		raw = (raw + text).slice(0, MOST_KEPT);
		tellWhole(raw.lastIndexOf('\n') + 1);
	});
	return new Promise<Result<{ code: number; stdout: string; stderr: string }>>((resolve) => {
		let late = false;
		let spare = () => {};
		const cancelLimit = timers.after(limitMs, () => {
			late = true;
			spare = endGroup(terminal.pid, timers);
		});
		terminal.onExit(({ exitCode }) => {
			cancelLimit();
			spare();
			signalGroup(terminal.pid, 'SIGKILL');
			tellWhole(raw.length);
			resolve(late ? err(tookTooLong(args, limitMs)) : ok(toExit(exitCode, toTerminalLines(raw))));
		});
	});
}

const MOST_KEPT = 100_000;

/** A terminal has one stream; the last line is how it ended. */
function toExit(code: number, lines: readonly string[]) {
	const last = lines.at(-1) ?? '';
	return code === 0 ? { code, stdout: last, stderr: '' } : { code, stdout: '', stderr: last };
}
