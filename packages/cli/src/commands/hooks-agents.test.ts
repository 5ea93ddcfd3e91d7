// Hooks in the user's settings of agents, with the real programs: they know of Roost only through those settings.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentProgram, agentProgram } from '@roost/testkit/rigs/agents/agent-programs';
import { openPlainAgent, type PlainAgent } from '@roost/testkit/rigs/agents/every-agent';
import { cannotRun } from '@roost/testkit/rigs/requirements';
import { createGitRepository } from '@roost/testkit/rigs/shell/git-repository';
import { describe, expect, it } from 'vitest';

const DEADLINE_MS = 120_000;

const json = async (agent: PlainAgent, ...args: readonly string[]) => JSON.parse((await agent.roost(...args, '--json')).stdout);

async function kinds(agent: PlainAgent, session: string): Promise<string[]> {
	const { stdout } = await agent.roost('feed', session, '--json', '--verbose');
	return stdout
		.trimEnd()
		.split('\n')
		.map((line) => JSON.parse(line).event.kind);
}

/** Every file that Roost may touch, by its path. */
async function settings(agent: PlainAgent): Promise<Record<string, string>> {
	const names = (await readdir(agent.configDir, { recursive: true })).filter((name) => SETTINGS.test(name)).sort();
	const texts = names.map(async (name) => [name, await readFile(join(agent.configDir, name), 'utf8').catch(() => 'a folder')]);
	return Object.fromEntries(await Promise.all(texts));
}

const SETTINGS = /^(?:hooks|extensions|config\.toml|settings\.json)/;

const touch = (agent: AgentProgram) => openPlainAgent(agent, ({ shell }) => shell('touch made.txt'));

describe.each(['codex', 'copilot', 'pi'] as const)('roost hooks --agent %s', { timeout: 4 * DEADLINE_MS }, (name) => {
	const flag = ['--agent', name] as const;

	it.skipIf(cannotRun([agentProgram(name)]))(
		'records every session of the project until uninstalled, and restores the settings',
		async () => {
			await using agent = await touch(name);
			await agent.roost('up', '--detach');
			// Agents write into their settings when they first start in a folder.
			await agent.prompt('unseen');
			await rm(join(agent.project, 'made.txt'));
			const before = await settings(agent);
			expect(await agent.roost('hooks', 'install', ...flag, '--yes')).toMatchObject({
				code: 0,
				stderr: '',
				stdout: expect.stringMatching(/^Adds .* and changes nothing else\.\n(.|\n)*nothing is asked, decided or blocked/),
			});
			const installed = await settings(agent);
			expect(await json(agent, 'hooks', 'install', ...flag)).toMatchObject({ changed: false });
			expect(await settings(agent)).toEqual(installed);
			expect(await agent.roost('hooks', 'status')).toMatchObject({
				code: 0,
				stdout: expect.stringContaining(`Installed: every ${name} started in`),
			});
			await agent.roost('rules', 'add', 'deny', 'Bash', '--scope', 'user');

			expect(await agent.prompt('make it')).toMatchObject({ code: 0, stdout: expect.stringContaining('done') });
			expect(existsSync(join(agent.project, 'made.txt'))).toBe(true);
			const [session, ...more] = await json(agent, 'sessions');
			expect(more).toEqual([]);
			expect(session).toMatchObject({ agent: name, status: 'ended', projectPath: agent.project, title: 'make it' });
			const reported = await kinds(agent, session.id);
			expect(reported).toEqual(expect.arrayContaining(['session.start', 'user.prompt', 'tool.pre', 'tool.post', 'session.end']));
			expect(reported.filter((kind) => kind.startsWith('permission.') || /^(?:runtime\.error|unknown)/.test(kind))).toEqual([]);
			expect(await json(agent, 'asks', '--all')).toEqual([]);

			expect(await agent.roost('hooks', 'uninstall', ...flag)).toMatchObject({
				code: 0,
				stdout: expect.stringContaining('Uninstalled'),
			});
			expect(await settings(agent)).toEqual(before);
			expect((await agent.prompt('again')).code).toBe(0);
			expect(await json(agent, 'sessions')).toHaveLength(1);
		},
	);

	it.skipIf(cannotRun([agentProgram(name)]))(
		'reports from a worktree of the project, starts the runner for it, and ignores other projects',
		async () => {
			await using agent = await touch(name);
			await agent.roost('hooks', 'install', ...flag, '--yes');
			const elsewhere = join(agent.home, 'elsewhere');
			await mkdir(elsewhere);
			await createGitRepository(elsewhere, agent.env);
			expect((await agent.prompt('elsewhere', elsewhere)).code).toBe(0);
			expect(await json(agent, 'status')).toBeNull();
			const worktree = join(agent.home, 'worktree');
			execFileSync('git', ['worktree', 'add', '-q', worktree], { cwd: agent.project, env: agent.env });
			// The first session may end before the runner is up.
			for (const prompt of ['first', 'second']) expect((await agent.prompt(prompt, worktree)).code).toBe(0);
			const titles = (await json(agent, 'sessions')).map(({ title }: { title: string }) => title);
			expect(titles).toContain('second');
			expect(titles).not.toContain('elsewhere');
		},
	);

	it.skipIf(cannotRun([agentProgram(name)]))(
		'serves another project until the last one is uninstalled, and changes nothing without --yes',
		async () => {
			await using agent = await touch(name);
			const before = await settings(agent);
			const shown = await agent.roost('hooks', 'install', ...flag, '--diff');
			expect(shown).toMatchObject({
				code: 2,
				stdout: expect.stringContaining('+++ b'),
				stderr: expect.stringContaining('--yes'),
			});
			expect(await settings(agent)).toEqual(before);
			await agent.roost('hooks', 'install', ...flag, '--yes');
			const installed = await settings(agent);
			const other = join(agent.home, 'other');
			await mkdir(other);
			await createGitRepository(other, agent.env);
			expect(JSON.parse((await agent.roostIn(other, 'hooks', 'install', ...flag, '--json')).stdout)).toMatchObject({
				changed: true,
			});
			expect(await settings(agent)).toEqual(installed);
			expect(await json(agent, 'hooks', 'uninstall', ...flag)).toMatchObject({ changed: true });
			expect(await settings(agent)).toEqual(installed);
			expect(await json(agent, 'hooks', 'status', ...flag)).toMatchObject({ state: 'none' });
			await agent.roostIn(other, 'hooks', 'uninstall', ...flag);
			expect(await settings(agent)).toEqual(before);
		},
	);

	it.skipIf(cannotRun([agentProgram(name)]))('reports nothing twice when Roost itself starts the agent', async () => {
		await using agent = await touch(name);
		await agent.roost('hooks', 'install', ...flag, '--yes');
		await agent.roost('rules', 'add', 'allow', 'Bash', '--scope', 'user');
		expect(await agent.roost(name, ...agent.argv('launched'))).toMatchObject({ code: 0 });
		expect(await agent.roost('run', ...flag, 'driven')).toMatchObject({ code: 0 });
		const sessions = await json(agent, 'sessions');
		expect(sessions.map(({ title }: { title: string }) => title).sort()).toEqual(['driven', 'launched']);
		for (const { id } of sessions) expect((await kinds(agent, id)).filter((kind) => kind === 'user.prompt')).toHaveLength(1);
	});

	it.skipIf(cannotRun([agentProgram(name)]))('does not affect the agent when the forwarder is gone', async () => {
		await using agent = await touch(name);
		await agent.roost('hooks', 'install', ...flag, '--yes');
		for (const [file, text] of Object.entries(await settings(agent)))
			if (text.includes('--roost-managed'))
				await writeFile(
					join(agent.configDir, file),
					text.replaceAll('/forwarder.', '/gone.').replaceAll('-extension.', '-gone.'),
				);
		expect(await agent.roost('hooks', 'status')).toMatchObject({ code: 1 });
		expect(await agent.prompt('go')).toMatchObject({ code: 0, stdout: expect.stringContaining('done') });
		expect(existsSync(join(agent.project, 'made.txt'))).toBe(true);
	});
});

