import { startProgram } from '@roost/testkit/rigs/program';
import { roostArgv } from '@roost/testkit/rigs/runner/roost-cli';
import { type RunnerProcess, startRunnerProcess } from '@roost/testkit/rigs/runner/runner-rig';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { KEYS, openTui, type TuiOptions, type TuiRig } from '@roost/testkit/rigs/tui/tui-rig';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';

const GIVEN_BACK = { alternateScreen: false, bracketedPaste: false, mouse: false };

async function open(roost: RunnerProcess, over: Partial<TuiOptions> = {}): Promise<TuiRig> {
	const tui = openTui({ cwd: roost.folder, ...over, env: { ...roost.env, ...over.env } });
	await tui.waitForScreen(/live/);
	return tui;
}

async function expectGivenBack(tui: TuiRig): Promise<void> {
	await tui.waitForExit();
	await tui.terminal.settled();
	expect(tui.terminal.modes()).toEqual(GIVEN_BACK);
	expect(tui.terminal.cursor().shown).toBe(true);
	expect(tui.bytes()).toContain('\x1b[?7h');
}

/** The header is on the first line and the footer on the last but one, both as wide as the window. */
function isFramed(tui: TuiRig): boolean {
	const { columns } = tui.terminal.size();
	const screen = tui.screen();
	return screen[0]?.length === columns - 1 && screen[0].endsWith('live') && (screen.at(-2) ?? '').startsWith(' Feed');
}

describe('terminal UI in a real terminal', () => {
	it('sets up the terminal on start and restores it on quit', async () => {
		await using roost = await startRunnerProcess();
		await using tui = await open(roost);
		expect(tui.terminal.modes()).toEqual({ alternateScreen: true, bracketedPaste: true, mouse: true });
		expect(tui.terminal.cursor().shown).toBe(false);
		tui.type('q');
		expect((await tui.waitForExit()).code).toBe(0);
		await expectGivenBack(tui);
	});

	it.each([
		['SIGTERM', 15],
		['SIGHUP', 1],
		['SIGINT', 2],
	] as const)('restores the terminal on %s and terminates by that signal', async (name, number) => {
		await using roost = await startRunnerProcess();
		await using tui = await open(roost);
		tui.signal(name);
		expect((await tui.waitForExit()).signal).toBe(number);
		await expectGivenBack(tui);
	});

	it('restores the terminal when quit with Ctrl-C', async () => {
		await using roost = await startRunnerProcess();
		await using tui = await open(roost);
		tui.type(KEYS.ctrl('c'));
		await expectGivenBack(tui);
	});

	it('redraws the full frame after 100 quick resizes without clearing or scrolling the screen', async () => {
		await using roost = await startRunnerProcess();
		await using tui = await open(roost);
		for (let round = 0; round < 100; round += 1) tui.resize(60 + (round % 90), 12 + (round % 30));
		tui.resize(100, 30);
		await tui.waitForScreen(() => isFramed(tui));
		tui.resize(100, 20);
		await tui.waitForScreen(() => isFramed(tui));
		tui.resize(40, 10);
		await tui.waitForScreen(/Roost needs 60x12; this is 40x10/);
		tui.resize(80, 24);
		await tui.waitForScreen(() => isFramed(tui));
		expect(tui.bytes()).not.toContain('\x1b[2J');
		expect(tui.terminal.scrolledLines()).toBe(0);
	});

	it('scrolls with the mouse wheel and treats pasted text as input, not as keys', async () => {
		await using roost = await startRunnerProcess();
		const agent = await roost.openLaunch({ headless: false });
		const session = { session_id: 'native', cwd: roost.folder };
		for (let turn = 1; turn <= 30; turn += 1) {
			await agent.report({ hook_event_name: 'UserPromptSubmit', ...session, prompt: `turn number ${turn}.` });
		}
		await using tui = await open(roost);
		await tui.waitForScreen(/turn number 30\./);
		expect(tui.terminal.text()).not.toContain('turn number 2.');
		for (let turn = 0; turn < 40; turn += 1) tui.type(KEYS.wheelUp);
		await tui.waitForScreen(/turn number 2\./);
		for (let turn = 0; turn < 40; turn += 1) tui.type(KEYS.wheelDown);
		await tui.waitForScreen(/turn number 30\./);
		tui.type('/');
		await tui.waitForScreen(/^ \/$/m);
		tui.type(KEYS.paste('number 2q'));
		await tui.waitForScreen(/^ \/number 2q$/m);
	});

	it('suspends on Ctrl-Z and restores its screen and keys on fg', async () => {
		await using roost = await startRunnerProcess();
		const shell = { argv: ['bash', '--norc', '-i'] as const, env: { ...roost.env, PS1: 'shell> ' } };
		await using tui = openTui({ cwd: roost.folder, ...shell });
		await tui.waitForScreen(/shell>/);
		tui.type(`${roostArgv().join(' ')}\r`);
		await tui.waitForScreen(/live/);
		tui.type(KEYS.ctrl('z'));
		await tui.waitForScreen(/Stopped/);
		expect(tui.terminal.modes()).toMatchObject({ ...GIVEN_BACK, bracketedPaste: expect.any(Boolean) });
		expect(tui.terminal.cursor().shown).toBe(true);
		tui.type('fg\r');
		await tui.waitForScreen(() => isFramed(tui));
		expect(tui.terminal.modes()).toEqual({ alternateScreen: true, bracketedPaste: true, mouse: true });
		tui.type('?');
		await tui.waitForScreen(/Help/);
		tui.type(KEYS.escape);
		await tui.waitForScreen((screen) => !screen.includes('Help'));
		tui.type('q');
		await tui.waitForScreen((screen) => screen.endsWith('shell>\n') && !tui.terminal.modes().alternateScreen);
	});

	it('keeps running on Ctrl-Z when there is no shell to return to', async () => {
		await using roost = await startRunnerProcess();
		await using tui = await open(roost);
		tui.type(KEYS.ctrl('z'));
		await waitFor(() => (tui.bytes().split('\x1b[?1049h').length === 3 ? true : undefined), {
			what: 'the terminal to be taken again',
		});
		tui.type('?');
		await tui.waitForScreen(/Help/);
	});

	it('exits with code 2 without a usable terminal or with an unknown theme', async () => {
		await using temp = await createTempDir();
		const env = { PATH: process.env.PATH ?? '', HOME: temp.path, ROOST_HOME: temp.path };
		await using piped = await startProgram(roostArgv(), { cwd: temp.path, env });
		expect(await piped.waitForExit(60_000)).toMatchObject({
			code: 2,
			stdout: '',
			stderr: 'roost: The terminal UI needs a terminal with cursor control. Use "roost feed" and "roost sessions" elsewhere.\n',
		});
		await using dumb = openTui({ cwd: temp.path, env: { ...env, TERM: 'dumb' } });
		expect((await dumb.waitForExit()).code).toBe(2);
		await using wrong = await startProgram(roostArgv('--theme', 'pink'), { cwd: temp.path, env });
		expect(await wrong.waitForExit(60_000)).toMatchObject({
			code: 2,
			stderr: 'roost: --theme takes dark, light, high-contrast; it was "pink".\n',
		});
	});
});
