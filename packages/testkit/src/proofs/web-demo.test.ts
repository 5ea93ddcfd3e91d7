// roost demo --web as a user runs it: a real terminal, a real browser, and nothing left afterwards.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Chromium, startChromium } from '../rigs/api/chromium.ts';
import { findProcessesWithEnv } from '../rigs/live-processes.ts';
import { startProgram } from '../rigs/program.ts';
import { cannotRun, program } from '../rigs/requirements.ts';
import { createFakeDesktop } from '../rigs/runner/fake-desktop.ts';
import { roostArgv } from '../rigs/runner/roost-cli.ts';
import { createTempDir } from '../rigs/temp-dir.ts';
import { KEYS, openTui, type TuiRig } from '../rigs/tui/tui-rig.ts';
import { waitFor } from '../rigs/wait-for.ts';

const LINK = /http:\/\/127\.0\.0\.1:(\d+)\/#ticket=\S+/;

describe.skipIf(cannotRun([program('chromium')]))('roost demo --web', { timeout: 120_000 }, () => {
	let chromium: Chromium;
	beforeAll(async () => {
		chromium = await startChromium();
	});
	afterAll(() => chromium[Symbol.asyncDispose]());

	it('shows requests and sessions, its agents react to answers, and q ends it without a trace', async () => {
		await using world = await openWorld();
		await using tui = world.open({});
		const { link, port } = await linkOf(tui);
		const profile = await chromium.profile();
		const page = await profile.open(link);
		const edit = page.locator('[data-ask][data-state="pending"]:has-text("src/health.ts")');
		await edit.locator('button:text("Allow once")').click();
		await world.waitForFeed('wren', /Allowed by \S+@web:[\s\S]*42 passed/);
		await page.waitForSelector('[data-ask][data-risk="high"]:has-text("rm -rf dist")');
		await page.waitForSelector('[data-ask]:has-text("Where should the counters be stored?")');

		await page.goto(new URL('/board', link).href);
		await page.waitForSelector('[data-session] >> nth=7');
		for (const id of ['wren', 'heron', 'kestrel', 'finch', 'robin', 'swift', 'stork']) {
			expect.soft(await page.locator(`[data-session="${id}"]`).count(), id).toBe(1);
		}
		await page.goto(new URL('/s/wren/changes?since=head', link).href);
		await page.waitForSelector('main:has-text("health.ts"):has-text("CHANGELOG.md")');
		expect(profile.complaints).toEqual([]);

		tui.type('q');
		expect(await tui.waitForExit()).toEqual({ code: 0, signal: 0 });
		expect(tui.terminal.text()).toContain('Demo finished. Nothing was saved.');
		expect(await isOpen(port)).toBe(false);
		await world.expectNothingLeft();
	});
});

describe('roost demo --web without a browser to drive', () => {
	it.each([
		['Ctrl-C', (tui: TuiRig) => tui.type(KEYS.ctrl('c'))],
		['closing its window', (tui: TuiRig) => tui.signal('SIGHUP')],
		['a signal', (tui: TuiRig) => tui.signal('SIGTERM')],
	] as const)('is ended by %s, and leaves nothing behind', async (_how, end) => {
		await using world = await openWorld();
		await using tui = world.open({});
		const { port } = await linkOf(tui);
		end(tui);
		await tui.waitForExit();
		expect(await isOpen(port)).toBe(false);
		await world.expectNothingLeft();
	});

	it('leaves no process when it is killed', async () => {
		await using world = await openWorld();
		await using tui = world.open({});
		const { port } = await linkOf(tui);
		tui.signal('SIGKILL');
		await tui.waitForExit();
		expect(await isOpen(port)).toBe(false);
		expect(await findProcessesWithEnv(world.temp)).toEqual([]);
	});

	it('opens the browser with a private file, and again with another link when Enter is pressed', async () => {
		await using world = await openWorld();
		const desktop = await createFakeDesktop(world.path);
		await using tui = world.open({ DISPLAY: ':0', PATH: desktop.path(world.env.PATH) });
		await tui.waitForScreen(/Opening http:\/\/127\.0\.0\.1:\d+ in your browser\.[\s\S]*q to end the demo/);
		const [file = ''] = await desktop.opened();
		expect(file.startsWith(world.temp)).toBe(true);
		expect(statSync(file).mode & 0o777).toBe(0o600);
		const first = readFileSync(file, 'utf8');
		expect(first).toMatch(LINK);
		tui.type(KEYS.enter);
		await waitFor(() => (readFileSync(file, 'utf8') === first ? undefined : true), { what: 'another link' });
		expect(tui.terminal.text()).not.toContain('ticket');
	});

	it('refuses options of the terminal UI', async () => {
		await using world = await openWorld();
		for (const option of ['--plain', '--ascii']) {
			const { code, stderr } = await world.roost('demo', '--web', option);
			expect(code).toBe(2);
			expect(stderr).toContain(`'--web' cannot be used with option '${option}'`);
		}
		expect(world.homes()).toEqual([]);
	});
});

async function linkOf(tui: TuiRig): Promise<{ link: string; port: number }> {
	const screen = await tui.waitForScreen(/#ticket=\S+[\s\S]*q to end the demo/);
	const [link = '', port] = LINK.exec(screen) ?? [];
	return { link, port: Number(port) };
}

async function isOpen(port: number): Promise<boolean> {
	const { promise, resolve } = Promise.withResolvers<boolean>();
	const socket = connect({ port, host: '127.0.0.1' }, () => resolve(true)).once('error', () => resolve(false));
	const isAnswered = await promise;
	socket.destroy();
	return isAnswered;
}

async function openWorld() {
	await using stack = new AsyncDisposableStack();
	const { path } = stack.use(await createTempDir());
	const { path: temp } = stack.use(await createTempDir());
	const env = { PATH: process.env.PATH ?? '', HOME: path, ROOST_HOME: join(path, 'roost'), TMPDIR: temp };
	/** Node keeps what it compiled in the same place. */
	const homes = () => readdirSync(temp).filter((name) => name !== 'node-compile-cache');
	const run = async (inside: Readonly<Record<string, string>>, ...args: string[]) => {
		await using command = await startProgram(roostArgv(...args), { cwd: path, env: inside });
		return await command.waitForExit(60_000);
	};
	const owned = stack.move();
	return {
		path,
		temp,
		env,
		homes,
		roost: (...args: string[]) => run(env, ...args),
		/** Wide enough for the link in one line. */
		open: (over: Readonly<Record<string, string>>) =>
			openTui({ cwd: path, env: { ...env, ...over }, columns: 200, args: ['demo', '--web', '--speed', '4'] }),
		async waitForFeed(session: string, words: RegExp): Promise<void> {
			let feed = '';
			const reported = async () => {
				feed = (await run({ ...env, ROOST_HOME: join(temp, homes()[0] ?? '', 'home') }, 'feed', session)).stdout;
				return words.test(feed) || undefined;
			};
			await waitFor(reported, { what: `${words} in the feed`, seen: () => feed });
		},
		async expectNothingLeft(): Promise<void> {
			expect(homes()).toEqual([]);
			expect(await findProcessesWithEnv(temp)).toEqual([]);
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}
