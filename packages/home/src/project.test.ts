import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { findProject, findProjectOf } from './project.ts';

describe('project', () => {
	it('is the main worktree, from any directory of any worktree', async () => {
		await using temp = await createTempDir();
		const main = repository(temp.path);
		execFileSync('git', ['-C', main, 'worktree', 'add', '-q', join(temp.path, 'other')]);
		mkdirSync(join(temp.path, 'other', 'deep'));
		expect(await findProject(join(temp.path, 'other', 'deep'))).toEqual({ path: main });
	});

	it('is the submodule itself, not a folder inside .git', async () => {
		await using temp = await createTempDir();
		const main = repository(temp.path);
		const inner = join(temp.path, 'inner');
		execFileSync('git', ['clone', '-q', main, inner]);
		const add = ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'sub'];
		execFileSync('git', ['-C', main, ...add]);
		mkdirSync(join(main, 'sub', 'deep'));
		expect((await findProject(join(main, 'sub', 'deep'))).path).toBe(join(main, 'sub'));
	});

	it('is the bare repository that worktrees belong to', async () => {
		await using temp = await createTempDir();
		const bare = join(temp.path, 'app.git');
		execFileSync('git', ['clone', '-q', '--bare', repository(temp.path), bare]);
		execFileSync('git', ['-C', bare, 'worktree', 'add', '-q', join(temp.path, 'tree')]);
		expect((await findProject(join(temp.path, 'tree'))).path).toBe(bare);
		expect((await findProject(bare)).path).toBe(bare);
	});

	it.each(['a .git file', 'a common directory', 'a link'])(
		'is not a repository that a directory falsely claims to be a worktree of, with %s',
		async (claim) => {
			await using temp = await createTempDir();
			const trusted = repository(temp.path);
			execFileSync('git', ['-C', trusted, 'worktree', 'add', '-q', join(temp.path, 'other')]);
			const claiming = join(temp.path, 'claiming');
			mkdirSync(claiming);
			const dot = join(claiming, '.git');
			if (claim === 'a .git file') writeFileSync(dot, `gitdir: ${trusted}/.git/worktrees/other\n`);
			if (claim === 'a link') symlinkSync(join(trusted, '.git'), dot);
			if (claim === 'a common directory') {
				mkdirSync(dot);
				writeFileSync(join(dot, 'HEAD'), 'ref: refs/heads/main\n');
				writeFileSync(join(dot, 'commondir'), join(trusted, '.git'));
				writeFileSync(join(dot, 'gitdir'), dot);
			}
			expect((await findProject(claiming)).path).toBe(claiming);
		},
	);

	it('is the directory itself outside a repository', async () => {
		await using temp = await createTempDir();
		expect((await findProject(temp.path)).path).toBe(realpathSync(temp.path));
	});

	it.each(['', 'relative', '.', '/nowhere/at/all', '/etc/passwd', '/x\0y'])(
		'is rejected for %j, which is not a folder',
		async (path) => {
			expect(unwrapError(await findProjectOf(path))).toMatchObject({ code: 'bad_request' });
		},
	);

	it('runs nothing that the repository configures', async () => {
		await using temp = await createTempDir();
		const main = repository(temp.path);
		const canary = join(temp.path, 'canary');
		writeFileSync(join(temp.path, 'evil.sh'), `#!/bin/sh\ntouch ${canary}\n`, { mode: 0o755 });
		execFileSync('git', ['-C', main, 'config', 'core.fsmonitor', join(temp.path, 'evil.sh')]);
		execFileSync('git', ['-C', main, 'config', 'core.hooksPath', temp.path]);
		await findProject(main);
		expect(existsSync(canary)).toBe(false);
	});
});

function repository(parent: string): string {
	const path = join(realpathSync(parent), 'main');
	const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];
	execFileSync('git', ['init', '-q', path]);
	execFileSync('git', ['-C', path, ...identity, 'commit', '-q', '--allow-empty', '-m', 'first']);
	return path;
}