describe('roost hooks --agent codex', { timeout: 4 * DEADLINE_MS }, () => {
	const OWN = '{ "hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "true"}]}],\n\t"Stop": [] } }';

	it.skipIf(cannotRun([agentProgram('codex')]))('works next to hooks of the user, which are restored byte for byte', async () => {
		await using agent = await touch('codex');
		await writeFile(join(agent.configDir, 'hooks.json'), OWN);
		await agent.roost('up', '--detach');
		await agent.prompt('unseen');
		const before = await settings(agent);
		expect(await agent.roost('hooks', 'install', '--agent', 'codex', '--yes')).toMatchObject({ code: 0, stderr: '' });
		expect((await agent.prompt('go')).code).toBe(0);
		const [session] = await json(agent, 'sessions');
		expect(await kinds(agent, session.id)).toEqual(expect.arrayContaining(['tool.pre', 'tool.post', 'session.end']));
		await agent.roost('hooks', 'uninstall', '--agent', 'codex');
		expect(await settings(agent)).toEqual(before);
		expect(before['hooks.json']).toBe(OWN);
	});

	it.skipIf(cannotRun([agentProgram('codex')]))('does not change a file that is tracked by git', async () => {
		await using agent = await touch('codex');
		await createGitRepository(agent.configDir, agent.env);
		execFileSync('git', ['add', 'config.toml'], { cwd: agent.configDir, env: agent.env });
		const before = await settings(agent);
		expect(await agent.roost('hooks', 'install', '--agent', 'codex', '--yes')).toMatchObject({
			code: 1,
			stderr: expect.stringContaining('config.toml is tracked by git'),
		});
		expect(await settings(agent)).toEqual(before);
		expect(await json(agent, 'hooks', 'status', '--agent', 'codex')).toMatchObject({ state: 'none' });
	});
});
