import { spawnSync } from 'node:child_process';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';
import type { HooksDef } from '../base/types.ts';
import { claudeGuardWire } from '../claude/guard-wire.ts';
import { deployGuard } from '../guards/deploy-guard.ts';
import { readGuardLog } from '../guards/guard-log.ts';

async function deploy(capability: string) {
	await using stack = new AsyncDisposableStack();
	const temp = stack.use(await createTempDir());
	const def: HooksDef = {
		agentName: 'bee',
		capability,
		worktreePath: join(temp.path, 'tree'),
		stateDir: join(temp.path, 'state'),
		qualityGates: [{ name: 'check', command: 'npm run check' }],
	};
	await mkdir(def.worktreePath);
	const guard = deployGuard(def, 'claude');
	const run = (
		input: string,
		argv: readonly string[] = guard.argv,
		env: Record<string, string> = { ROOST_AGENT_NAME: 'bee' },
	) => {
		const [file = '', ...args] = argv;
		const { status, stdout, stderr } = spawnSync(file, args, { input, env, encoding: 'utf8', timeout: 20_000 });
		return { status, stdout, stderr };
	};
	const call = (tool: string, input: object) =>
		JSON.stringify({ hook_event_name: 'PreToolUse', tool_name: tool, tool_input: input, cwd: def.worktreePath });
	const owned = stack.move();
	return { def, guard, run, call, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

describe('guard program', () => {
	it('is silent for allowed calls, denies others in the agent’s format, and logs both', async () => {
		await using world = await deploy('scout');
		expect(world.run(world.call('Bash', { command: 'git status' }))).toEqual({ status: 0, stdout: '', stderr: '' });
		expect(world.run(world.call('Bash', { command: 'npm run check' })).status).toBe(0);
		const refused = world.run(world.call('Bash', { command: 'rm x' }));
		expect(refused.status).toBe(2);
		expect(refused.stdout).toBe(claudeGuardWire.say({ allowed: false, reason: refused.stderr.trim() }).stdout);
		expect(refused.stderr).toContain('"rm" is not on the list');
		expect(await readGuardLog(world.def.stateDir)).toMatchObject([
			{ tool: 'Bash', allowed: true },
			{ tool: 'Bash', allowed: true },
			{ tool: 'Bash', allowed: false, reason: expect.stringContaining('"rm" is not on the list') },
		]);
	});

	it('keeps its files accessible to the user only', async () => {
		await using world = await deploy('scout');
		world.run(world.call('Read', {}));
		for (const path of [world.guard.definitionPath, join(world.def.stateDir, 'guard.log')])
			expect((await stat(path)).mode & 0o777).toBe(0o600);
		expect((await stat(world.def.stateDir)).mode & 0o777).toBe(0o700);
		expect(JSON.parse(await readFile(world.guard.definitionPath, 'utf8'))).toEqual(world.def);
	});

	it('does nothing without an agent name in the environment, but guards an empty name', async () => {
		await using world = await deploy('scout');
		expect(world.run(world.call('Bash', { command: 'rm x' }), world.guard.argv, {})).toEqual({
			status: 0,
			stdout: '',
			stderr: '',
		});
		expect(await readGuardLog(world.def.stateDir)).toEqual([]);
		expect(world.run(world.call('Bash', { command: 'rm x' }), world.guard.argv, { ROOST_AGENT_NAME: '' }).status).toBe(2);
	});

	it('denies input that it cannot parse', async () => {
		await using world = await deploy('builder');
		const payloads = ['', 'null', '{"hook_event_name":"Stop"}', world.call('Bash', { command: 7 })];
		for (const payload of payloads) {
			const message = world.run(payload);
			expect(message.status, payload).toBe(2);
			expect(message.stdout, payload).toContain("Roost's guard");
		}
	});

	it('denies a command that is too complex to be judged before the hook timeout', async () => {
		await using world = await deploy('builder');
		const variables = Array.from({ length: 9_000 }, (_, at) => `v${at}=1`).join(' ');
		const message = world.run(world.call('Bash', { command: `${variables}; ${':&&:;'.repeat(10_000)}` }));
		expect(message.status).toBe(2);
		expect(message.stdout).toContain('too long to be understood');
	});

	it('denies calls without a valid definition, a known agent or a writable log', async () => {
		await using world = await deploy('builder');
		const [node, conditions, entry] = world.guard.program;
		const payload = world.call('Read', {});
		const program = [node, conditions ?? '', entry ?? ''];
		expect(world.run(payload).status).toBe(0);
		expect(world.run(payload, [...program, 'claude', '/nowhere']).status).toBe(2);
		expect(world.run(payload, [...program, 'claude']).status).toBe(2);
		expect(world.run(payload, [...program, 'nobody', world.guard.definitionPath]).status).toBe(2);
		await writeFile(world.guard.definitionPath, JSON.stringify({ ...world.def, qualityGates: [1] }));
		expect(world.run(payload).status).toBe(2);
		await writeFile(world.guard.definitionPath, JSON.stringify({ ...world.def, stateDir: '/nowhere/at/all' }));
		expect(world.run(payload).status).toBe(2);
	});

	it('limits the size of its log', async () => {
		await using world = await deploy('builder');
		await writeFile(join(world.def.stateDir, 'guard.log'), 'x'.repeat(1024 * 1024 + 1), { mode: 0o600 });
		world.run(world.call('Read', {}));
		expect(await readGuardLog(world.def.stateDir)).toMatchObject([{ tool: 'Read', allowed: true }]);
	});
});
