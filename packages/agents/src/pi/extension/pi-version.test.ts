import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';
import { readPiVersion } from './pi-version.ts';

const PI = { name: '@earendil-works/pi-coding-agent', version: '1.2.3', piConfig: {} };
const NONE = { script: undefined, execPath: '/usr/bin/node', packageDir: undefined };

describe('readPiVersion', () => {
	it('follows the npm symlink to the package', async () => {
		await using world = await openWorld({ 'lib/pi/package.json': PI, 'lib/pi/dist/cli.js': {} });
		await symlink(join(world.path, 'lib/pi/dist/cli.js'), join(world.path, 'pi'));
		expect(readPiVersion({ ...NONE, script: join(world.path, 'pi') })).toBe('1.2.3');
	});

	it('skips packages that are not Pi', async () => {
		await using world = await openWorld({ 'pi/package.json': PI, 'pi/dist/package.json': { type: 'module', version: '9.0.0' } });
		expect(readPiVersion({ ...NONE, script: join(world.path, 'pi/dist/cli.js') })).toBe('1.2.3');
	});

	it('finds the manifest next to a compiled program whose script is not on disk', async () => {
		await using world = await openWorld({ 'package.json': PI });
		expect(readPiVersion({ ...NONE, script: '/$bunfs/root/pi', execPath: join(world.path, 'pi') })).toBe('1.2.3');
	});

	it('prefers the folder in PI_PACKAGE_DIR', async () => {
		await using world = await openWorld({ 'named/package.json': { ...PI, version: '4.5.6' }, 'pi/package.json': PI });
		const named = { packageDir: join(world.path, 'named'), script: join(world.path, 'pi/cli.js') };
		expect(readPiVersion({ ...NONE, ...named })).toBe('4.5.6');
	});

	it('returns undefined if no Pi package is found', async () => {
		await using world = await openWorld({ 'package.json': { version: '9.0.0' }, 'broken/package.json': {} });
		expect(readPiVersion({ ...NONE, script: join(world.path, 'broken/wrapper.js') })).toBeUndefined();
		expect(readPiVersion(NONE)).toBeUndefined();
	});
});

async function openWorld(files: Record<string, object>) {
	const temp = await createTempDir();
	for (const [path, content] of Object.entries(files)) {
		await mkdir(dirname(join(temp.path, path)), { recursive: true });
		await writeFile(join(temp.path, path), JSON.stringify(content));
	}
	return temp;
}
