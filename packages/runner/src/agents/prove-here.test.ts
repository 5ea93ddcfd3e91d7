// Temporary folders for proofs: complete while in use, and removed afterwards, even if a runner was killed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runGit } from '@roost/machine/git';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { clearProofPlaces, openProofPlace } from './prove-here.ts';

describe('folder for a guard test', () => {
	it('is a linked worktree with a commit in a separate repository, and is removed afterwards', async () => {
		await using temp = await createTempDir();
		const folder = join(temp.path, 'proofs');
		{
			await using place = unwrap(await openProofPlace(folder));
			expect(await readFile(join(place.worktree, '.git'), 'utf8')).toContain('gitdir: ');
			expect(unwrap(await runGit(place.worktree, ['log', '--format=%an %s']))).toBe('Roost Start\n');
			expect(await readdir(folder)).toEqual([place.mark]);
		}
		expect(await readdir(folder)).toEqual([]);
	});

	it('reports an error if it cannot be created', async () => {
		await using temp = await createTempDir();
		expect(await openProofPlace('/dev/null/x')).toMatchObject({ ok: false });
		await clearProofPlaces(join(temp.path, 'nowhere'));
	});

	it('is removed with its processes if a killed runner left it, without touching other folders', async () => {
		await using temp = await createTempDir();
		const place = unwrap(await openProofPlace(temp.path));
		await mkdir(join(temp.path, 'mine'));
		const env = { PATH: process.env.PATH ?? '', ROOST_SESSION: place.mark };
		const child = spawn('sleep', ['600'], { env, detached: true, stdio: 'ignore' });
		const ended = once(child, 'exit');
		await once(child, 'spawn');
		await clearProofPlaces(temp.path);
		expect(await ended).toEqual([null, expect.any(String)]);
		expect([existsSync(place.worktree), await readdir(temp.path)]).toEqual([false, ['mine']]);
	});
});
