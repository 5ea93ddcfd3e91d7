import { mkdirSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInstalledProjects, installedDir } from '@roost/home/installed-projects';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { openHooksSetup } from '../hooks/installed-setup.ts';
import { checkHooks } from './check-hooks.ts';

describe('hooks check', () => {
	it('passes for unmodified hooks, and without any', async () => {
		await using world = await openWorld();
		expect(await world.check('a')).toEqual([{ state: 'ok', says: `${world.path('a')}: not installed` }]);
		await world.install('a');
		expect(await world.check('a')).toEqual([{ state: 'ok', says: `${world.path('a')}: installed and unchanged` }]);
	});

	it('fails for modified hooks, in this project and in any other', async () => {
		await using world = await openWorld();
		await world.install('b');
		world.tamper('b', (text) => text.replace('"--roost-managed",', '"--roost-managed", "--evil",'));
		expect(await world.check('a')).toMatchObject([
			{ state: 'ok', says: `${world.path('a')}: not installed` },
			{
				state: 'fail',
				says: expect.stringContaining('not as this version installs them for: PreToolUse'),
				remedy: expect.stringContaining(`in ${world.path('b')}`),
			},
		]);
		expect(await world.check('b')).toHaveLength(1);
	});

	it.each([
		['their entries are missing', (world: World) => world.tamper('a', () => '{}'), 'every entry of Roost was removed'],
		['their secret is missing', (world: World) => world.drop('.secret'), 'secret file'],
		['the project is no longer listed', (world: World) => world.drop('.json', 'start.json'), 'does not list this project'],
		['no runner can be started', (world: World) => rmSync(join(world.dir, 'start.json')), 'no runner is started'],
		[
			'all hooks are disabled',
			(world: World) => world.tamper('a', (text) => text.replace('{', '{"disableAllHooks":true,')),
			'disableAllHooks',
		],
	])('fails when %s', async (_what, spoil, says) => {
		await using world = await openWorld();
		await world.install('a');
		spoil(world);
		const found = await world.check('a');
		expect(found).toContainEqual(expect.objectContaining({ state: 'fail', says: expect.stringContaining(says) }));
	});

	it('fails when the settings cannot be parsed', async () => {
		await using world = await openWorld();
		await world.install('a');
		world.tamper('a', () => '{');
		expect(await world.check('a')).toMatchObject([{ state: 'fail', says: expect.stringContaining('settings.local.json') }]);
	});

	it('warns about hooks of a missing project, and names the folder to clean up', async () => {
		await using world = await openWorld();
		await world.install('b');
		renameSync(world.path('b'), world.path('moved'));
		expect(await world.check('a')).toContainEqual(
			expect.objectContaining({
				state: 'warn',
				says: expect.stringContaining('is not there'),
				remedy: expect.stringContaining(world.dir),
			}),
		);
	});
});

type World = Awaited<ReturnType<typeof openWorld>>;

async function openWorld() {
	const temp = await createTempDir();
	const root = realpathSync(temp.path);
	const home = { data: join(root, 'home') };
	const env = { ROOST_HOME: home.data, PATH: process.env.PATH };
	const runner = [process.execPath, 'up'] as const;
	const dir = installedDir(home);
	const projects = createInstalledProjects(dir);
	const path = (name: string) => join(root, name);
	for (const name of ['a', 'b']) mkdirSync(path(name));
	return {
		path,
		dir,
		check: (cwd: string) => checkHooks({ env, cwd: path(cwd), runner, home, projects }),
		async install(name: string) {
			const setup = unwrap(await openHooksSetup({ agent: 'claude', env, cwd: path(name), runner }));
			unwrap(await setup.install(unwrap(await setup.planInstall())));
		},
		tamper(name: string, change: (text: string) => string) {
			const file = join(path(name), '.claude', 'settings.local.json');
			writeFileSync(file, change(readFileSync(file, 'utf8')));
		},
		/** Removes the files with this suffix. */
		drop(ending: string, except?: string) {
			for (const name of readdirSync(dir)) if (name.endsWith(ending) && name !== except) rmSync(join(dir, name));
		},
		[Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
	};
}
