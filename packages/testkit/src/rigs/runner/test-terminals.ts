// Real terminals for tests of the API: real programs in real PTYs, and nothing else of a runner.

import { newShortId } from '@roost/home/short-id';
import { openPty } from '@roost/machine/open-pty';
import type { TerminalProgram } from '@roost/machine/terminal-process';
import type { Timers } from '@roost/machine/timers';
import { realTimers } from '@roost/machine/timers';
import { createTerminals, type Terminals, type TerminalsDeps } from '@roost/runner/terminals/terminals';
import { createTestProjects } from './test-engine.ts';

export function createTestTerminals(over: Partial<TerminalsDeps> & { timers?: Timers } = {}): Terminals {
	return createTerminals({
		openProcess: (_id, program) => openPty(program),
		folderOf: createTestProjects().folderOf,
		shellIn: (cwd) => programIn(cwd, '/bin/sh'),
		note: () => true,
		scrollbackLines: 1_000,
		recordings: '/nowhere',
		newId: newShortId,
		now: Date.now,
		timers: realTimers,
		warn: () => {},
		...over,
	});
}

/** A program with an environment of its own; a shell there has a prompt that tests know. */
export function programIn(cwd: string, ...argv: [string, ...string[]]): TerminalProgram {
	const env = { PATH: process.env.PATH ?? '', HOME: cwd, PS1: 'ready> ', TERM: 'xterm-256color' };
	return { argv, cwd, env, size: { cols: 80, rows: 24 } };
}
