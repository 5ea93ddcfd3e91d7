// Terminals of a runner inside the real tmux: the next runner reopens them.
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ApiClient, createApiClient } from '@roost/client/api-client';
import { keepToken } from '@roost/home/token';
import { findProgram } from '@roost/machine/find-program';
import { endTmuxTerminal } from '@roost/machine/tmux/open-tmux';
import { openTmux } from '@roost/machine/tmux/tmux';
import { projectId, type TerminalId } from '@roost/protocol/ids';
import { openRunner } from '@roost/runner/open-runner';
import { describe, expect, it } from 'vitest';
import { openRawTerminal } from '../rigs/api/raw-terminal.ts';
import { isRunning, signal } from '../rigs/live-processes.ts';
import { cannotRun, program } from '../rigs/requirements.ts';
import { startRunnerProcess } from '../rigs/runner/runner-rig.ts';
import { createTempDir } from '../rigs/temp-dir.ts';
import { createVirtualTerminal } from '../rigs/terminal/virtual-terminal.ts';
import { unwrap, unwrapError } from '../rigs/unwrap.ts';
import { waitFor } from '../rigs/wait-for.ts';

const SOON = { deadlineMs: 120_000 };

/** A home for runners with terminals in tmux; leftover programs end with the test. */
async function createWorld() {
	await using stack = new AsyncDisposableStack();
	const { path } = stack.use(await createTempDir());
	const home = join(path, 'roost');
	const socketPath = join(path, 'tmux.sock');
	await mkdir(home, { mode: 0o700 });
	const pty = { useTmux: true, tmuxSocketPath: socketPath, shell: '/bin/sh' };
	await writeFile(join(home, 'config.yaml'), JSON.stringify({ runner: { port: 0 }, pty }), { mode: 0o600 });
	const tmux = unwrap(await openTmux({ env: process.env, socketPath, scrollbackLines: 100 }));
	stack.defer(async () => {
		for (const { name } of unwrap(await tmux.list())) unwrap(await endTmuxTerminal({ tmux, name }));
	});
	const env = { PATH: process.env.PATH ?? '', HOME: path, ROOST_HOME: home, PS1: 'ready> ' };
	const owned = stack.move();
	return {
		path,
		env,
		tmux,
		openRunner: (over: Record<string, string> = {}) => openOne({ ...env, ...over }),
		keptFiles: async () => (await readdir(join(home, 'run'))).filter((name) => name.startsWith('terminal-')),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

async function openOne(env: Record<string, string>) {
	const warned: string[] = [];
	const journal = { log: () => {}, hide: () => {} };
	const runner = unwrap(await openRunner({ env, flags: {}, journal, warn: (sentence) => warned.push(sentence) }));
	const { url, port } = runner.gateway;
	const token = unwrap(keepToken({ home: runner.home, env }));
	const api = createApiClient({ baseUrl: url, token, face: 'cli', fetch: (to, init) => fetch(to, init) });
	return {
		api,
		warned,
		attach: (id: TerminalId) => openRawTerminal({ port, id, headers: { authorization: `Bearer ${token}` } }),
		[Symbol.asyncDispose]: () => runner[Symbol.asyncDispose](),
	};
}

async function openShell(api: ApiClient, folder: string, recording = false) {
	const size = { cols: 80, rows: 24 };
	return await api.terminals.open({ commandId: crypto.randomUUID(), projectId: projectId.parse(folder), size, recording });
}

type Attached = Awaited<ReturnType<typeof openRawTerminal>>;

/** The screen of a client attached there. */
async function screenOf(attached: Attached): Promise<string> {
	using terminal = createVirtualTerminal({ columns: 80, rows: 24 });
	terminal.write(attached.text());
	await terminal.settled();
	return terminal.text();
}

async function waitForScreen(attached: Attached, fits: RegExp): Promise<string> {
	const read = async () => {
		const screen = await screenOf(attached);
		return fits.test(screen) ? screen : undefined;
	};
	return await waitFor(read, { ...SOON, what: `a screen that fits ${fits}`, seen: () => screenOf(attached) });
}

describe.skipIf(cannotRun([program('tmux')]))('terminals in tmux', { timeout: 120_000 }, () => {
	it('are restored with their screens by the next runner, except those that have ended', async () => {
		await using world = await createWorld();
		const open = async (api: ApiClient, recorded = false) => unwrap(await openShell(api, world.path, recorded)).id;
		let screen = '';
		const [shell, killed, removed] = await (async () => {
			await using runner = await world.openRunner();
			const ids = [await open(runner.api, true), await open(runner.api), await open(runner.api)] as const;
			await using attached = await runner.attach(ids[0]);
			await waitForScreen(attached, /ready>/);
			attached.type('printf "\\033[31mnum%s-%s\\033[0m\\n" ber $((40 + 2))\r');
			screen = await waitForScreen(attached, /^number-42\nready>/m);
			return ids;
		})();
		const pidOf = async (id: TerminalId) => unwrap(await world.tmux.read(id))?.pid ?? 0;
		const pid = await pidOf(shell);
		expect(await isRunning(pid)).toBe(true);
		expect(await world.keptFiles()).toHaveLength(3);
		signal(await pidOf(killed), 'SIGKILL');
		unwrap(await endTmuxTerminal({ tmux: world.tmux, name: removed }));

		await using next = await world.openRunner();
		const list = async () => new Map(unwrap(await next.api.terminals.list()).map(({ id, state }) => [id, state]));
		await waitFor(async () => ((await list()).get(killed) !== 'running' ? true : undefined), { ...SOON, what: 'its end' });
		expect((await list()).get(shell)).toBe('running');
		expect((await list()).has(removed)).toBe(false);
		expect(await world.keptFiles()).toEqual([`terminal-${shell}.json`]);
		await using again = await next.attach(shell);
		expect(await waitForScreen(again, /^number-42\nready>/m)).toBe(screen);
		again.type('echo still-$$\r');
		await waitForScreen(again, new RegExp(`^still-${pid}$`, 'm'));
		const recording = unwrap(await next.api.terminals.list()).find(({ id }) => id === shell)?.recording ?? '';
		unwrap(await next.api.terminals.close({ commandId: crypto.randomUUID(), id: shell }));
		expect(await readFile(recording, 'utf8')).toMatch(
			new RegExp(`^{"version":2,.*number-42.*"m","Continued by another runner.*still-${pid}`, 's'),
		);
		expect(await world.keptFiles()).toEqual([]);
		expect(next.warned).toEqual([]);
	});

	it('survive a kill -9 of their runner with the same alternate screen', async () => {
		await using world = await createWorld();
		await using runner = await startRunnerProcess({ env: world.env });
		const reach = () => {
			const { url: baseUrl, token } = runner;
			const attach = (id: TerminalId) =>
				openRawTerminal({ port: Number(new URL(baseUrl).port), id, headers: { authorization: `Bearer ${token}` } });
			return { attach, api: createApiClient({ baseUrl, token, face: 'cli', fetch: (to, init) => fetch(to, init) }) };
		};
		const { id } = unwrap(await openShell(reach().api, world.path));
		await using attached = await reach().attach(id);
		await waitForScreen(attached, /ready>/);
		attached.type('seq 50; printf "\\033[?1049h\\033[2J\\033[20;3Hstat%s\\033[5;9H" us; echo $$; read x; echo $$.\r');
		const pid = unwrap(await world.tmux.read(id))?.pid ?? 0;
		const drawn = new RegExp(`^ {8}${pid}\n+ {2}status$`, 'm');
		const screen = await waitForScreen(attached, drawn);
		await runner.kill();
		expect(await isRunning(pid)).toBe(true);
		await runner.restart();
		await using again = await reach().attach(id);
		expect(await waitForScreen(again, drawn)).toBe(screen);
		expect(unwrap(await world.tmux.capture(id, 'screen')).trimEnd()).toBe(screen.trimEnd());
		again.type('\r');
		await waitForScreen(again, new RegExp(`^${pid}\\.$`, 'm'));
	});

	it('report a missing tmux while everything else works, and open once it is installed', async () => {
		await using world = await createWorld();
		const bin = join(world.path, 'bin');
		await mkdir(bin);
		await using runner = await world.openRunner({ PATH: bin });
		const refused = unwrapError(await openShell(runner.api, world.path));
		expect(refused).toMatchObject({ code: 'cannot_start', message: expect.stringMatching(/need tmux.*Install it .*useTmux/) });
		expect(unwrap(await runner.api.terminals.list())).toEqual([]);
		expect(unwrap(await runner.api.record.sessions())).toEqual([]);
		await symlink(findProgram('tmux', process.env) ?? '', join(bin, 'tmux'));
		const { id } = unwrap(await openShell(runner.api, world.path));
		await using attached = await runner.attach(id);
		await waitForScreen(attached, /ready>/);
	});

	it('are kept for a later runner if tmux is missing or does not respond', async () => {
		await using world = await createWorld();
		const { id } = await (async () => {
			await using runner = await world.openRunner();
			return unwrap(await openShell(runner.api, world.path));
		})();
		await (async () => {
			await using blind = await world.openRunner({ PATH: world.path });
			expect(blind.warned).toEqual([expect.stringContaining('terminals of an earlier runner cannot be reopened')]);
			expect(unwrap(await blind.api.terminals.list())).toEqual([]);
		})();
		await writeFile(join(world.path, 'tmux'), '#!/bin/sh\nif [ "$1" = -V ]; then echo tmux 3.4; else exit 1; fi\n', {
			mode: 0o700,
		});
		await (async () => {
			await using refused = await world.openRunner({ PATH: world.path });
			expect(refused.warned).toEqual([expect.stringMatching(new RegExp(`^terminal ${id} .* is unreachable.*tmux refused`))]);
		})();
		await using next = await world.openRunner();
		expect(unwrap(await next.api.terminals.list())).toMatchObject([{ id, state: 'running' }]);
	});
});
