import { chmodSync, mkdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';
import { ensureHome, resolveHome } from './home.ts';

describe('Roost home', () => {
	it('is completely below ROOST_HOME if that is set', () => {
		expect(resolveHome({ ROOST_HOME: '/h', XDG_DATA_HOME: '/x', XDG_RUNTIME_DIR: '/r' })).toMatchObject({
			value: { data: '/h', run: '/h/run', database: '/h/roost.db' },
		});
	});

	it('is in the XDG directories otherwise', () => {
		expect(resolveHome({ XDG_DATA_HOME: '/x', XDG_RUNTIME_DIR: '/r' })).toMatchObject({
			value: { data: '/x/roost', run: '/r/roost' },
		});
		expect(resolveHome({ XDG_DATA_HOME: '/x' })).toMatchObject({ value: { run: '/x/roost/run' } });
	});

	it('must be an absolute path', () => {
		expect(resolveHome({ ROOST_HOME: 'here' })).toMatchObject({ ok: false, error: { code: 'usage' } });
	});

	it('is private to its owner, regardless of the umask', async () => {
		await using temp = await createTempDir();
		const home = homeAt(join(temp.path, 'h'));
		const before = process.umask(0);
		try {
			expect(ensureHome(home)).toMatchObject({ ok: true });
		} finally {
			process.umask(before);
		}
		expect([statSync(home.data).mode & 0o777, statSync(home.run).mode & 0o777]).toEqual([0o700, 0o700]);
	});

	it.runIf(process.platform === 'linux')('fails at once on a file system where nothing can be created', () => {
		expect(ensureHome(homeAt('/proc/roost/deep'))).toMatchObject({
			ok: false,
			error: {
				code: 'cannot_start',
				message:
					'Cannot create /proc/roost/deep: nothing can be created on that file system. Set ROOST_HOME to a folder that you can write to.',
			},
		});
	});

	it('removes access of others from an existing directory', async () => {
		await using temp = await createTempDir();
		const home = homeAt(join(temp.path, 'h'));
		mkdirSync(home.data);
		chmodSync(home.data, 0o755);
		expect(ensureHome(home)).toMatchObject({ ok: true });
		expect(statSync(home.data).mode & 0o777).toBe(0o700);
	});

	it('rejects a planted symlink', async () => {
		await using temp = await createTempDir();
		mkdirSync(join(temp.path, 'elsewhere'));
		mkdirSync(join(temp.path, 'h'), { mode: 0o700 });
		symlinkSync(join(temp.path, 'elsewhere'), join(temp.path, 'h', 'run'));
		expect(ensureHome(homeAt(join(temp.path, 'h')))).toMatchObject({ ok: false, error: { code: 'unsafe_path' } });
	});

	it('reports an error when it cannot be created', async () => {
		await using temp = await createTempDir();
		expect(ensureHome(homeAt(join(temp.path, 'no\0such')))).toMatchObject({ ok: false, error: { code: 'cannot_start' } });
	});
});

function homeAt(path: string) {
	const home = resolveHome({ ROOST_HOME: path });
	if (!home.ok) throw home.error;
	return home.value;
}
