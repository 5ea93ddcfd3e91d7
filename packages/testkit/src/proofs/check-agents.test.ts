import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CanaryResult } from '@roost/agents/guards/canary';
import { KNOWN_AGENTS } from '@roost/agents/kinds';
import { checkAgents, type RunnersAgents } from '@roost/cli/doctor/check-agents';
import { loadConfig } from '@roost/home/config/load-config';
import { createAgentEnvironments, createAgentPrograms } from '@roost/home/programs/agent-programs';
import { openKeptProofs } from '@roost/home/programs/known-proofs';
import { createGuardProofs } from '@roost/runner/agents/prove-here';
import { describe, expect, it } from 'vitest';
import { createTempDir } from '../rigs/temp-dir.ts';
import { unwrap } from '../rigs/unwrap.ts';

describe('agents check', () => {
	it('reports version and path of a configured agent', async () => {
		await using world = await openWorld('echo "2.5.0 (Claude Code)"', 'my-claude');
		expect(await world.check()).toContainEqual({ state: 'ok', says: `Claude Code 2.5.0 at ${world.program}` });
	});

	it('reports the result of the permission hook test', async () => {
		await using world = await openWorld('echo "2.5.0 (Claude Code)"', 'my-claude');
		await world.prove({ guarded: false, reason: 'the guard was never asked' });
		expect(await world.check()).toContainEqual({
			state: 'warn',
			says: `Claude Code 2.5.0 at ${world.program}; permission hook test failed: the guard was never asked`,
			remedy: expect.stringContaining('roost agents --prove'),
		});
		await world.prove({ guarded: true });
		expect(await world.check()).toContainEqual({
			state: 'ok',
			says: `Claude Code 2.5.0 at ${world.program}; permission hook tested on this machine: blocked a call`,
		});
	});

	it('reports a failed permission hook test of an agent that is not configured', async () => {
		await using world = await openWorld('echo "2.5.0 (Claude Code)"', undefined, 'claude');
		await world.prove({ guarded: false, reason: 'the guard was never asked' });
		const says = `Claude Code 2.5.0 at ${world.program}; permission hook test failed: the guard was never asked`;
		expect(await world.check()).toContainEqual(expect.objectContaining({ state: 'warn', says }));
	});

	it.each([
		['gone', 'true', 'agents.claude.command names gone'],
		['my-claude', 'echo "something else"', 'is not Claude Code'],
		['my-claude', 'echo "1.0.0 (Claude Code)"', 'is too old'],
		['my-claude', 'exit 3', 'exit code 3'],
	])('fails when the configured command %s cannot be used: %s', async (command, script, words) => {
		await using world = await openWorld(script, command);
		expect(await world.check()).toContainEqual({
			state: 'fail',
			says: expect.stringContaining(words),
			remedy: expect.stringContaining('config.yaml'),
		});
	});

	it('warns when the runner finds another program than this terminal', async () => {
		await using world = await openWorld('echo "2.5.0 (Claude Code)"', undefined, 'claude');
		const program = { path: '/opt/claude', version: '2.5.0', problem: null };
		const warned = (await world.check(async () => [{ id: 'claude', program }])).filter(({ state }) => state === 'warn');
		expect(warned).toEqual([
			{
				state: 'warn',
				says: expect.stringContaining(`Claude Code is ${world.program} in this terminal, but /opt/claude for the runner`),
				remedy: expect.stringContaining('roost down'),
			},
		]);
		const same = await world.check(async () => [{ id: 'claude', program: { ...program, path: world.program } }]);
		expect(same.filter(({ state }) => state === 'warn')).toEqual([]);
	});

	it('warns about an incompatible bubblewrap on the machine', async () => {
		await using world = await openWorld('echo "codex-cli 0.166.0"', undefined, 'codex');
		const warned = async () => (await world.check()).filter(({ state }) => state === 'warn');
		expect(await warned()).toEqual([]);
		await world.put('bwrap', 'echo bubblewrap 0.8.0');
		expect(await warned()).toEqual([
			{
				state: 'warn',
				says: expect.stringContaining('bwrap is bubblewrap 0.8.0, with which every sandboxed command of Codex fails'),
				remedy: 'Install a newer bubblewrap, or remove this one: Codex brings its own.',
			},
		]);
	});

	it('passes for missing agents that are not configured', async () => {
		await using world = await openWorld('true', undefined);
		for (const { state } of await world.check()) expect(state).toBe('ok');
	});
});

async function openWorld(script: string, command: string | undefined, name = 'my-claude') {
	const temp = await createTempDir();
	const bin = join(temp.path, 'bin');
	await mkdir(bin);
	const put = async (name: string, script: string) => {
		await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`);
		await chmod(join(bin, name), 0o755);
	};
	const program = join(bin, name);
	await put(name, script);
	const agents = command === undefined ? {} : { claude: { command } };
	await writeFile(join(temp.path, 'config.yaml'), JSON.stringify({ agents }), { mode: 0o600 });
	const env = { PATH: bin, HOME: temp.path, ROOST_HOME: temp.path };
	return {
		program,
		put,
		check: (runners: RunnersAgents = async () => null) =>
			checkAgents(env, unwrap(loadConfig({ env })), { data: temp.path }, runners),
		/** As a runner of this home would find it. */
		async prove(outcome: CanaryResult) {
			const config = unwrap(loadConfig({ env }));
			await using programs = createAgentPrograms({ env, agents: config.agents });
			const environments = createAgentEnvironments(env, config.agents);
			const kept = openKeptProofs(join(temp.path, 'guard-proofs.json'));
			const proveOnce = async () => outcome;
			const deps = { programs, environments, kept, proveOnce, now: Date.now, warn: expect.fail };
			await using proofs = createGuardProofs(deps);
			for (const agent of KNOWN_AGENTS.filter(({ id }) => id === 'claude')) unwrap(await proofs.prove(agent));
		},
		[Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
	};
}
