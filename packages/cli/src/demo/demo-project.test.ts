import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runGit } from '@roost/machine/git';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { applyCall, makeDemoProject } from './demo-project.ts';
import { FIX } from './stories/health-check.ts';

describe('project of the demo', () => {
	it('is a repository with one commit, in which edits and new files are changes', async () => {
		await using temp = await createTempDir();
		const { path } = temp;
		await makeDemoProject(path, { PATH: process.env.PATH, HOME: path });
		expect(unwrap(await runGit(path, ['status', '--porcelain']))).toBe('');
		applyCall(path, FIX.input);
		applyCall(path, { file_path: 'docs/api/login.md', content: '# login\n' });
		expect(unwrap(await runGit(path, ['status', '--porcelain']))).toBe(' M src/health.ts\n?? docs/\n');
		expect(readFileSync(join(path, 'src/health.ts'), 'utf8')).toContain('unavailable');
	});

	it('has its files without git', async () => {
		await using temp = await createTempDir();
		await makeDemoProject(temp.path, { PATH: '/nowhere', HOME: temp.path });
		expect(existsSync(join(temp.path, 'src/health.ts'))).toBe(true);
	});

	it('is not left by an edited path', async () => {
		await using temp = await createTempDir();
		const folder = join(temp.path, 'demo');
		applyCall(folder, { file_path: '../outside', content: 'x' });
		applyCall(folder, { file_path: join(temp.path, 'outside'), content: 'x' });
		expect(existsSync(join(temp.path, 'outside'))).toBe(false);
	});
});
