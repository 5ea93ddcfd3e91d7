// Git is run on repositories that nobody vouches for: what they configure never runs.
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createGitRepository } from '@roost/testkit/rigs/git-repository';
import { createHostileRepository } from '@roost/testkit/rigs/hostile-repository';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { inspectProject } from './discovery/inspect-project.ts';
import { runGit } from './git.ts';
import { mustBeOpen } from './look.ts';
import { findProject } from './project.ts';

describe('git on a hostile repository', () => {
	it('runs nothing that the repository names, however much it is looked at', async () => {
		await using temp = await createTempDir();
		const hostile = await createHostileRepository(temp.path);
		await findProject(hostile.path);
		const seen = await inspectProject(hostile.path, runGit, mustBeOpen);
		expect(seen).toMatchObject({ gitBranch: 'main', isDirty: true });
		expect(seen.problem).toBeUndefined();
		expect(await hostile.ran()).toEqual([]);
	});

	it('would run them otherwise', async () => {
		await using temp = await createTempDir();
		const hostile = await createHostileRepository(temp.path);
		hostile.runCarelessly('status', '--porcelain');
		expect(await hostile.ran()).toEqual(['clean', 'clean-by-file', 'clean-by-include', 'fsmonitor', 'process']);
	});

	it('calls nobody for objects that a partial clone lacks, although git would', async () => {
		await using temp = await createTempDir();
		const hostile = await createHostileRepository(temp.path);
		await hostile.loseObject();
		expect((await inspectProject(hostile.path, runGit, mustBeOpen)).problem).toBeDefined();
		expect(await hostile.ran()).toEqual([]);
		hostile.runCarelessly('ls-tree', 'HEAD');
		expect(await hostile.ran()).toEqual(['ssh']);
	});

	it('writes nothing into it', async () => {
		await using temp = await createTempDir();
		const path = await repository(temp.path);
		await writeFile(join(path, 'README.md'), '# A project\n');
		const index = await readFile(join(path, '.git', 'index'));
		expect(unwrap(await runGit(path, ['status', '--porcelain']))).toBe('');
		expect((await readFile(join(path, '.git', 'index'))).equals(index)).toBe(true);
	});
});

describe('running git', () => {
	it('goes where it is told, whatever the environment says', async () => {
		await using temp = await createTempDir();
		const path = await repository(temp.path);
		process.env.GIT_DIR = '/nowhere';
		try {
			expect(unwrap(await runGit(path, ['rev-parse', '--show-toplevel']))).toBe(`${path}\n`);
		} finally {
			delete process.env.GIT_DIR;
		}
	});

	it('says in one sentence what git says', async () => {
		await using temp = await createTempDir();
		const refused = unwrapError(await runGit(temp.path, ['status']));
		expect(refused).toMatchObject({ code: 'internal', message: expect.stringMatching(/^fatal: not a git repository/) });
	});

	it('gives up on output beyond all measure', async () => {
		await using temp = await createTempDir();
		const path = await repository(temp.path);
		await appendFile(join(path, '.git', 'config'), `[x]\n${`\ty = ${'z'.repeat(1000)}\n`.repeat(2_000)}`);
		expect(unwrapError(await runGit(path, ['config', '--list']))).toMatchObject({ code: 'too_large' });
	});

	it('does not start where a path is none', async () => {
		expect(unwrapError(await runGit('/x\0y', ['status']))).toMatchObject({ code: 'internal' });
	});
});

async function repository(parent: string): Promise<string> {
	const path = join(parent, 'project');
	await mkdir(path);
	await createGitRepository(path, { PATH: process.env.PATH ?? '', HOME: parent });
	return path;
}
