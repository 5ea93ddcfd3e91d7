import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { kindWith } from '@roost/agents/kinds';
import { createAgentRuns, findAgent, nameOf } from '@roost/home/programs/agent-runs';
import { readIdentity } from '@roost/machine/process-identity';
import { realTimers, type Timers } from '@roost/machine/timers';
import { ok } from '@roost/protocol/result';
import { signal } from '@roost/testkit/rigs/live-processes';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { commandEnvironment, createTerminalRuns } from './open-agent-cli.ts';

const { cli, known } = kindWith('cli');

const LONG_MS = 60_000;
/** Controlled by the test. */
const LIMIT_MS = 1_001;

describe('run of claude', () => {
	it('returns its output and reports each line as it arrives', async () => {
		await using world = await createWorld('echo one; echo two >&2; printf "three\\rfour"; exit 3');
		const lines: string[] = [];
		const exit = unwrap(await world.run({ onLine: (line) => lines.push(line) }));
		expect(exit).toEqual({ code: 3, stdout: 'one\nthree\rfour', stderr: 'two\n' });
		expect(lines.sort()).toEqual(['four', 'one', 'three', 'two']);
	});

	it('gets its arguments unchanged, an empty stdin, and the configured environment', async () => {
		await using world = await createWorld('for a in "$@"; do echo "<$a>"; done; cat; echo "$A$B$ROOST_TOKEN"');
		const args = ['mcp', '$(id)', 'a b', "'", '--', '-x'];
		const exit = unwrap(await world.run({ args, env: { B: 'b' } }));
		expect(exit.stdout).toBe("<mcp>\n<$(id)>\n<a b>\n<'>\n<-->\n<-x>\nab\n");
	});

	it.each([
		['pipes', 'trap "" TERM; wait; wait; wait'],
		['pipes', 'wait'],
		['terminal', 'wait'],
	] as const)('is killed with all descendants at its time limit, in %s: %s', async (kind, then) => {
		await using world = await createWorld(
			`sh -c 'trap "" TERM HUP; echo $$; exec >/dev/null 2>&1; while :; do sleep 1; done' & ${then}`,
		);
		const pids: number[] = [];
		const onLine = (line: string) => {
			pids.push(Number(line));
			world.limitIsOver();
		};
		const done = await world.run({ args: ['plugin', 'install', '--json'], limitMs: LIMIT_MS, onLine }, kind);
		expect(done).toMatchObject({
			ok: false,
			error: { code: 'timed_out', message: expect.stringMatching(/^claude plugin install did not finish within 1 seconds/) },
		});
		expect(pids).toHaveLength(1);
		await waitFor(() => (readIdentity(pids[0] ?? 0) === null ? true : undefined), {
			what: 'the child to be gone',
		});
		expect(world.working()).toBe(0);
	});

	it('does not wait for descendants that keep its pipes open', async () => {
		await using world = await createWorld('sleep 300 & echo $!; exit 0');
		const exit = unwrap(await world.run({}));
		expect(exit.code).toBe(0);
		const pid = Number(exit.stdout);
		await waitFor(() => (readIdentity(pid) === null ? true : undefined), {
			what: 'leftover processes to exit',
		});
	});

	it('does not wait for a descendant outside its process group either', async () => {
		const away = 'spawn("sleep", ["300"], { detached: true, stdio: "inherit" })';
		await using world = await createWorld(
			`exec "${process.execPath}" -e 'const child = require("child_process").${away}; console.log(child.pid); child.unref()'`,
		);
		const exit = unwrap(await world.run({}));
		expect(signal(Number(exit.stdout), 'SIGKILL')).toBe(true);
	});

	it('ends when the runner ends', async () => {
		await using world = await createWorld('echo up; exec sleep 300');
		const up = Promise.withResolvers<void>();
		const done = world.run({ onLine: () => up.resolve() });
		await up.promise;
		expect(world.working()).toBe(1);
		await world.close();
		expect(await done).toMatchObject({ ok: true, value: { code: null } });
	});

	it('truncates its output at a limit', async () => {
		await using world = await createWorld('yes | head -c 3000000');
		const { stdout } = unwrap(await world.run({}));
		expect(stdout.length).toBeLessThan(1_001_000);
		expect(stdout).toMatch(/\[truncated\]$/);
	});

	it.each([['a\0b'], ['x'.repeat(3_000_000)]])(
		'rejects an impossible argument without repeating it in the error',
		async (arg) => {
			await using world = await createWorld('exit 0');
			const done = await world.run({ args: ['mcp', 'add', '--', arg] });
			expect(done).toMatchObject({
				ok: false,
				error: { code: 'bad_request', message: expect.stringMatching(/^claude mcp add cannot be/) },
			});
		},
	);

	it('reports a missing program', async () => {
		await using folder = await createTempDir();
		await using runs = createAgentRuns({
			name: 'claude',
			find: () => ok(['/nowhere/claude']),
			env: () => ({}),
			timers: realTimers,
		});
		const done = await runs.run({ args: ['mcp'], cwd: folder.path, limitMs: LONG_MS });
		expect(done).toMatchObject({ ok: false, error: { code: 'cannot_start', message: expect.stringContaining('ENOENT') } });
	});
});

