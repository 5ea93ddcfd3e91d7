import { chmod, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';
import { mustBeOpen, statLink, statTarget, unlessHidden } from './foreign-file.ts';

describe('path stat', () => {
	it('returns a symlink itself or its target', async () => {
		await using temp = await createTempDir();
		await symlink(temp.path, join(temp.path, 'link'));
		expect((await statLink(join(temp.path, 'link')))?.isSymbolicLink()).toBe(true);
		expect((await statTarget(join(temp.path, 'link')))?.isDirectory()).toBe(true);
	});

	it('returns null for a missing path, a dangling symlink, and a path below a file', async () => {
		await using temp = await createTempDir();
		await symlink('/not/there', join(temp.path, 'lost'));
		expect(await statLink(join(temp.path, 'gone'))).toBeNull();
		expect(await statTarget(join(temp.path, 'lost'))).toBeNull();
		expect(await statLink(join(import.meta.filename, 'below'))).toBeNull();
	});

	it('distinguishes an unreadable folder from an empty one', async () => {
		await using temp = await createTempDir();
		await mustBeOpen(temp.path);
		await expect(mustBeOpen(join(temp.path, 'gone'))).rejects.toMatchObject({ code: 'ENOENT' });
		await chmod(temp.path, 0o311);
		// Root can list every folder.
		if (process.getuid?.() !== 0) await expect(mustBeOpen(temp.path)).rejects.toMatchObject({ code: 'EACCES' });
		await chmod(temp.path, 0o700);
	});

	it('rethrows unexpected errors', async () => {
		await expect(unlessHidden(Promise.reject(new TypeError('a bug')))).rejects.toThrow('a bug');
	});
});
