// The real tmux: programs in it outlive the process that opened them, and are shown again unchanged.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isRunning } from '@roost/testkit/rigs/live-processes';
import { type Exit, startProgram } from '@roost/testkit/rigs/program';
import { cannotRun, program } from '@roost/testkit/rigs/requirements';
import { createOwnTmux, type OwnTmux } from '@roost/testkit/rigs/terminal/tmux-rig';
import { createVirtualTerminal, type VirtualTerminal } from '@roost/testkit/rigs/terminal/virtual-terminal';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import type { TerminalEnd, TerminalProcess, TerminalProgram } from '../terminal-process.ts';
import { endTmuxTerminal, openTmuxTerminal, reopenTmuxTerminal } from './open-tmux.ts';

const ENV = { PATH: process.env.PATH ?? '', PS1: 'ready> ' };
const SHELL = ['sh', '-i'] as const;
/** tmux drops output that it has not read when it notices the exit. Once it answers a status request, it has read all. */
const UNTIL_READ = "stty -icanon -echo; printf '\\033[5n'; dd bs=1 count=4 of=/dev/null 2>/dev/null";
const OPENER = fileURLToPath(import.meta.resolve('@roost/testkit/rigs/terminal/tmux-opener'));

describe.skipIf(cannotRun([program('tmux')]))('terminal in tmux', { timeout: 120_000 }, () => {
	it('accepts input and shows the screen of tmux, also on the alternate screen and after a resize', async () => {
		await using own = await createOwnTmux();
		const { process: shell, seen } = await open(own, 'bill', SHELL);
		type(shell, 'printf "\\033[31mr%sd\\033[0m\\n" e\r');
		await seen.waitForText(/^red$/m);
		await sameAsTmux(own, 'bill', seen);
		type(shell, 'printf "\\033[?1049h\\033[2J\\033[5;9Hfull screen"; read x; printf "\\033[?1049l"\r');
		await seen.waitForText(/^ {8}full screen$/m);
		await sameAsTmux(own, 'bill', seen);
		seen.terminal.resize(50, 12);
		shell.resize({ cols: 50, rows: 12 });
		await waitFor(async () => (unwrap(await own.tmux.read('bill'))?.size.cols === 50 ? true : undefined), {
			what: 'tmux to have the new size',
		});
		await sameAsTmux(own, 'bill', seen);
		type(shell, '\rstty size\r');
		await seen.waitForText(/12 50$/m);
		await sameAsTmux(own, 'bill', seen);
	});

	it('keeps running when released, and restores screen and scrollback when reopened', async () => {
		await using own = await createOwnTmux();
		const { process: shell, seen } = await open(own, 'bill', SHELL);
		type(shell, 'seq 100; printf "\\033[1mlast\\033[0m\\n"\r');
		await seen.waitForText(/^last$/m);
		await shell.release();
		expect(await isRunning(shell.pid)).toBe(true);
		const again = unwrap(await reopenTmuxTerminal({ tmux: own.tmux, name: 'bill' }));
		const seenAgain = watchTerminal(again);
		await seenAgain.waitForText(/^100\nlast\nready>/m);
		expect(again.pid).toBe(shell.pid);
		await sameAsTmux(own, 'bill', seenAgain);
		expect(seenAgain.terminal.scrolledLines()).toBeGreaterThan(70);
		type(again, 'exit 4\r');
		expect(await seenAgain.ended()).toEqual({ exitCode: 4 });
	});

	it('restores the alternate screen when reopened, and the main screen after it', async () => {
		await using own = await createOwnTmux();
		const { process: shell, seen } = await open(own, 'bill', SHELL);
		type(
			shell,
			'seq 100; echo be""low; printf "\\033[?1049h\\033[2J\\033[24;1H\\033[7mstatus\\033[0m\\033[5;9Hf%sl screen" ul; read x; printf "\\033[?1049l"\r',
		);
		await seen.waitForText(/^ {8}full screen$/m);
		await shell.release();
		const again = unwrap(await reopenTmuxTerminal({ tmux: own.tmux, name: 'bill' }));
		const seenAgain = watchTerminal(again);
		expect(await seenAgain.waitForText(/^ {8}full screen\n+status$/m)).not.toContain('below');
		await sameAsTmux(own, 'bill', seenAgain);
		type(again, '\r');
		await seenAgain.waitForText(/^below\nready>/m);
		await sameAsTmux(own, 'bill', seenAgain);
	});

	it('survives a kill -9 of the process that opened it', async () => {
		await using own = await createOwnTmux();
		const opener = [process.execPath, '--conditions=source', OPENER, own.socketPath, 'bill'] as const;
		await using runner = await startProgram(opener, { cwd: '/', env: { ...ENV, ROOST_AUTH_TOKEN: 'secret' } });
		await waitFor(() => (runner.output().stdout.includes('ready>') ? true : undefined), {
			what: 'the prompt',
			seen: runner.output,
		});
		runner.signal('SIGKILL');
		await runner.waitForExit(60_000);
		const again = unwrap(await reopenTmuxTerminal({ tmux: own.tmux, name: 'bill' }));
		const seen = watchTerminal(again);
		await seen.waitForText(/ready>/);
		type(again, 'echo token=$ROOST_AUTH_TOKEN.\r');
		await seen.waitForText(/^token=\.$/m);
		await sameAsTmux(own, 'bill', seen);
		expect(seen.terminal.scrolledLines()).toBe(0);
	});

	it('reports how a program ended, even if it was not open then, and removes it', async () => {
		await using own = await createOwnTmux();
		const { process: brief } = await open(own, 'brief', ['sh', '-c', 'echo last words; read x; exit 7']);
		await brief.release();
		unwrap(await own.tmux.sendText('brief', '\n'));
		await waitFor(async () => unwrap(await own.tmux.read('brief'))?.end, { what: 'the end' });
		const seen = watchTerminal(unwrap(await reopenTmuxTerminal({ tmux: own.tmux, name: 'brief' })));
		expect(await seen.ended()).toEqual({ exitCode: 7 });
		expect(await seen.text()).toContain('last words');
		await waitFor(async () => (unwrap(await own.tmux.list()).length === 0 ? true : undefined), {
			what: 'no terminal to be left',
		});
		expect(unwrapError(await reopenTmuxTerminal({ tmux: own.tmux, name: 'brief' }))).toMatchObject({ code: 'not_found' });
	});

	it('shows the last output of a program that ends while it is open, and reports the signal', async () => {
		await using own = await createOwnTmux();
		const { seen } = await open(own, 'hurt', ['sh', '-c', `seq 30; echo last words; ${UNTIL_READ}; kill -9 $$`]);
		expect(await seen.ended()).toEqual({ signal: 9 });
		expect(await seen.text()).toContain('\n30\nlast words\n');
	});

	it('ends with its descendants, and leaves a terminal with the same name prefix running', async () => {
		await using own = await createOwnTmux();
		const longer = await open(own, 'billing', SHELL);
		const stubborn = 'trap "" HUP TERM; (trap "" HUP TERM; setsid sleep 60) & echo child $!; wait; wait';
		const shorter = await open(own, 'bill', ['sh', '-c', stubborn]);
		const child = Number(/child (\d+)/.exec(await shorter.seen.waitForText(/child \d+/))?.[1]);
		await shorter.process.kill();
		expect(await isRunning(child)).toBe(false);
		expect(await isRunning(shorter.process.pid)).toBe(false);
		expect(await shorter.seen.ended()).toEqual({ signal: 9 });
		expect(unwrap(await own.tmux.list()).map(({ name }) => name)).toEqual(['billing']);
		unwrap(await own.tmux.remove('bill'));
		expect(unwrapError(await own.tmux.capture('bill', 'screen')).message).toContain('bill');
		expect(unwrapError(await own.tmux.sendText('bill', 'x')).message).toContain('bill');
		expect(await isRunning(longer.process.pid)).toBe(true);
		await longer.process.kill();
		expect(unwrap(await own.tmux.list())).toEqual([]);
	});

	it('blocks clipboard sequences, plain or wrapped', async () => {
		await using own = await createOwnTmux();
		const { process: shell, seen } = await open(own, 'bill', SHELL);
		let reported = '';
		shell.onBytes((bytes) => {
			reported += Buffer.from(bytes).toString('latin1');
		});
		await seen.waitForText(/ready>/);
		const sequences = ['\\033]52;c;cHduZWQ=\\007', '\\033]52;c;?\\007', '\\033Ptmux;\\033\\033]52;c;cHduZWQ=\\007\\033\\\\'];
		type(shell, `printf '${sequences.join('')}'; echo do""ne\r`);
		await seen.waitForText(/^done$/m);
		expect(reported).not.toContain('\u001b]52');
	});

	it('does not block its program while it is paused, and then shows the current screen', async () => {
		await using own = await createOwnTmux();
		const { process: shell, seen } = await open(own, 'bill', SHELL);
		await seen.waitForText(/ready>/);
		shell.pause();
		type(shell, 'seq 100000; echo do""ne\r');
		const isDone = async () => /^done$/m.test(unwrap(await own.tmux.capture('bill', 'screen'))) || undefined;
		await waitFor(isDone, { what: 'the program to be done' });
		expect(await seen.text()).not.toContain('done\n');
		shell.resume();
		await seen.waitForText(/^done$/m);
		await sameAsTmux(own, 'bill', seen);
	});

	it('reattaches when its client is detached', async () => {
		await using own = await createOwnTmux();
		const { process: shell, seen } = await open(own, 'bill', SHELL);
		await seen.waitForText(/ready>/);
		expect(await sendAway(own, 'bill')).toMatchObject({ code: 0 });
		await waitFor(
			async () => {
				type(shell, 'echo he""re\r');
				return /^here$/m.test(await seen.text()) ? true : undefined;
			},
			{ everyMs: 200, what: 'the shell to receive input again', seen: seen.text },
		);
		await shell.kill();
	});

	it('is released and not ended when its client is detached repeatedly', async () => {
		await using own = await createOwnTmux();
		const { process: shell, seen } = await open(own, 'bill', SHELL);
		await seen.waitForText(/ready>/);
		// From now on tmux detaches every client as soon as it attaches.
		await runTmux(own, ['set-hook', '-g', 'client-attached', 'detach-client -s =bill:']);
		await sendAway(own, 'bill');
		expect(await seen.ended()).toEqual({ isLost: true });
		expect(unwrap(await own.tmux.list())).toMatchObject([{ name: 'bill', pid: shell.pid }]);
		expect(await isRunning(shell.pid)).toBe(true);
	});

	it('rejects a duplicate or empty name, a missing directory, and an unrunnable program', async () => {
		await using own = await createOwnTmux();
		const first = await open(own, 'bill', SHELL);
		const attempt = async (name: string, change: Partial<TerminalProgram> = {}) =>
			unwrapError(await openTmuxTerminal({ tmux: own.tmux, name, program: { ...toProgram(own, SHELL), ...change } }));
		const twins = await Promise.all([1, 2].map(() => own.tmux.create('twin', toProgram(own, SHELL))));
		expect(twins.flatMap((twin) => (twin.ok ? [] : [twin.error.code]))).toEqual(['conflict']);
		unwrap(await endTmuxTerminal({ tmux: own.tmux, name: 'twin' }));
		expect(await attempt('bill')).toMatchObject({ code: 'conflict', message: expect.stringContaining('"bill" already exists') });
		expect(await attempt('')).toMatchObject({ code: 'bad_request' });
		expect(unwrapError(await own.tmux.remove(''))).toMatchObject({ code: 'bad_request' });
		expect(await attempt('b', { cwd: join(own.directory, 'none') })).toMatchObject({
			message: expect.stringContaining('not a directory'),
		});
		expect(await attempt('b', { argv: ['A=b'] })).toMatchObject({ message: expect.stringContaining('cannot be run') });
		expect(await attempt('b', { argv: ['sh', 'a\0b'] })).toMatchObject({ message: expect.stringContaining('zero bytes') });
		expect(unwrap(await own.tmux.list()).map(({ name, pid }) => ({ name, pid }))).toEqual([
			{ name: 'bill', pid: first.process.pid },
		]);
	});

	it('leaves no server behind once its last program ended', async () => {
		await using own = await createOwnTmux();
		const { seen } = await open(own, 'bill', ['true']);
		await seen.ended();
		const ask = ['tmux', '-S', own.socketPath, 'list-sessions'] as const;
		await waitFor(
			async () => {
				await using asked = await startProgram(ask, { cwd: '/', env: ENV });
				return (await asked.waitForExit(60_000)).stderr.includes('no server running') || undefined;
			},
			{ what: 'the server to be gone' },
		);
	});

	it('accepts a program path with spaces and quotes', async () => {
		await using own = await createOwnTmux();
		const path = join(own.directory, `it's "a" $PATH; program`);
		await writeFile(path, '#!/bin/sh\necho "it ran"; read x\n', { mode: 0o700 });
		const { seen } = await open(own, 'bill', [path]);
		await seen.waitForText(/^it ran$/m);
	});
});

