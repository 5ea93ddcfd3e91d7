// The real copilot under its guard, and the proof that it fires.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { callTool, say } from '@roost/testkit/fakes/model-reply';
import { type Script, scriptTurns, type Turn } from '@roost/testkit/fakes/script';
import { agentProgram } from '@roost/testkit/rigs/agents/agent-programs';
import { openCopilotRig, copilotWords as words } from '@roost/testkit/rigs/agents/copilot-rig';
import { startProgram } from '@roost/testkit/rigs/program';
import { putFiles } from '@roost/testkit/rigs/put-files';
import { cannotRun } from '@roost/testkit/rigs/requirements';
import { describe, expect, it } from 'vitest';
import type { HooksDef } from '../base/types.ts';
import { proveGuard } from '../guards/canary.ts';
import { readGuardLog } from '../guards/guard-log.ts';
import { createCopilotAdapter } from './copilot-adapter.ts';
import { copilotCanary } from './copilot-kind.ts';

const DEADLINE_MS = 120_000;
const TIMES = { timeout: 2 * DEADLINE_MS };
const copilot = createCopilotAdapter();

async function openWorld(capability: string, turns: readonly Turn[] = []) {
	await using stack = new AsyncDisposableStack();
	const script: Script = scriptTurns(...turns);
	const home = stack.use(await openCopilotRig({ script }));
	const def: HooksDef = { agentName: 'bee', capability, worktreePath: home.project, stateDir: join(dirname(home.home), 'state') };
	const deployed = await copilot.deployConfig(home.project, { content: 'Always be kind to BEES.' }, def);
	/** The agent asks for no permission, so only the guard can block it. */
	const run = async (env: Readonly<Record<string, string>> = deployed.env) => {
		const argv = [home.program, ...deployed.argv, '--allow-all-tools', '--silent', '--prompt=go'] as const;
		await using program = await startProgram(argv, { cwd: home.project, env: { ...home.env, ...env } });
		return await program.waitForExit(DEADLINE_MS);
	};
	const received = () => home.requests.slice(1).map((request) => request.toolResults.map(({ text }) => text).join('\n'));
	const has = (name: string) => existsSync(join(home.project, name));
	const prove = async (argv = deployed.argv) =>
		await proveGuard({
			agent: copilotCanary,
			program: [home.program],
			def,
			deployed: { ...deployed, argv },
			env: { ...home.env, ...deployed.env },
			timeLimitMs: DEADLINE_MS,
		});
	const owned = stack.move();
	return { home, def, deployed, run, received: received, has, prove, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

describe.skipIf(cannotRun([agentProgram('copilot')]))('real Copilot under its guard', () => {
	it('as a scout, can read but not write, delete or delegate', TIMES, async () => {
		const task = { name: 'x', description: 'x', prompt: 'Write a file.', agent_type: 'general-purpose' };
		await using world = await openWorld('scout', [
			[words.write('made', 'x')],
			[words.shell('rm README.md')],
			[words.shell('cat README.md; echo x > made')],
			[callTool('task', task)],
			[words.shell('cat README.md')],
			[words.read(join('.', 'README.md'))],
			[say('done')],
		]);
		expect(await world.run()).toMatchObject({ code: 0 });
		expect([world.has('README.md'), world.has('made')]).toEqual([true, false]);
		const received = world.received();
		for (const result of received.slice(0, 4)) expect(result).toContain("Roost's guard refused");
		for (const result of received.slice(4, 6)) expect(result).toContain('A project');
		expect((await readGuardLog(world.def.stateDir)).map((line) => [line.tool, line.allowed])).toEqual([
			['Write', false],
			['Bash', false],
			['Bash', false],
			['Agent', false],
			['Bash', true],
			['Read', true],
		]);
	});

	it('as a builder, writes only inside its worktree and receives its instructions', TIMES, async () => {
		await using world = await openWorld('builder', [
			[words.write('made', 'x')],
			[words.write('../escaped', 'x')],
			[words.shell('echo x > also-made && git add -A && git commit -qm "Make it"')],
			[words.shell('git push origin HEAD')],
			[say('done')],
		]);
		expect(await world.run()).toMatchObject({ code: 0 });
		expect([world.has('made'), world.has('also-made'), world.has('../escaped')]).toEqual([true, true, false]);
		expect(world.received()[1]).toContain('is outside your worktree');
		expect(world.received()[3]).toContain('git push is not yours to do');
		expect(JSON.stringify(world.home.requests[0]?.body)).toContain('Always be kind to BEES.');
		await world.deployed.remove();
		expect(world.deployed.files.some((path) => existsSync(path))).toBe(false);
	});

	it('denies git push by its arguments even when the guard is inactive', TIMES, async () => {
		await using world = await openWorld('builder', [
			[words.shell('git push origin HEAD')],
			[words.shell('touch made')],
			[say('done')],
		]);
		expect(await world.run({})).toMatchObject({ code: 0 });
		expect(world.received()[0]).toMatch(/denied|not allowed|permission/i);
		expect(world.has('made')).toBe(true);
		expect(await readGuardLog(world.def.stateDir)).toEqual([]);
	});

	it('passes the canary check only with the guard deployed', TIMES, async () => {
		await using world = await openWorld('builder');
		expect(await world.prove()).toEqual({ guarded: true });
		expect(world.home.requests).toEqual([]);
		expect(await world.prove([])).toEqual({ guarded: false, reason: 'the guard was never asked' });
	});
});

describe('repository that brings programs for Copilot', () => {
	it('is refused for hooks or an unreadable MCP file, and its MCP servers are disabled', async () => {
		await using world = await openWorld('builder');
		const { project } = world.home;
		await putFiles(project, { '.mcp.json': { mcpServers: { 'evil one': { command: 'sh' } } } });
		const { argv, files } = await copilot.deployConfig(project, undefined, world.def);
		expect(argv).toContain('--disable-mcp-server=evil one');
		expect(files.every((path) => !path.startsWith(project))).toBe(true);
		expect(JSON.parse(await readFile(files.find((path) => path.endsWith('hooks.json')) ?? '', 'utf8'))).toMatchObject({
			version: 1,
		});
		await putFiles(project, { '.github/mcp.json': '{ "mcpServers": { // comment' });
		await expect(copilot.deployConfig(project, undefined, world.def)).rejects.toThrow(/fix or remove it/);
		await putFiles(project, { '.github/mcp.json': {}, '.github/hooks/x.json': {} });
		await expect(copilot.deployConfig(project, undefined, world.def)).rejects.toThrow(/brings programs/);
	});
});
