// The runner and an agent in a real terminal: screens, the bell, and what remains after the window is closed.
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { registerTestDevice } from '@roost/testkit/rigs/api/test-device';
import { isRunning } from '@roost/testkit/rigs/live-processes';
import { startProgram } from '@roost/testkit/rigs/program';
import { cannotRun, program } from '@roost/testkit/rigs/requirements';
import { roostArgv } from '@roost/testkit/rigs/runner/roost-cli';
import { findRunner, reachRoost } from '@roost/testkit/rigs/runner/runner-rig';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { createTmuxRig, type TmuxSession } from '@roost/testkit/rigs/terminal/tmux-rig';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';

const SMALL = { cols: 80, rows: 24 };
const NATIVE = '5f0c8f7e-0000-4000-8000-000000000003';

describe.skipIf(cannotRun([program('tmux')]))('roost up in a terminal', { timeout: 120_000 }, () => {
	it('prints a link that registers a browser only once', async () => {
		await using world = await openTerminals();
		const terminal = await world.start('up');
		const screen = await terminal.waitForScreen(/Stop the runner/, 60_000);
		const link = /http:\/\/127\.0\.0\.1:\d+\/#ticket=([\w-]{43})$/m.exec(screen);
		expect(screen).toMatch(/^\d\d:\d\d:\d\d {2}the runner is up at http:\/\/127\.0\.0\.1:\d+ /m);
		expect(screen).toContain('roost status --link');
		const { port } = await reachRoost(world.home);
		await registerTestDevice(port, link?.[1] ?? '');
		await expect(registerTestDevice(port, link?.[1] ?? '')).rejects.toThrow('refused with 401');
	});

	it('rings for an unattended ask, and names it', async () => {
		await using world = await openTerminals();
		const terminal = await world.start('up');
		await terminal.waitForScreen(/Stop the runner/, 60_000);
		expect(await terminal.rang()).toBe(false);
		await world.openAsk();
		await terminal.waitForScreen(/request pending {2}ask=\S+\.1 {2}tool=Bash/, 60_000);
		await waitToRing(terminal);
	});

	it('shuts down cleanly when the terminal is closed', async () => {
		await using world = await openTerminals();
		const terminal = await world.start('up');
		await terminal.waitForScreen(/Stop the runner/, 60_000);
		await world.openAsk();
		await terminal.kill();
		await waitFor(async () => ((await isRunning(terminal.pid)) ? undefined : true), {
			what: 'the runner to end',
		});
		expect(findRunner(world.home)).toBeUndefined();
		expect(await world.roost('verify')).toMatchObject({ code: 0 });
	});
});

describe.skipIf(cannotRun([program('tmux')]))('roost claude in a terminal', { timeout: 120_000 }, () => {
	it('rings for an unattended ask, and does not touch the screen of claude', async () => {
		await using world = await openTerminals();
		await writeFile(join(world.folder, 'claude'), '#!/bin/sh\nclear\nprintf "claude is here"\nexec sleep 300\n');
		await chmod(join(world.folder, 'claude'), 0o755);
		const terminal = await world.start('claude');
		await terminal.waitForScreen(/claude is here/, 60_000);
		const before = await terminal.screen();
		await waitFor(async () => ((await world.clients()) === 1 ? true : undefined), { what: 'it to listen' });
		expect(await terminal.rang()).toBe(false);
		await world.openAsk();
		await waitToRing(terminal);
		expect(await terminal.screen()).toBe(before);
	});
});

async function waitToRing(terminal: TmuxSession): Promise<void> {
	await waitFor(async () => ((await terminal.rang()) ? true : undefined), { what: 'the bell' });
}

async function openTerminals() {
	await using stack = new AsyncDisposableStack();
	const folder = stack.use(await createTempDir()).path;
	const home = join(folder, 'roost');
	const env = { PATH: `${folder}:${process.env.PATH}`, HOME: folder, ROOST_HOME: home, ROOST_PORT: '0' };
	const roost = async (...args: string[]) => {
		await using command = await startProgram(roostArgv(...args), { cwd: folder, env });
		return await command.waitForExit(60_000);
	};
	stack.defer(async () => void (await roost('down', '--force')));
	const tmux = stack.use(await createTmuxRig());
	/** As an agent started elsewhere; no one waits for the reply. */
	async function openAsk(): Promise<void> {
		const reached = await reachRoost(home);
		const agent = await reached.openLaunch();
		await agent.report({ hook_event_name: 'SessionStart', session_id: NATIVE, source: 'startup' });
		const asking = { session_id: NATIVE, tool_name: 'Bash', tool_input: { command: 'make' } };
		agent.report({ hook_event_name: 'PermissionRequest', ...asking }).catch(() => undefined);
		await waitFor(async () => ((await reached.call('GET', '/api/v1/asks')).body !== '[]' ? true : undefined), {
			what: 'the ask',
		});
	}

	const owned = stack.move();
	return {
		folder,
		roost,
		home,
		openAsk,
		start: (...args: string[]) => tmux.start(roostArgv(...args), { env, cwd: folder, ...SMALL }),
		clients: async () =>
			Number(/^roost_clients (\d+)$/m.exec((await (await reachRoost(home)).call('GET', '/metrics')).body)?.[1]),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}