async function open(
	own: OwnTmux,
	name: string,
	argv: TerminalProgram['argv'],
): Promise<{ process: TerminalProcess; seen: WatchedTerminal }> {
	const opened = unwrap(await openTmuxTerminal({ tmux: own.tmux, name, program: toProgram(own, argv) }));
	return { process: opened, seen: watchTerminal(opened) };
}

function sendAway(own: OwnTmux, name: string): Promise<Exit> {
	return runTmux(own, ['detach-client', '-s', `=${name}:`]);
}

/** As any process that knows the path of the server's socket could. */
async function runTmux({ socketPath }: OwnTmux, words: readonly string[]): Promise<Exit> {
	await using sent = await startProgram(['tmux', '-S', socketPath, ...words], { cwd: '/', env: ENV });
	return await sent.waitForExit(60_000);
}

function toProgram({ directory }: OwnTmux, argv: TerminalProgram['argv']): TerminalProgram {
	return { argv, cwd: directory, env: ENV, size: { cols: 80, rows: 24 } };
}

function type(terminal: TerminalProcess, text: string): void {
	terminal.write(Buffer.from(text));
}

async function sameAsTmux({ tmux }: OwnTmux, name: string, seen: WatchedTerminal): Promise<void> {
	const isSame = async () => (await seen.text()) === toText(unwrap(await tmux.capture(name, 'screen'))) || undefined;
	await waitFor(isSame, { what: 'the screen that tmux has', seen: seen.text });
}

