import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { findProject, findProjectOf } from './project.ts';

describe('a project', () => {
	it('is the main worktree, from any directory of any worktree', async () => {
		await using temp = await createTempDir();
		const main = repository(temp.path);
		execFileSync('git', ['-C', main, 'worktree', 'add', '-q', join(temp.path, 'other')]);
		mkdirSync(join(temp.path, 'other', 'deep'));
		expect(await findProject(join(temp.path, 'other', 'deep'))).toEqual({ id: main, path: main });
	});

	it('is the directory itself outside a repository', async () => {
		await using temp = await createTempDir();
		expect((await findProject(temp.path)).path).toBe(realpathSync(temp.path));
	});

	it.each(['', 'relative', '.', '/nowhere/at/all', '/etc/passwd', '/x\0y'])(
		'is not looked for at %j, which is no folder',
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
