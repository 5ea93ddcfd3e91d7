// Runs a command of an agent that refuses to work without a terminal: it gets one, and nobody types into it.
import type { AgentCli, CliExit } from '@roost/agents/base/agent-cli';
import { onlySet } from '@roost/core/runtime/child-environment';
import {
	type AgentCall,
	type AgentRuns,
	type AgentRunsDeps,
	keepRuns,
	nameOf,
	tookTooLong,
} from '@roost/home/programs/agent-runs';
import { endGroup, signalGroup } from '@roost/machine/child-process';
import type { TerminalProcess } from '@roost/machine/terminal-process';
import { err, ok, type Result } from '@roost/protocol/result';

type TerminalRunsDeps = AgentRunsDeps & Pick<AgentCli, 'toLines'>;

export function createTerminalRuns(deps: TerminalRunsDeps): AgentRuns {
	return keepRuns(deps, async ([program, ...before], call, env) => {
		const { openPty } = await import('@roost/machine/open-pty');
		const argv = [program, ...before, ...call.args] as const;
		const opened = openPty({ argv, cwd: call.cwd, env: { ...onlySet(env), TERM: 'xterm' }, size: SIZE });
		return opened.ok ? ok({ pid: opened.value.pid, ended: follow(opened.value, call, deps) }) : opened;
	});
}

/** So wide that no address is broken. */
const SIZE = { cols: 4_000, rows: 50 };

function follow(
	terminal: TerminalProcess,
	{ args, limitMs, onLine = () => {} }: AgentCall,
	{ name, toLines, timers }: TerminalRunsDeps,
) {
	const decoder = new TextDecoder();
	let raw = '';
	let told = 0;
	const tellWhole = (upTo: number) => {
		const lines = toLines(raw.slice(0, upTo));
		for (const line of lines.slice(told)) onLine(line);
		told = Math.max(told, lines.length);
	};
	terminal.onBytes((bytes) => {
		raw = (raw + decoder.decode(bytes, { stream: true })).slice(0, MOST_KEPT);
		tellWhole(raw.lastIndexOf('\n') + 1);
	});
	return new Promise<Result<CliExit>>((resolve) => {
		let late = false;
		let cancelKill = () => {};
		const cancelLimit = timers.after(limitMs, () => {
			late = true;
			cancelKill = endGroup(terminal.pid, timers);
		});
		terminal.onExit(({ exitCode = null }) => {
			cancelLimit();
			cancelKill();
			signalGroup(terminal.pid, 'SIGKILL');
			tellWhole(raw.length);
			resolve(late ? err(tookTooLong(nameOf(name, args), limitMs)) : ok(toExit(exitCode, toLines(raw))));
		});
	});
}

const MOST_KEPT = 100_000;

/** A terminal has one stream; the last line is how it ended. */
function toExit(code: number | null, lines: readonly string[]): CliExit {
	const last = lines.at(-1) ?? '';
	return code === 0 ? { code, stdout: last, stderr: '' } : { code, stdout: '', stderr: last };
}
