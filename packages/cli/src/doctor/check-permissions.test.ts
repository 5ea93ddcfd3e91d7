import { chmodSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';
import { checkPermissions } from './check-home.ts';

describe('permissions check of the Roost home', () => {
	it('passes when everything is private, and when there is no home yet', async () => {
		await using world = await openHome();
		expect(checkPermissions(world.home)).toMatchObject([{ state: 'ok', says: expect.stringContaining('is private') }]);
		const later = { data: join(world.home.data, 'x'), run: join(world.home.data, 'x', 'run') };
		expect(checkPermissions(later)).toMatchObject([{ state: 'ok', says: expect.stringContaining('is created when needed') }]);
	});

	it.each(['', 'run', 'hooks'])('fails when others can enter the directory %j', async (name) => {
		await using world = await openHome();
		const path = join(world.home.data, name);
		chmodSync(path, 0o750);
		expect(checkPermissions(world.home)).toEqual([
			{ state: 'fail', says: `others can open ${path}`, remedy: `Run "chmod 700 ${path}".` },
		]);
	});

	it.each(['token', 'run/runner.json', 'hooks/x.secret'])('fails when others can read %s', async (name) => {
		await using world = await openHome();
		const path = join(world.home.data, name);
		chmodSync(path, 0o604);
		chmodSync(dirname(path), 0o755);
		expect(checkPermissions(world.home)).toEqual([
			expect.objectContaining({ says: `others can open ${dirname(path)}` }),
			{ state: 'fail', says: `others can open ${path}`, remedy: `Run "chmod 600 ${path}".` },
		]);
	});

	it('passes for a readable file in a directory that others cannot enter', async () => {
		await using world = await openHome();
		writeFileSync(join(world.home.data, 'config.yaml'), '', { mode: 0o644 });
		expect(checkPermissions(world.home)).toMatchObject([{ state: 'ok' }]);
	});

	it('fails for a symlink, and for a file of another user', async () => {
		await using world = await openHome();
		const token = join(world.home.data, 'token');
		renameSync(token, `${token}.real`);
		symlinkSync(`${token}.real`, token);
		expect(checkPermissions(world.home)).toMatchObject([{ state: 'fail', says: `${token} is a link` }]);
		const [first] = checkPermissions(world.home, 4711);
		expect(first).toMatchObject({ state: 'fail', says: `${world.home.data} belongs to another user` });
	});

	it('fails when a file is found instead of a directory', async () => {
		await using world = await openHome();
		const run = join(world.home.data, 'token');
		expect(checkPermissions({ ...world.home, run })).toMatchObject([{ state: 'fail', says: `${run} is a link or a file` }]);
	});
});

async function openHome() {
	const temp = await createTempDir();
	const home = { data: join(temp.path, 'data'), run: join(temp.path, 'data', 'run') };
	for (const path of [home.data, home.run, join(home.data, 'hooks')]) mkdirSync(path, { mode: 0o700 });
	for (const name of ['token', 'run/runner.json', 'hooks/x.secret']) writeFileSync(join(home.data, name), 'x', { mode: 0o600 });
	return { home, [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose]() };
}
