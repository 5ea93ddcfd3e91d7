// The demo as a user runs it, in a real terminal; the temporary folder is checked afterwards.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sessionRow } from '@roost/protocol/session-row';
import { findProcessesWithEnv } from '@roost/testkit/rigs/live-processes';
import { startProgram } from '@roost/testkit/rigs/program';
import { roostArgv } from '@roost/testkit/rigs/runner/roost-cli';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { KEYS, openTui, pressUntil, type TuiRig } from '@roost/testkit/rigs/tui/tui-rig';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';

const SIZES = [
	{ columns: 80, rows: 24 },
	{ columns: 120, rows: 40 },
] as const;

describe.each(SIZES)('roost demo at $columns x $rows', (size) => {
	it('lets the user decide, answer and prompt, and its agents react', { timeout: 120_000 }, async () => {
		await using world = await openWorld();
		await using tui = world.open({ ...size, speed: 4 });
		await tui.waitForScreen(/roost demo {2}wren[\s\S]*This is a demo/);

		await decideBoth(tui);
		await tui.waitForScreen(/── Permission[\s\S]*git push -u origin fix\/health-check/);
		await pressUntil(tui, 'n', (screen) => !screen.includes('── Permission'));
		await world.waitForFeed('wren', /Allowed by \S+@tui[\s\S]*Denied: denied by the user[\s\S]*I did not push/);
		await world.waitForFeed('heron', /Postgres\. Limited first: \/login, \/search\./);

		const sessions = await world.sessions();
		expect(sessions.map(({ agent }) => agent).sort()).toEqual(['claude', 'claude', 'claude', 'mock']);
		tui.type(`:sessions${KEYS.enter}`);
		await tui.waitForScreen((screen) => sessions.every(({ id }) => screen.includes(id)));

		const driven = sessions.find(({ agent }) => agent === 'mock')?.id ?? '';
		tui.type(`:open ${driven}${KEYS.enter}`);
		await tui.waitForScreen(/I am a scripted agent, and I take prompts/);
		await prompt(tui, 'run the tests');
		await tui.waitForScreen(/All twelve tests pass/);

		tui.type('q');
		expect(await tui.waitForExit()).toEqual({ code: 0, signal: 0 });
		await world.expectNothingLeft();
	});
});

describe('exit of roost demo', () => {
	it.each([
		['by Ctrl-C', (tui: TuiRig) => tui.type(KEYS.ctrl('c'))],
		['by closing its window', (tui: TuiRig) => tui.signal('SIGHUP')],
		['by a signal', (tui: TuiRig) => tui.signal('SIGTERM')],
	] as const)('%s leaves nothing behind while agents work and wait', async (_how, leave) => {
		await using world = await openWorld();
		await using tui = world.open({ speed: 20 });
		await tui.waitForScreen(/── (Permission|Question)/);
		leave(tui);
		await tui.waitForExit();
		await world.expectNothingLeft();
	});

	it('is cleaned up by the next demo after a kill, while a running demo is left alone', { timeout: 120_000 }, async () => {
		await using world = await openWorld();
		await using killed = world.open({});
		await killed.waitForScreen(/roost demo {2}wren/);
		killed.signal('SIGKILL');
		await killed.waitForExit();
		const [abandoned] = world.homes();
		await using running = world.open({});
		await running.waitForScreen(/roost demo {2}wren/);
		await using _third = world.open({});
		await waitFor(() => (world.homes().length === 2 ? true : undefined), {
			what: 'two homes',
			seen: world.homes,
		});
		expect(world.homes()).not.toContain(abandoned);
		running.type(':rules\r');
		await running.waitForScreen(/deny +project +Bash +git push --force/);
	});
});

describe('roost demo without a terminal', () => {
	it('prints the story of one agent line by line, and leaves nothing behind', async () => {
		await using world = await openWorld();
		const { code, stdout, stderr } = await world.roost(world.env, 'demo', '--speed', '1000');
		expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
		expect(stdout).toMatch(/❯ The health check answers 200[\s\S]*✗ Denied by rule demo-no-force[\s\S]*✓ Run completed/);
		await world.expectNothingLeft();
	});
});

/** Two agents ask, in any order. */
async function decideBoth(tui: TuiRig): Promise<void> {
	const either = /── Permission[\s\S]*\+ import \{ ok, unavailable \}|── Question/;
	for (let decided = 0; decided < 2; decided++) {
		if ((await tui.waitForScreen(either)).includes('── Question')) await answerTheQuestions(tui);
		else await pressUntil(tui, 'y', (screen) => !screen.includes('── Permission'));
	}
}

async function answerTheQuestions(tui: TuiRig): Promise<void> {
	await tui.waitForScreen(/Where should the counters be stored\?/);
	await pressUntil(tui, '2', (screen) => screen.includes('Which routes need a limit first?'));
	await pressUntil(tui, ' ', (screen) => /☑ \/login/.test(screen));
	tui.type(`j ${KEYS.enter}`);
	await tui.waitForScreen((screen) => screen.includes('Postgres') && screen.includes('/login, /search'));
	tui.type(KEYS.enter);
	await tui.waitForScreen((screen) => !screen.includes('── Question'));
}

async function prompt(tui: TuiRig, text: string): Promise<void> {
	tui.type('i');
	await tui.waitForScreen(/── Prompt/);
	tui.type(text);
	await pressUntil(tui, KEYS.enter, (screen) => !screen.includes('── Prompt'));
}

async function openWorld() {
	await using stack = new AsyncDisposableStack();
	const { path } = stack.use(await createTempDir());
	const { path: temp } = stack.use(await createTempDir());
	const env = { PATH: process.env.PATH ?? '', HOME: path, ROOST_HOME: join(path, 'roost'), TMPDIR: temp };
	const roost = async (inside: Readonly<Record<string, string>>, ...args: string[]) => {
		await using program = await startProgram(roostArgv(...args), { cwd: path, env: inside });
		return await program.waitForExit(60_000);
	};
	/** Node keeps what it compiled in the same place. */
	const homes = () => readdirSync(temp).filter((name) => name !== 'node-compile-cache');
	/** Runs a command in another terminal on the home of the demo. */
	const peek = async (...args: string[]) =>
		(await roost({ ...env, ROOST_HOME: join(temp, homes()[0] ?? '', 'home') }, ...args)).stdout;
	const owned = stack.move();
	return {
		env,
		roost,
		homes,
		open: ({ speed = 1, ...size }: { speed?: number; columns?: number; rows?: number }) =>
			openTui({ cwd: path, env, ...size, args: ['demo', '--speed', String(speed)] }),
		sessions: async () => sessionRow.array().parse(JSON.parse(await peek('sessions', '--all', '--json'))),
		async waitForFeed(session: string, words: RegExp): Promise<void> {
			let feed = '';
			const reported = async () => {
				feed = await peek('feed', session);
				return words.test(feed) || undefined;
			};
			await waitFor(reported, { what: `${words} in the feed`, seen: () => feed });
		},
		async expectNothingLeft(): Promise<void> {
			expect(homes()).toEqual([]);
			expect(existsSync(env.ROOST_HOME)).toBe(false);
			expect(await findProcessesWithEnv(temp)).toEqual([]);
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}