function toText(captured: string): string {
	const lines = captured.split('\n').map((line) => line.trimEnd());
	return `${lines.join('\n').trimEnd()}\n`;
}

type WatchedTerminal = {
	readonly terminal: VirtualTerminal;
	text(): Promise<string>;
	waitForText(fits: RegExp): Promise<string>;
	ended(): Promise<TerminalEnd>;
};

const SOON = 120_000;

function watchTerminal(process: TerminalProcess, { cols = 80, rows = 24 } = {}): WatchedTerminal {
	const terminal = createVirtualTerminal({ columns: cols, rows });
	const decoder = new TextDecoder();
	let end: TerminalEnd | undefined;
	process.onBytes((bytes) => terminal.write(decoder.decode(bytes, { stream: true })));
	process.onExit((reported) => {
		end = reported;
	});
	const text = async () => {
		await terminal.settled();
		return terminal.text();
	};
	return {
		terminal,
		text,
		waitForText: (fits) =>
			waitFor(
				async () => {
					const now = await text();
					return fits.test(now) ? now : undefined;
				},
				{ deadlineMs: SOON, what: `a screen that fits ${fits}`, seen: text },
			),
		ended: () => waitFor(() => end, { deadlineMs: SOON, what: 'the program to end', seen: text }),
	};
}
