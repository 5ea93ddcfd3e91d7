import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createGitRepository } from '@roost/testkit/rigs/shell/git-repository';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { isTracked, isUnignored, runGit } from './git.ts';

describe('running git', () => {
	it('writes nothing into the repository', async () => {
		await using temp = await createTempDir();
		const path = await repository(temp.path);
		await writeFile(join(path, 'README.md'), '# A project\n');
		const index = await readFile(join(path, '.git', 'index'));
		expect(unwrap(await runGit(path, ['status', '--porcelain']))).toBe('');
		expect((await readFile(join(path, '.git', 'index'))).equals(index)).toBe(true);
	});

	it('uses the given directory, regardless of the environment', async () => {
		await using temp = await createTempDir();
		const path = await repository(temp.path);
		process.env.GIT_DIR = '/nowhere';
		try {
			expect(unwrap(await runGit(path, ['rev-parse', '--show-toplevel']))).toBe(`${path}\n`);
		} finally {
			delete process.env.GIT_DIR;
		}
	});

	it('reports the error message of git', async () => {
		await using temp = await createTempDir();
		const refused = unwrapError(await runGit(temp.path, ['status']));
		expect(refused).toMatchObject({ code: 'internal', message: expect.stringMatching(/^fatal: not a git repository/) });
	});

	it('rejects output that is too large', async () => {
		await using temp = await createTempDir();
		const path = await repository(temp.path);
		await appendFile(join(path, '.git', 'config'), `[x]\n${`\ty = ${'z'.repeat(1000)}\n`.repeat(2_000)}`);
		expect(unwrapError(await runGit(path, ['config', '--list']))).toMatchObject({ code: 'too_large' });
	});

	it('fails for an invalid path', async () => {
		expect(unwrapError(await runGit('/x\0y', ['status']))).toMatchObject({ code: 'internal' });
	});

	it('detects whether a file is tracked, and whether git would add it', async () => {
		await using temp = await createTempDir();
		const path = await repository(temp.path);
		await writeFile(join(path, '.gitignore'), 'ignored\n');
		for (const name of ['ignored', 'new']) await writeFile(join(path, name), '');
		const names = ['README.md', 'new', 'ignored'];
		expect(await Promise.all(names.map((name) => isTracked(path, name)))).toEqual([true, false, false]);
		expect(await Promise.all(names.map((name) => isUnignored(path, name)))).toEqual([true, true, false]);
		expect([await isTracked(temp.path, 'x'), await isUnignored(temp.path, 'x')]).toEqual([false, false]);
	});
});

async function repository(parent: string): Promise<string> {
	const path = join(parent, 'project');
	await mkdir(path);
	await createGitRepository(path, { PATH: process.env.PATH ?? '', HOME: parent });
	return path;
}
