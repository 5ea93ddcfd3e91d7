import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';
import { checkGit, checkTmux } from './check-machine.ts';

describe('program checks', () => {
	it('report version and path', async () => {
		await using world = await openPath('git', 'echo git version 9.9; echo more');
		expect(await checkGit(world.env)).toEqual([{ state: 'ok', says: `git version 9.9 at ${join(world.path, 'git')}` }]);
	});

	it('fail for a missing program only if it is needed', async () => {
		await using world = await openPath('other', 'true');
		expect(await checkGit(world.env)).toMatchObject([{ state: 'fail', remedy: expect.stringContaining('Install git') }]);
		expect(await checkTmux(world.env, false)).toMatchObject([{ state: 'ok' }]);
		expect(await checkTmux(world.env, true)).toMatchObject([{ state: 'fail', remedy: expect.stringContaining('pty.useTmux') }]);
	});

	it('fail for a program that is too old only if it is needed', async () => {
		await using old = await openPath('tmux', 'echo tmux 3.1c');
		expect(await checkTmux(old.env, true)).toEqual([
			{
				state: 'fail',
				says: 'tmux 3.1c is too old: Roost needs 3.2 or later',
				remedy: 'Install tmux 3.2 or later, or set pty.useTmux to false.',
			},
		]);
		expect(await checkTmux(old.env, false)).toEqual([
			{ state: 'ok', says: 'tmux 3.1c is there; pty.useTmux would need 3.2 or later' },
		]);
		await using enough = await openPath('tmux', 'echo tmux 3.2');
		expect(await checkTmux(enough.env, true)).toEqual([{ state: 'ok', says: `tmux 3.2 at ${join(enough.path, 'tmux')}` }]);
	});

	it('fail for a program that does not run', async () => {
		await using world = await openPath('git', 'exit 7');
		expect(await checkGit(world.env)).toMatchObject([{ state: 'fail', says: expect.stringContaining('does not run') }]);
	});
});

async function openPath(name: string, script: string) {
	const temp = await createTempDir();
	writeFileSync(join(temp.path, name), `#!/bin/sh\n${script}\n`);
	chmodSync(join(temp.path, name), 0o755);
	return { path: temp.path, env: { PATH: temp.path }, [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose]() };
}
