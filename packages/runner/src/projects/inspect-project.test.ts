import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mustBeOpen } from '@roost/machine/foreign-file';
import { type Git, runGit } from '@roost/machine/git';
import { AppError } from '@roost/protocol/app-error';
import { err } from '@roost/protocol/result';
import { createGitRepository } from '@roost/testkit/rigs/shell/git-repository';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';
import { inspectProject } from './inspect-project.ts';

describe('project', () => {
	it('is described by its branch, its remote without secrets, and whether it has changes', async () => {
		await using world = await createWorld();
		world.git('remote', 'add', 'origin', 'https://dev:s3cret@example.com/acme/app.git');
		expect(await inspectProject(world.path, runGit, mustBeOpen)).toMatchObject({
			name: 'app',
			gitBranch: 'main',
			gitRemote: 'https://example.com/acme/app.git',
			isDirty: false,
			hasClaudeConfig: false,
		});
		await mkdir(join(world.path, '.claude'));
		await writeFile(join(world.path, '.claude', 'settings.json'), '{}');
		world.git('switch', '--quiet', '--create', 'feature/ünï-code');
		expect(await inspectProject(world.path, runGit, mustBeOpen)).toMatchObject({
			gitBranch: 'feature/ünï-code',
			isDirty: true,
			hasClaudeConfig: true,
		});
	});

	it('has changes if a file is new, changed, staged or deleted', async () => {
		await using world = await createWorld();
		const isDirty = async () => (await inspectProject(world.path, runGit, mustBeOpen)).isDirty;
		expect(await isDirty()).toBe(false);
		await writeFile(join(world.path, 'new'), '');
		expect(await isDirty()).toBe(true);
		world.git('add', 'new');
		expect(await isDirty()).toBe(true);
		world.git('commit', '--quiet', '--message', 'New');
		expect(await isDirty()).toBe(false);
		await rm(join(world.path, 'new'));
		expect(await isDirty()).toBe(true);
	});

	it('has no branch while its head is detached, but one before the first commit', async () => {
		await using world = await createWorld();
		world.git('checkout', '--quiet', '--detach');
		expect(await inspectProject(world.path, runGit, mustBeOpen)).not.toHaveProperty('gitBranch');
		const fresh = join(world.path, 'fresh');
		execFileSync('git', ['init', '--quiet', '--initial-branch=first', fresh]);
		expect(await inspectProject(fresh, runGit, mustBeOpen)).toMatchObject({ gitBranch: 'first', isDirty: false });
	});

	it('was last active when its folder changed or at the last commit', async () => {
		await using world = await createWorld();
		await utimes(world.path, 1_000, 1_000);
		const committed = (await inspectProject(world.path, runGit, mustBeOpen)).lastActivity;
		expect(committed).toBeGreaterThan(1_000_000);
		await utimes(world.path, 4_000_000_000, 4_000_000_000);
		expect((await inspectProject(world.path, runGit, mustBeOpen)).lastActivity).toBe(4_000_000_000_000);
	});

	it('may be no repository, and git is not run then', async () => {
		await using temp = await createTempDir();
		const asked: string[] = [];
		const received: Git = async (path, args) => {
			asked.push(path);
			return await runGit(path, args);
		};
		const seen = await inspectProject(temp.path, received, mustBeOpen);
		expect(seen).toMatchObject({ isDirty: false });
		expect(seen).not.toHaveProperty('gitBranch');
		expect(asked).toEqual([]);
	});

	it('reports an error of git', async () => {
		await using world = await createWorld();
		await writeFile(join(world.path, '.git', 'config'), '[broken\n');
		expect(await inspectProject(world.path, runGit, mustBeOpen)).toMatchObject({
			isDirty: false,
			problem: expect.stringMatching(/^fatal: /),
		});
	});

	it('is dirty if there are too many changes to list', async () => {
		await using world = await createWorld();
		const tooMuch: Git = async (path, args) =>
			args[0] === 'status' ? err(new AppError('too_large', 'too much')) : await runGit(path, args);
		expect(await inspectProject(world.path, tooMuch, mustBeOpen)).toMatchObject({ isDirty: true });
	});

	it('does not run git in its submodules, which have their own configuration', async () => {
		await using world = await createWorld();
		const inner = join(world.path, '..', 'inner');
		execFileSync('git', ['clone', '--quiet', world.path, inner]);
		world.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'sub');
		world.git('commit', '--quiet', '--message', 'Sub');
		const canary = join(world.path, '..', 'canary');
		const evil = join(world.path, '..', 'evil');
		await writeFile(evil, `#!/bin/sh\ntouch '${canary}'\n`, { mode: 0o755 });
		execFileSync('git', ['-C', join(world.path, 'sub'), 'config', 'core.fsmonitor', evil]);
		await writeFile(join(world.path, 'sub', 'README.md'), 'changed');
		expect(await inspectProject(world.path, runGit, mustBeOpen)).toMatchObject({ isDirty: false });
		expect(existsSync(canary)).toBe(false);
		world.git('status', '--porcelain');
		expect(existsSync(canary)).toBe(true);
	});

	it('throws if its folder is missing', async () => {
		await using world = await createWorld();
		await rename(world.path, `${world.path}-moved`);
		await expect(inspectProject(world.path, runGit, mustBeOpen)).rejects.toMatchObject({ code: 'ENOENT' });
	});
});

async function createWorld() {
	const temp = await createTempDir();
	const path = join(temp.path, 'app');
	await mkdir(path);
	await createGitRepository(path, { PATH: process.env.PATH ?? '', HOME: temp.path });
	return {
		path,
		git: (...args: readonly string[]) => void execFileSync('git', ['-C', path, ...args], { stdio: 'ignore' }),
		[Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
	};
}