describe('choice of the claude program', () => {
	it('prefers the configured one, then the one on the PATH, then the bundled one', async () => {
		await using world = await createWorld('exit 0');
		const env = { PATH: world.folder };
		expect(findAgent(known, ['claude', '--x'], env)).toEqual(ok([world.program, '--x']));
		expect(findAgent(known, ['/opt/claude'], env)).toEqual(ok(['/opt/claude']));
		expect(findAgent(known, undefined, env)).toEqual(ok([world.program]));
		expect(findAgent(known, undefined, { PATH: '' })).toEqual(ok([expect.stringMatching(/node_modules.*claude$/)]));
		expect(findAgent(known, ['clawd'], env)).toMatchObject({ ok: false, error: { message: expect.stringContaining('clawd') } });
	});

	it('has no Roost variables in its environment', () => {
		const env = commandEnvironment({ PATH: '/bin', ROOST_AUTH_TOKEN: 't', ROOST_HOME: '/r', A: '1' }, { A: '2' });
		expect(env).toEqual({ PATH: '/bin', A: '2' });
	});

	it('is named without its arguments', () => {
		expect(nameOf('claude', ['mcp', 'add', '--env', 'A=secret', '--', 'x'])).toBe('claude mcp add');
		expect(nameOf('claude', ['mcp', 'list'])).toBe('claude mcp list');
	});
});

/** A shell script in place of claude. */
async function createWorld(script: string) {
	await using stack = new AsyncDisposableStack();
	const folder = stack.use(await createTempDir()).path;
	const program = join(folder, 'claude');
	await writeFile(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
	const env = () => ({ PATH: process.env.PATH, A: 'a' });
	const limit = Promise.withResolvers<void>();
	const timers: Timers = {
		after(ms, run) {
			if (ms !== LIMIT_MS) return realTimers.after(ms, run);
			let isOn = true;
			void limit.promise.then(() => isOn && run());
			return () => {
				isOn = false;
			};
		},
	};
	const deps = { name: 'claude', find: () => ok([program] as const), env, timers };
	const runs = {
		pipes: stack.use(createAgentRuns(deps)),
		terminal: stack.use(createTerminalRuns({ ...deps, toLines: cli.toLines })),
	};
	const owned = stack.move();
	type Call = Partial<Parameters<typeof runs.pipes.run>[0]>;
	return {
		folder,
		program,
		run: (call: Call, kind: keyof typeof runs = 'pipes') =>
			runs[kind].run({ args: ['mcp', 'list'], cwd: folder, limitMs: LONG_MS, ...call }),
		limitIsOver: limit.resolve,
		working: () => runs.pipes.working() + runs.terminal.working(),
		close: () => runs.pipes[Symbol.asyncDispose](),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}
