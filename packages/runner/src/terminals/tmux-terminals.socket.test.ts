import { chmod, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { expect, it } from 'vitest';
import { tmuxSocket } from './tmux-terminals.ts';

it('is in the run directory, and has a bounded length even if the directory path is long', async () => {
	await using temp = await createTempDir();
	expect(unwrap(tmuxSocket(join(temp.path, 'run')))).toContain(join(temp.path, 'run'));
	const long = join(temp.path, 'ü'.repeat(100));
	expect(Buffer.byteLength(unwrap(tmuxSocket(long)))).toBeLessThanOrEqual(103);
});

it('uses the configured path', async () => {
	await using temp = await createTempDir();
	const chosen = join(temp.path, 't.sock');
	expect(unwrap(tmuxSocket('/never/used', chosen))).toBe(chosen);
});

it('rejects a path behind a symlink, in an open or missing directory, or one that is too long', async () => {
	await using temp = await createTempDir();
	await mkdir(join(temp.path, 'open'));
	await chmod(join(temp.path, 'open'), 0o777);
	await symlink(join(temp.path), join(temp.path, 'link'));
	for (const [path, why] of [
		['open/t.sock', 'others can write'],
		['link/t.sock', 'is not in a directory'],
		['none/t.sock', 'does not exist'],
		[`${'x'.repeat(103)}.sock`, 'longer than'],
	] as const)
		expect(unwrapError(tmuxSocket('/never/used', join(temp.path, path)))).toMatchObject({
			code: 'unsafe_path',
			message: expect.stringContaining(why),
		});
});
