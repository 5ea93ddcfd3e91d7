import { chmod, lstat, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { ensureProjectSecret, projectSecretPath, readProjectSecret, removeProjectSecret } from './project-secret.ts';

describe('project secret', () => {
	it('is created once, private, and different for every project', async () => {
		await using home = await createTempDir();
		const dir = join(home.path, 'secrets');
		const all = await Promise.all(Array.from({ length: 8 }, () => ensureProjectSecret(dir, '/a')));
		const secrets = new Set(all.map((made) => unwrap(made).secret));
		expect(secrets.size).toBe(1);
		const { path, secret } = unwrap(await ensureProjectSecret(dir, '/a'));
		expect(secrets).toEqual(new Set([secret]));
		expect(secret).toMatch(/^[\w-]{43}$/);
		expect((await lstat(path)).mode & 0o777).toBe(0o600);
		expect((await lstat(dir)).mode & 0o777).toBe(0o700);
		expect(await readdir(dir)).toHaveLength(1);
		expect(unwrap(await ensureProjectSecret(dir, '/b')).secret).not.toBe(secret);
		expect(unwrap(await readProjectSecret(dir, '/a'))).toBe(secret);
	});

	it('is null after removal, and different when created again', async () => {
		await using home = await createTempDir();
		const dir = join(home.path, 'secrets');
		const { secret } = unwrap(await ensureProjectSecret(dir, '/a'));
		await removeProjectSecret(dir, '/a');
		await removeProjectSecret(dir, '/a');
		expect(unwrap(await readProjectSecret(dir, '/a'))).toBe(null);
		expect(unwrap(await ensureProjectSecret(dir, '/a')).secret).not.toBe(secret);
	});

	it('is not read from a symlink, an empty file or a file that others can read', async () => {
		await using home = await createTempDir();
		const path = projectSecretPath(join(home.path, 'secrets'), '/a');
		const made = () => ensureProjectSecret(dirname(path), '/a');
		await mkdir(dirname(path), { mode: 0o700 });
		await writeFile(join(home.path, 'known'), 'known');
		await symlink(join(home.path, 'known'), path);
		expect(unwrapError(await made()).code).toBe('unsafe_path');
		await rm(path);
		await writeFile(path, 'known');
		await chmod(path, 0o644);
		expect(unwrapError(await made()).code).toBe('unsafe_path');
		await rm(path);
		await writeFile(path, '', { mode: 0o600 });
		expect(unwrapError(await made()).code).toBe('corrupt');
	});

	it('is not stored in a directory that others can access', async () => {
		await using home = await createTempDir();
		await mkdir(join(home.path, 'open'));
		await chmod(join(home.path, 'open'), 0o755);
		expect(unwrapError(await ensureProjectSecret(join(home.path, 'open'), '/a')).code).toBe('unsafe_path');
	});
});
