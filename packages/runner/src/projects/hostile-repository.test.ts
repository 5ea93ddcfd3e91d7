// Git in untrusted repositories: programs that they configure never run.

import { findProject } from '@roost/home/project';
import { mustBeOpen } from '@roost/machine/foreign-file';
import { runGit } from '@roost/machine/git';
import { createHostileRepository } from '@roost/testkit/rigs/shell/hostile-repository';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';
import { inspectProject } from './inspect-project.ts';

describe('git on a hostile repository', () => {
	it('runs no program that the repository configures', async () => {
		await using temp = await createTempDir();
		const hostile = await createHostileRepository(temp.path);
		await findProject(hostile.path);
		const seen = await inspectProject(hostile.path, runGit, mustBeOpen);
		expect(seen).toMatchObject({ gitBranch: 'main', isDirty: true });
		expect(seen.problem).toBeUndefined();
		expect(await hostile.ran()).toEqual([]);
	});

	it('would run these programs without the protection', async () => {
		await using temp = await createTempDir();
		const hostile = await createHostileRepository(temp.path);
		hostile.runCarelessly('status', '--porcelain');
		expect(await hostile.ran()).toEqual(['clean', 'clean-by-file', 'clean-by-include', 'fsmonitor', 'process']);
	});

	it('contacts no server for missing objects of a partial clone', async () => {
		await using temp = await createTempDir();
		const hostile = await createHostileRepository(temp.path);
		await hostile.loseObject();
		expect((await inspectProject(hostile.path, runGit, mustBeOpen)).problem).toBeDefined();
		expect(await hostile.ran()).toEqual([]);
		hostile.runCarelessly('ls-tree', 'HEAD');
		expect(await hostile.ran()).toEqual(['ssh']);
	});
});
