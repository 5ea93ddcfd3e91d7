// A real runner with a shell in a terminal, and clients that attach to it.
import { readFileSync } from 'node:fs';
import { reachRunner } from '@roost/cli/runner/reach';
import { createApiClient } from '@roost/client/api-client';
import type { TerminalRow } from '@roost/protocol/api/terminals';
import { projectId } from '@roost/protocol/ids';
import { openRawTerminal, type RawTerminal } from '@roost/testkit/rigs/api/raw-terminal';
import { startProgram } from '@roost/testkit/rigs/program';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { builtFile } from './built-file.ts';
import { RUNNER_FLAGS } from './runner-process.ts';

export type TerminalRunner = AsyncDisposable & {
	readonly pid: number;
	/** Resident memory, in megabytes. */
	memory(): number;
	/** The shell in a terminal of the runner. */
	openShell(): Promise<TerminalRow>;
	attach(terminal: Pick<TerminalRow, 'id'>, over?: { acks?: boolean; want?: 'control' | 'view' }): Promise<RawTerminal>;
};

export const SHELL_ENV = { PS1: 'ready> ', TERM: 'xterm-256color' };

export async function startTerminalRunner(home: string): Promise<TerminalRunner> {
	const env = { ...SHELL_ENV, PATH: process.env.PATH ?? '', HOME: home, ROOST_HOME: home, ROOST_PORT: '0', SHELL: '/bin/sh' };
	await using stack = new AsyncDisposableStack();
	const program = stack.use(
		await startProgram([process.execPath, ...RUNNER_FLAGS, builtFile('start'), 'up'], { cwd: home, env }),
	);
	const { baseUrl, token } = await waitFor(async () => unwrap(await reachRunner({ env })) ?? undefined, {
		deadlineMs: 30_000,
		what: 'the runner to be up',
		seen: program.output,
	});
	const api = createApiClient({ baseUrl, token, face: 'bench', fetch });
	const port = Number(new URL(baseUrl).port);
	const owned = stack.move();
	return {
		pid: program.pid,
		memory: () => residentMegabytes(program.pid),
		openShell: async () => unwrap(await api.terminals.open({ commandId: crypto.randomUUID(), projectId: projectId.parse(home) })),
		attach: ({ id }, { acks = true, want = 'control' } = {}) =>
			openRawTerminal({
				port,
				id,
				headers: { authorization: `Bearer ${token}` },
				acks,
				keeps: false,
				attach: { want, cols: 120, rows: 40 },
			}),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

function residentMegabytes(pid: number): number {
	const found = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
	return Number(found?.[1]) / 1_024;
}
