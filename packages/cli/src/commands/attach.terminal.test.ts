// roost attach as a user runs it: in a real terminal, showing a terminal of a real runner.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { terminalRow } from '@roost/protocol/api/terminals';
import { type RunnerProcess, startRunnerProcess } from '@roost/testkit/rigs/runner/runner-rig';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { openTui } from '@roost/testkit/rigs/tui/tui-rig';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';

const LEAVE = '\x1d\x1d';

async function startWorld() {
	const roost = await startRunnerProcess({ config: { pty: { shell: '/bin/sh' } } });
	const env = { ...roost.env, PS1: 'ready> ' };
	return {
		roost,
		attach: (...args: string[]) => openTui({ cwd: roost.folder, env, args: ['attach', ...args] }),
		terminals: () => listTerminals(roost),
		[Symbol.asyncDispose]: () => roost[Symbol.asyncDispose](),
	};
}

async function listTerminals(roost: RunnerProcess) {
	return terminalRow.array().parse(JSON.parse((await roost.call('GET', '/api/v1/terminals')).body));
}

describe('roost attach', () => {
	it('opens a shell, leaves it running, and reattaches to the same screen', { timeout: 120_000 }, async () => {
		await using world = await startWorld();
		await using first = world.attach('--new', '--record');
		await first.waitForScreen(/^[$#>]$/m);
		first.type('echo number-$((40 + 2)); stty size; pwd\r');
		await first.waitForScreen((screen) => /number-42\s+24 80/.test(screen) && screen.includes(world.roost.folder));
		first.type(LEAVE);
		expect(await first.waitForExit()).toMatchObject({ code: 0 });
		await first.waitForScreen(/the recording, secrets included, is in .*\.cast/s);
		const [row] = await world.terminals();
		expect(row).toMatchObject({ state: 'running', cols: 80, rows: 24 });
		await first.waitForScreen((screen) => screen.replaceAll('\n', '').includes(`Return with "roost attach ${row?.id}".`));
		const listed = await world.roost.roost('terminals');
		expect(listed.stdout).toMatch(
			new RegExp(`^TERMINAL +SESSION +STATE .*\n${row?.id} +- +running +\\d +\\d+s +yes .*${world.roost.folder}\n`),
		);
		expect(JSON.parse((await world.roost.roost('terminals', '--json')).stdout)).toMatchObject([{ id: row?.id }]);

		await using again = world.attach(row?.id ?? '');
		await again.waitForScreen(/number-42/);
		again.resize(100, 30);
		await waitFor(async () => ((await world.terminals())[0]?.cols === 100 ? true : undefined), {
			what: 'the new size',
		});
		again.type('stty size\r');
		await again.waitForScreen(/30 100/);
		again.type('exit 4\r');
		await again.waitForScreen(/the terminal has ended with exit code 4/);
		expect(await again.waitForExit()).toMatchObject({ code: 0 });
	});

	it('prints the last output of a failed program, and none of a successful one', { timeout: 120_000 }, async () => {
		await using temp = await createTempDir();
		const shell = join(temp.path, 'shell');
		// On the alternate screen, which is closed afterwards.
		const script = `printf '\\033[?1049h\\033[31m'; for n in 1 2 3 4 5 6 7 8 9 10 11; do echo "line $n"; echo; done`;
		await writeFile(shell, `#!/bin/sh\n${script}\nexit $(cat ${temp.path}/code)\n`, { mode: 0o700 });
		await using roost = await startRunnerProcess({ config: { pty: { shell } } });
		for (const [code, message] of [
			[3, /ended with exit code 3; last output:\n {2}line 2\n {2}line 3\n.* {2}line 11\n/s],
			[0, /ended with exit code 0\.\n/],
		] as const) {
			await writeFile(join(temp.path, 'code'), String(code));
			await using tui = openTui({ cwd: roost.folder, env: roost.env, args: ['attach', '--new'] });
			const screen = await tui.waitForScreen(message);
			expect(screen.includes('line 1\n')).toBe(false);
			expect(screen.includes('line 2')).toBe(code !== 0);
			await tui.waitForExit();
		}
	});

	it('restores the terminal when killed on an alternate screen', { timeout: 120_000 }, async () => {
		await using world = await startWorld();
		await using tui = world.attach('--new');
		await tui.waitForScreen(/^[$#>]$/m);
		tui.type("printf '\\033[?1049h\\033[?25l\\033[?1000h\\033[?2004hFULL'\r");
		await tui.waitForScreen(/^FULL/m);
		expect(tui.terminal.modes()).toMatchObject({ alternateScreen: true, bracketedPaste: true, mouse: true });
		tui.signal('SIGTERM');
		await tui.waitForExit();
		await tui.terminal.settled();
		expect(tui.terminal.modes()).toMatchObject({ alternateScreen: false, bracketedPaste: false, mouse: false });
		expect(tui.terminal.cursor().shown).toBe(true);
	});

	it('watches with --view, and takes control only with --take', { timeout: 120_000 }, async () => {
		await using world = await startWorld();
		await using owner = world.attach('--new');
		await owner.waitForScreen(/^[$#>]$/m);
		const [row] = await world.terminals();
		await using viewer = world.attach(row?.id ?? '', '--view');
		owner.type('echo shown-$((1 + 1))\r');
		await viewer.waitForScreen(/shown-2/);
		viewer.type('echo typed-$((1 + 1))\r');
		await using taker = world.attach(row?.id ?? '', '--take');
		await taker.waitForScreen(/shown-2/);
		await waitFor(async () => ((await world.terminals())[0]?.viewers === 3 ? true : undefined), {
			what: 'three',
		});
		await taker.waitForScreen((screen) => {
			taker.type('echo taken-$((1 + 1))\r');
			return screen.includes('taken-2');
		});
		expect(viewer.screen().join('\n')).not.toContain('typed-2');
	});

	it('explains invalid arguments', { timeout: 120_000 }, async () => {
		await using world = await startWorld();
		for (const [args, sentence] of [
			[['nowhere'], /Terminal "nowhere" not found.*roost attach --new/s],
			[[], /Name a terminal or a session/],
			[['--view', '--new'], /--view cannot be combined with --new/],
			[['x', '--view', '--record'], /--view cannot be combined with --record/],
		] as const) {
			await using tui = world.attach(...args);
			await tui.waitForScreen(sentence);
			expect((await tui.waitForExit()).code).not.toBe(0);
		}
		expect(await world.roost.roost('attach', 'x')).toMatchObject({
			code: 2,
			stderr: expect.stringContaining('needs a terminal'),
		});
	});
});
