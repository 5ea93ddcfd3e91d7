import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EVERYDAY_COMMANDS } from '@roost/testkit/corpora/everyday-commands';
import { WORKTREE_ESCAPES } from '@roost/testkit/corpora/worktree-escapes';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';
import type { HooksDef } from '../base/types.ts';
import { judgeCall } from './judge-call.ts';

async function makeWorld(capability: string) {
	await using stack = new AsyncDisposableStack();
	const temp = stack.use(await createTempDir());
	const worktreePath = join(temp.path, 'tree');
	for (const name of ['tree/packages/x/dist', 'tree/src', 'tree/.git/hooks', 'other', 'state'])
		await mkdir(join(temp.path, name), { recursive: true });
	await writeFile(join(worktreePath, 'a.log'), '');
	await symlink(join(temp.path, 'other'), join(worktreePath, 'out'));
	const def: HooksDef = {
		agentName: 'bee',
		capability,
		worktreePath,
		stateDir: join(temp.path, 'state'),
		qualityGates: [{ name: 'check', command: 'npm run check' }],
	};
	const judge = async (tool: string, input: Record<string, unknown>, cwd = worktreePath) =>
		await judgeCall(def, { tool, input, cwd });
	const shell = async (command: string, cwd = worktreePath) => (await judge('Bash', { command }, cwd)).allowed;
	const owned = stack.move();
	return { worktreePath, judge, shell, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

const READERS = ['scout', 'reviewer', 'lead', 'coordinator', 'monitor', 'somebody'];

describe('read-only agent', () => {
	it.each(READERS)('may read and run quality gates as %s, but nothing else', async (capability) => {
		await using world = await makeWorld(capability);
		expect(await world.judge('Read', { file_path: '/etc/hosts' })).toEqual({ allowed: true });
		expect(await world.shell('git log --oneline | head')).toBe(true);
		expect(await world.shell('npm run check')).toBe(true);
		for (const tool of ['Write', 'Edit', 'MultiEdit', 'NotebookEdit'])
			expect(await world.judge(tool, { file_path: join(world.worktreePath, 'x') })).toMatchObject({ allowed: false });
		for (const tool of ['mcp__files__read', 'Skill', 'SlashCommand', 'Anything', 'write', 'bash'])
			expect(await world.judge(tool, {})).toMatchObject({ allowed: false });
		expect(await world.shell('rm a.log')).toBe(false);
	});
});

describe('writing agent', () => {
	it('changes files only in its worktree, through any tool', async () => {
		await using world = await makeWorld('builder');
		const write = async (path: string, cwd?: string) => (await world.judge('Write', { file_path: path }, cwd)).allowed;
		for (const path of [join(world.worktreePath, 'x.ts'), 'x.ts', 'new/deep/x.ts', './src/../x.ts'])
			expect(await write(path), path).toBe(true);
		for (const path of ['/etc/x', '../x', '~/x', 'out/x', '.git/config', '.GIT/hooks/x', 'src/../.git/x', '', 'src/../../x'])
			expect(await write(path), path).toBe(false);
		expect(await write('../x', join(world.worktreePath, 'src'))).toBe(true);
		expect(await write('x', join(world.worktreePath, '..'))).toBe(false);
		expect(await world.judge('NotebookEdit', { notebook_path: '/etc/x' })).toMatchObject({ allowed: false });
		expect(await world.judge('Edit', {})).toMatchObject({ allowed: false });
		expect(await world.judge('Edit', { file_path: 7 })).toMatchObject({ allowed: false });
		expect(await world.judge('mcp__tracker__close', {})).toEqual({ allowed: true });
	});

	it('cannot run commands or reach outside its worktree through an unknown tool', async () => {
		await using world = await makeWorld('builder');
		for (const input of [
			{ path: '/etc/x' },
			{ filePath: '../x' },
			{ targets: 1, output: '/etc/x' },
			{ files: ['a', '/etc/x'] },
			{ command: 'ls' },
			{ argv: ['git', 'push'] },
			{ session: 1, chars: 'git push' },
			{ shellCommand: 'ls' },
			{ code: 'x' },
		])
			expect(await world.judge('SomethingNew', input), JSON.stringify(input)).toMatchObject({ allowed: false });
		for (const input of [{}, { skill: 'verify' }, { filePath: 'src/x', line: 3 }, { maxFiles: 3, query: 'x' }])
			expect(await world.judge('SomethingNew', input), JSON.stringify(input)).toEqual({ allowed: true });
		expect(await world.judge('mcp__box__exec', { command: 'git push' })).toMatchObject({ allowed: false });
		expect(await world.judge('mcp__box__exec', { command: 'npm test' })).toEqual({ allowed: true });
	});

	it('may run everyday commands', { timeout: 120_000 }, async () => {
		await using world = await makeWorld('builder');
		expect(EVERYDAY_COMMANDS.length).toBeGreaterThan(100);
		for (const line of EVERYDAY_COMMANDS) expect(await world.shell(line), line).toBe(true);
	});

	it('is denied commands that reach outside its worktree', { timeout: 120_000 }, async () => {
		await using world = await makeWorld('merger');
		for (const line of WORKTREE_ESCAPES) expect(await world.shell(line), line).toBe(false);
	});

	it('is judged relative to its current folder', async () => {
		await using world = await makeWorld('builder');
		const inside = join(world.worktreePath, 'packages/x');
		expect(await world.shell('rm -rf ../../src', inside)).toBe(true);
		expect(await world.shell('rm -rf ../../../other', inside)).toBe(false);
		expect(await world.shell('npm test', join(world.worktreePath, '..'))).toBe(false);
	});

	it('has globs expanded so that no matching symlink leads outside', async () => {
		await using world = await makeWorld('builder');
		expect(await world.shell('rm -f *.log')).toBe(true);
		expect(await world.shell('rm -rf packages/*/dist')).toBe(true);
		for (const line of ['rm -rf o?t/x', 'rm -rf */x', 'rm -rf [o]ut/x', 'rm -rf .g*', 'rm -rf .*'])
			expect(await world.shell(line), line).toBe(false);
	});

	it('may refer to its worktree by ROOST_WORKTREE_PATH', async () => {
		await using world = await makeWorld('builder');
		expect(await world.shell('rm -rf "$ROOST_WORKTREE_PATH/dist"')).toBe(true);
		expect(await world.shell('rm -rf "$ROOST_WORKTREE_PATH/../other"')).toBe(false);
	});

	it('gets a denial that names the folder it may write to', async () => {
		await using world = await makeWorld('builder');
		expect(await world.judge('Bash', { command: 'echo x > /tmp/x' })).toEqual({
			allowed: false,
			reason: `Roost's guard refused this: "/tmp/x" is outside your worktree (as is the folder for temporary files). Use a path inside ${world.worktreePath}.`,
		});
	});
});

describe('every agent', () => {
	it.each(['scout', 'builder'])('may run only complete shell commands that can be judged, as %s', async (capability) => {
		await using world = await makeWorld(capability);
		expect(await world.judge('Monitor', { command: 'git status' })).toEqual({ allowed: true });
		expect(await world.judge('Monitor', { command: 'git push' })).toMatchObject({ allowed: false });
		expect(await world.judge('BashInput', { shell_id: '1', input: 'ls\n' })).toMatchObject({ allowed: false });
		expect(await world.judge('PowerShell', { command: 'ls' })).toMatchObject({ allowed: false });
		expect(await world.judge('BashOutput', { bash_id: '1' })).toEqual({ allowed: true });
	});

	it.each(['scout', 'builder'])('cannot use team, subagent or question tools, as %s', async (capability) => {
		await using world = await makeWorld(capability);
		const tools =
			'Task Agent TeamCreate TeamDelete SendMessage TaskCreate TaskUpdate TaskList TaskGet TaskOutput TaskStop AskUserQuestion EnterPlanMode EnterWorktree Workflow RemoteTrigger';
		for (const tool of tools.split(' ')) expect(await world.judge(tool, {}), tool).toMatchObject({ allowed: false });
	});

	it('is denied calls that cannot be judged', async () => {
		await using world = await makeWorld('builder');
		expect(await world.judge('Bash', {})).toMatchObject({ allowed: false });
		expect(await world.judge('Bash', { command: ['ls'] })).toMatchObject({ allowed: false });
		const def = { agentName: 'bee', capability: 'builder', worktreePath: 'relative', stateDir: '/x' };
		expect(await judgeCall(def, { tool: 'Bash', input: { command: 'ls' }, cwd: '/' })).toMatchObject({ allowed: false });
		const hostile = {
			get command() {
				throw new Error('no');
			},
		};
		expect(await world.judge('Bash', hostile)).toMatchObject({
			allowed: false,
			reason: expect.stringContaining('could not be judged (no)'),
		});
	});
});
