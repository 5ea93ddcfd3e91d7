import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';
import { isInside, wayInside } from './is-inside.ts';

/** A folder `tree` beside `treetop` and `other`, with all kinds of links in it. */
async function makeWorld() {
	await using stack = new AsyncDisposableStack();
	const temp = stack.use(await createTempDir());
	const at = (...names: string[]) => join(temp.path, ...names);
	for (const name of ['tree/sub/deep', 'treetop', 'other/dir']) await mkdir(at(name), { recursive: true });
	await writeFile(at('tree/file'), '');
	await writeFile(at('other/file'), '');
	await symlink(at('other'), at('tree/out'));
	await symlink('../other/dir', at('tree/out-relative'));
	await symlink(at('other/nothing'), at('tree/dangling'));
	await symlink('sub', at('tree/in'));
	await symlink('loop', at('tree/loop'));
	await symlink(at('tree'), at('link-to-tree'));
	const owned = stack.move();
	return { at, tree: at('tree'), [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

describe('path inside a folder', () => {
	it('accepts existing and new paths below the folder', async () => {
		await using world = await makeWorld();
		const inside = [
			'',
			'.',
			'file',
			'./file',
			'sub/../file',
			'new',
			'new/deeper/still',
			'in/x',
			'in/../file',
			'sub//deep',
			'..file',
			'...',
		];
		for (const path of inside) expect(await isInside(world.tree, path), path).toBe(true);
		for (const path of ['', 'file', 'new/x']) expect(await isInside(world.tree, world.at('tree', path)), path).toBe(true);
	});

	it('rejects paths that leave the folder', async () => {
		await using world = await makeWorld();
		for (const path of [
			'..',
			'../',
			'../other/file',
			'sub/../../other',
			'new/../../other',
			'/',
			'/etc/passwd',
			'../tree/../other',
		])
			expect(await isInside(world.tree, path), path).toBe(false);
	});

	it('rejects a sibling folder whose name has the same prefix', async () => {
		await using world = await makeWorld();
		expect(await isInside(world.tree, world.at('treetop'))).toBe(false);
		expect(await isInside(world.tree, '../treetop/x')).toBe(false);
	});

	it('rejects paths through symlinks that lead outside, dangle or loop', async () => {
		await using world = await makeWorld();
		for (const path of [
			'out',
			'out/file',
			'out/new',
			'out-relative/x',
			'dangling',
			'dangling/x',
			'loop',
			'loop/x',
			'in/../out/x',
		])
			expect(await isInside(world.tree, path), path).toBe(false);
	});

	it('resolves symlinks before parent segments, as the system does', async () => {
		await using world = await makeWorld();
		// By name this is `tree/file`; the system opens `other/file`.
		expect(await isInside(world.tree, 'out-relative/../file')).toBe(false);
		// The system opens `tree/x`; a program that resolves `..` by name opens `other/x`.
		expect(await isInside(world.tree, `${world.at('other')}/../tree/x`)).toBe(true);
		expect(await isInside(world.tree, 'in/../x')).toBe(true);
	});

	it('accepts a folder that is reached through a symlink', async () => {
		await using world = await makeWorld();
		const linked = world.at('link-to-tree');
		expect(await isInside(linked, 'file')).toBe(true);
		expect(await isInside(linked, world.at('tree/file'))).toBe(true);
		expect(await isInside(world.tree, world.at('link-to-tree/new'))).toBe(true);
		expect(await isInside(linked, '../other')).toBe(false);
	});

	it('rejects ambiguous and invalid paths', async () => {
		await using world = await makeWorld();
		for (const path of ['~', '~/x', '~root/x', 'a\0b']) expect(await isInside(world.tree, path), path).toBe(false);
		expect(await isInside(world.tree, 'file/x')).toBe(false);
	});

	it('returns the relative path with symlinks resolved', async () => {
		await using world = await makeWorld();
		expect(await wayInside(world.tree, 'in/deep/x')).toBe('sub/deep/x');
		expect(await wayInside(world.tree, '.')).toBe('');
		expect(await wayInside(world.tree, 'out')).toBe(null);
	});
});
