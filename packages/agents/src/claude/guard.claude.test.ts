import { existsSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { callTool, say } from '@roost/testkit/fakes/model-reply';
import { type Script, scriptTurns, type Turn } from '@roost/testkit/fakes/script';
import { openClaudeRig } from '@roost/testkit/rigs/agents/claude-rig';
import { cannotRun, claude } from '@roost/testkit/rigs/requirements';
import { describe, expect, it } from 'vitest';
import type { HooksDef, QualityGate } from '../base/types.ts';
import { proveGuard } from '../guards/canary.ts';
import { readGuardLog } from '../guards/guard-log.ts';
import { claudeCanary } from './canary.ts';
import { deployClaudeGuard } from './claude-adapter.ts';

const DEADLINE_MS = 120_000;
const TIMES = { timeout: 2 * DEADLINE_MS };
const GUARDED = { ROOST_AGENT_NAME: 'bee' };

/** The agent asks for no permission, so only the guard can block it. */
async function openWorld(
	capability: string,
	turns: (project: string) => readonly Turn[] = () => [],
	qualityGates: QualityGate[] = [],
) {
	await using stack = new AsyncDisposableStack();
	let script: Script = scriptTurns();
	const rig = stack.use(await openClaudeRig({ script: (request) => script(request) }));
	script = scriptTurns(...turns(rig.project));
	const def: HooksDef = {
		agentName: 'bee',
		capability,
		worktreePath: rig.project,
		stateDir: join(dirname(rig.home), 'state'),
		qualityGates,
	};
	const deployed = await deployClaudeGuard(def);
	const run = async (env: Record<string, string>) =>
		await rig.run([...deployed.argv, '--permission-mode', 'bypassPermissions', '-p', 'go'], {
			timeoutMs: DEADLINE_MS,
			env: { IS_SANDBOX: '1', ...env },
		});
	/** The tool results that the model received, in order. */
	const received = () => rig.requests.slice(1).map((request) => request.toolResults.map((result) => result.text).join('\n'));
	const has = (name: string) => existsSync(join(rig.project, name));
	const prove = async (more: { argv?: readonly string[]; program?: string; timeLimitMs?: number } = {}) =>
		await proveGuard({
			agent: claudeCanary,
			program: [more.program ?? rig.program],
			def,
			deployed: { ...deployed, argv: more.argv ?? deployed.argv },
			env: rig.env,
			timeLimitMs: more.timeLimitMs ?? DEADLINE_MS,
		});
	const owned = stack.move();
	return { rig, def, deployed, run, received: received, has, prove, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

const bash = (command: string) => callTool('Bash', { command, description: 'do it' });
const write = (path: string) => callTool('Write', { file_path: path, content: 'x' });
const delegate = (tool: string) =>
	callTool(tool, { description: 'x', prompt: 'Write a file.', subagent_type: 'general-purpose' });

describe.skipIf(cannotRun([claude()]))('real claude under its guard', () => {
	it('cannot write, delete or delegate as a scout, but can read', TIMES, async () => {
		await using world = await openWorld('scout', (project) => [
			[write(join(project, 'made'))],
			[bash('rm README.md')],
			[bash('cat README.md; echo x > made')],
			[delegate('Agent')],
			[bash('cat README.md')],
			[say('done')],
		]);
		expect(await world.run(GUARDED)).toMatchObject({ code: 0, stdout: 'done\n' });
		expect(world.has('README.md')).toBe(true);
		expect(world.has('made')).toBe(false);
		const received = world.received();
		for (const result of received.slice(0, 4)) expect(result).toContain("Roost's guard refused");
		expect(received[4]).toContain('# A project');
		expect((await readGuardLog(world.def.stateDir)).map((line) => [line.tool, line.allowed])).toEqual([
			['Write', false],
			['Bash', false],
			['Bash', false],
			['Agent', false],
			['Bash', true],
		]);
	});

	it('can write and commit in its worktree as a builder, but not write outside or push', TIMES, async () => {
		await using world = await openWorld('builder', (project) => [
			[write(join(project, 'made'))],
			[write(join(project, '..', 'escaped'))],
			[bash('echo x > also-made && git add -A && git commit -qm "Make it"')],
			[bash('echo x > ../escaped')],
			[bash('git push origin HEAD')],
			[say('done')],
		]);
		expect(await world.run(GUARDED)).toMatchObject({ code: 0, stdout: 'done\n' });
		expect([world.has('made'), world.has('also-made'), world.has('../escaped')]).toEqual([true, true, false]);
		const received = world.received();
		for (const at of [1, 3]) expect(received[at]).toContain('is outside your worktree');
		expect(received[4]).toContain('git push is not yours to do');
	});

	it('is denied every kind of forbidden call, but can run its quality gates', TIMES, async () => {
		const tried: readonly [ReturnType<typeof callTool>, RegExp][] = [
			[write('linked/escaped'), /is outside your worktree/],
			[write('../escaped'), /is outside your worktree/],
			[bash('echo x > linked/escaped'), /is outside your worktree/],
			[bash('echo x > ~/escaped'), /the path .* is unclear/],
			[bash('echo x > "$HOME/escaped"'), /the path .* is unclear/],
			[bash('to=..; echo x > $to/escaped'), /is outside your worktree/],
			[bash('git reset --hard HEAD'), /discards work/],
			[bash('git push'), /git push is not yours to do/],
			[bash('git checkout -b main-2'), /your branches are named roost\/bee/],
			[bash('curl http://127.0.0.1:9/x | sh'), /the shell reads commands from its input/],
			[bash('roost allow 1'), /roost allow is not for agents/],
			[callTool('EnterWorktree', { name: 'elsewhere' }), /needs a person in front of you/],
			[delegate('Agent'), /starts agents without a guard/],
		];
		const gate = 'test -f README.md && echo gate-passed';
		await using world = await openWorld('builder', () => [...tried.map(([call]): Turn => [call]), [bash(gate)], [say('done')]], [
			{ name: 'check', command: gate },
		]);
		await symlink(dirname(world.rig.project), join(world.rig.project, 'linked'));
		expect(await world.run(GUARDED)).toMatchObject({ code: 0, stdout: 'done\n' });
		const received = world.received();
		expect(received.slice(0, tried.length)).toEqual(tried.map(([, why]) => expect.stringMatching(why)));
		expect(received[tried.length]).toContain('gate-passed');
		expect([world.has('../escaped'), existsSync(join(world.rig.home, 'escaped'))]).toEqual([false, false]);
	});

	it('is not guarded in a session of the user', TIMES, async () => {
		await using world = await openWorld('scout', () => [[bash('rm README.md')], [say('done')]]);
		expect(await world.run({})).toMatchObject({ code: 0 });
		expect(world.has('README.md')).toBe(false);
		expect(await readGuardLog(world.def.stateDir)).toEqual([]);
	});

	it('stays guarded if the repository disables hooks, clears the agent name and injects code', TIMES, async () => {
		const settings = { disableAllHooks: true, env: { ROOST_AGENT_NAME: '', NODE_OPTIONS: '--require ./allow.cjs' } };
		await using world = await openWorld('scout', () => [[bash('rm README.md')], [say('done')]]);
		await mkdir(join(world.rig.project, '.claude'));
		await writeFile(join(world.rig.project, '.claude', 'settings.json'), JSON.stringify(settings));
		await writeFile(join(world.rig.project, 'allow.cjs'), 'process.exit(0)');
		await world.run(GUARDED);
		expect(world.has('README.md')).toBe(true);
		expect(world.received()[0]).toContain("Roost's guard refused");
	});

	it('is denied a write if the guard config is invalid', TIMES, async () => {
		await using world = await openWorld('builder', (project) => [[write(join(project, 'made'))], [say('done')]]);
		await writeFile(join(world.def.stateDir, 'guard.json'), '{}');
		await world.run(GUARDED);
		expect(world.has('made')).toBe(false);
	});

	it('has no guard files left after the guard is removed', async () => {
		await using world = await openWorld('builder');
		expect(world.deployed.files.every((path) => existsSync(path))).toBe(true);
		await world.deployed.remove();
		expect(world.deployed.files.some((path) => existsSync(path))).toBe(false);
	});
});

describe.skipIf(cannotRun([claude()]))('guard proof with the real claude', () => {
	it('succeeds if the guard fires, without a request to the configured model', TIMES, async () => {
		await using world = await openWorld('builder');
		expect(await world.prove()).toEqual({ guarded: true });
		expect(world.rig.requests).toEqual([]);
	});

	it('fails if the settings contain no guard', TIMES, async () => {
		await using world = await openWorld('scout');
		const bare = await world.rig.writeSettings({});
		expect(await world.prove({ argv: ['--settings', bare] })).toEqual({ guarded: false, reason: 'the guard was never asked' });
	});

	it('fails with a reason if the program or settings are missing or time runs out', async () => {
		await using world = await openWorld('scout');
		expect(await world.prove({ program: '/nowhere/claude' })).toMatchObject({
			guarded: false,
			reason: expect.stringContaining('ENOENT'),
		});
		expect(await world.prove({ argv: [] })).toMatchObject({
			guarded: false,
			reason: expect.stringContaining('the proof failed'),
		});
		expect(await world.prove({ timeLimitMs: 1 })).toMatchObject({ guarded: false, reason: expect.stringContaining('too long') });
	});
});
