// Programs on a machine: the right one, none, an old one, another program, and one that does not answer.
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createAgentEnvironment } from '@roost/agents/base/agent-environment';
import type { Timers } from '@roost/machine/timers';
import { CODER } from '@roost/testkit/rigs/agents/scripted-agents';
import { isRunning } from '@roost/testkit/rigs/live-processes';
import { createManualTimers } from '@roost/testkit/rigs/manual-timers';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { createAgentPrograms } from './agent-programs.ts';

describe('agent program', () => {
	it('is found on the PATH with its version', async () => {
		await using world = await openMachine('echo "coder 2.5.1 (build 7)"');
		expect(await world.inspect()).toEqual({ path: world.program, version: '2.5.1', problem: null });
	});

	it('may print its version to stderr, after a warning', async () => {
		await using world = await openMachine('echo "WARNING: 9.9.9 is out" >&2; echo "coder 2.0.0" >&2');
		expect(await world.inspect()).toMatchObject({ version: '2.0.0', problem: null });
	});

	it('is reported as missing, with how to install it', async () => {
		await using world = await openMachine('true');
		await rm(world.program);
		const { path, problem } = await world.inspect();
		expect(path).toBeNull();
		expect(problem).toEqual({
			kind: 'missing',
			sentence: 'Coder is not on this machine: install it, or name its program as agents.coder.command in config.yaml.',
		});
	});

	it('is the configured one with its arguments, without a fallback', async () => {
		await using world = await openMachine('echo "coder 1.0.0"');
		const other = join(world.home, 'other');
		await writeProgram(other, 'echo "coder 3.0.$#"');
		expect(await world.inspect({ command: [other, 'a', 'b'] })).toMatchObject({ path: other, version: '3.0.3' });
		for (const gone of [join(world.home, 'gone'), 'gone']) {
			const { path, problem } = await world.inspect({ command: [gone] });
			expect([path, problem?.kind]).toEqual([null, 'missing']);
			expect(problem?.sentence).toContain('agents.coder.command');
		}
	});

	it('is not searched in the current folder', async () => {
		await using world = await openMachine('echo "coder 2.5.1"');
		expect(await world.inspect({ path: '.:relative:' })).toMatchObject({ problem: { kind: 'missing' } });
	});

	it.each([
		['1.9.9', 'too-old'],
		['0.10.0', 'too-old'],
		['2.0.0', 'fine'],
		['2.0.0-beta.1', 'fine'],
		['10.0.0', 'fine'],
	])('of version %s is %s', async (version, kind) => {
		await using world = await openMachine(`echo "coder ${version}"`);
		const { problem } = await world.inspect();
		expect(problem?.kind ?? 'fine').toBe(kind);
		if (problem)
			expect(problem?.sentence).toBe(`Coder ${version} is too old: Roost is known to work with 2.0.0 and later, so update it.`);
	});

	it.each([
		['another program', 'echo "git version 2.39.5"', 'garbage', 'output: "git version 2.39.5"'],
		['a program without output', 'true', 'garbage', 'no output'],
		['a program that clears the screen', `printf '\\033[2Jowned'`, 'garbage', 'owned'],
		['a program that crashes', 'echo "cannot find module" >&2; exit 7', 'crashed', 'exit code 7'],
		['a program that kills itself', 'kill -9 $$', 'crashed', 'was killed'],
	])('is rejected if it is %s', async (_, script, kind, words) => {
		await using world = await openMachine(script);
		const { problem, version } = await world.inspect();
		expect([problem?.kind, version]).toEqual([kind, null]);
		expect(problem?.sentence).toContain(words);
		expect(problem?.sentence).not.toMatch(/\p{Cc}/u);
	});

	it('is reported as crashed if it is not executable code', async () => {
		await using world = await openMachine('true');
		await writeFile(world.program, '\x7fELF garbage');
		expect((await world.inspect()).problem?.kind).toBe('crashed');
	});

	it('is killed with its children if it hangs, and checked again the next time', async () => {
		const timers = createManualTimers();
		await using world = await openMachine(
			'[ -e "$HOME/ready" ] && echo "coder 2.0.0" && exit; sleep 600 & echo $! > "$HOME/pid"; mv "$HOME/pid" "$HOME/child"; wait',
			timers,
		);
		const looked = world.inspect();
		const isUp = () => existsSync(join(world.home, 'child')) || undefined;
		await waitFor(isUp, { what: 'the program to be up' });
		timers.advance(60_000);
		expect((await looked).problem).toMatchObject({
			kind: 'hung',
			sentence: expect.stringContaining('did not print its version'),
		});
		const child = Number(await readFile(join(world.home, 'child'), 'utf8'));
		await waitFor(async () => ((await isRunning(child)) ? undefined : true), {
			what: 'its children to exit',
		});
		await writeFile(join(world.home, 'ready'), '');
		expect(await world.inspect()).toMatchObject({ version: '2.0.0' });
	});

	it('gets no input', async () => {
		await using world = await openMachine('cat > /dev/null; echo "coder 2.0.0"');
		expect(await world.inspect()).toMatchObject({ version: '2.0.0' });
	});

	it('is started once per file, also for concurrent calls', async () => {
		await using world = await openMachine('echo x >> "$HOME/asked"; echo "coder 2.0.0"');
		await Promise.all([world.inspect(), world.inspect(), world.inspect()]);
		await world.inspect();
		expect(await readFile(join(world.home, 'asked'), 'utf8')).toBe('x\n');
		await writeProgram(world.program, 'echo "coder 2.1.0"');
		expect(await world.inspect()).toMatchObject({ version: '2.1.0' });
	});

	it('sees no Roost variables, but those configured for it', async () => {
		await using world = await openMachine('[ -z "$ROOST_HOOK_SECRET" ] && echo "coder $CODER_SAYS"');
		expect(await world.inspect({ env: { CODER_SAYS: '4.4.4' } })).toMatchObject({ version: '4.4.4' });
	});
});

async function openMachine(script: string, timers?: Timers) {
	await using stack = new AsyncDisposableStack();
	const temp = stack.use(await createTempDir());
	const bin = join(temp.path, 'bin');
	await mkdir(bin);
	const opened = stack.use(new AsyncDisposableStack());
	const program = join(bin, 'coder');
	await writeProgram(program, script);
	const usual = { PATH: `${bin}:/usr/bin:/bin`, HOME: temp.path, ROOST_HOOK_SECRET: 'x' };
	const open = (config: { command?: string[]; env?: Record<string, string>; path?: string } = {}) => {
		const env = { ...usual, ...(config.path === undefined ? {} : { PATH: config.path }) };
		const agents = { coder: { command: config.command, env: config.env ?? {} } };
		const toEnvironment = createAgentEnvironment({ inherited: [], withheld: [] });
		const environments = () => toEnvironment({ processEnv: env, configured: agents.coder.env });
		return opened.use(createAgentPrograms({ env, agents, environments, ...(timers ? { timers } : {}) }));
	};
	const programs = open();
	const owned = stack.move();
	return {
		home: temp.path,
		program,
		inspect: (config?: Parameters<typeof open>[0]) => (config ? open(config) : programs).inspect(CODER),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

async function writeProgram(path: string, script: string): Promise<void> {
	await writeFile(path, `#!/bin/sh\n${script}\n`);
	await chmod(path, 0o755);
}
