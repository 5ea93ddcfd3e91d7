import { mkdirSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { runnerId } from '@roost/protocol/ids';
import { toProjectId } from '@roost/store/project-id';
import { openSqliteStore } from '@roost/store/sqlite-store';
import type { Store } from '@roost/store/store';
import { sampleAppend, sampleEvent, sampleSession } from '@roost/testkit/rigs/record/sample-append';
import { createGitRepository } from '@roost/testkit/rigs/shell/git-repository';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { createProjects } from './projects.ts';

describe('project', () => {
	it('always has the same id for a path, and a different one on another machine', async () => {
		await using world = await openWorld();
		const [here, there] = [world.projects('runner-1'), world.projects('runner-2')];
		expect(here.identify('/srv/shop')).toEqual({ id: toProjectId('runner-1', '/srv/shop'), path: '/srv/shop' });
		expect(world.projects('runner-1').identify('/srv/shop')).toEqual(here.identify('/srv/shop'));
		expect(there.identify('/srv/shop').id).not.toBe(here.identify('/srv/shop').id);
		expect(here.identify('/srv/barn').id).not.toBe(here.identify('/srv/shop').id);
	});

	it('is found by its id, its path or a folder in it', async () => {
		await using world = await openWorld();
		const project = await world.record('runner-1', 'shop');
		const projects = world.projects('runner-1');
		for (const ref of [project.id, project.path, join(project.path, 'src')]) {
			expect(unwrap(await projects.find(ref))).toEqual(project);
		}
		expect(unwrap(projects.folderOf(project.id))).toBe(project.path);
		expect(unwrap(projects.folderOf(join(project.path, 'src')))).toBe(join(project.path, 'src'));
	});

	it('is found by its id before it is recorded, if it was discovered', async () => {
		await using world = await openWorld();
		const path = await world.folder('found');
		const id = toProjectId('runner-1', path);
		const projects = world.projects('runner-1', [{ projectId: id, path }]);
		expect(unwrap(await projects.find(id))).toEqual({ id, path });
		expect(unwrapError(world.projects('runner-1').folderOf(id))).toMatchObject({
			code: 'bad_request',
			message: expect.stringContaining(`Project "${id}" not found.`),
		});
		expect(unwrapError(await projects.find('/no/such/folder')).code).toBe('bad_request');
	});

	it('keeps its recorded id if its folder is missing or the runner lost its own id', async () => {
		await using world = await openWorld();
		const project = await world.record('runner-1', 'shop');
		rmSync(project.path, { recursive: true });
		expect(unwrap(await world.projects('runner-1').find(project.path))).toEqual(project);
		expect(world.projects('runner-9').identify(project.path)).toEqual(project);
	});

	it('cannot be moved to another path by an edited row', async () => {
		await using world = await openWorld();
		const [shop, barn] = [await world.record('runner-1', 'shop'), await world.record('runner-1', 'barn')];
		world.sql(`UPDATE projects SET path = '${barn.path}', created_at = 0 WHERE id = '${shop.id}'`);
		expect(world.projects('runner-1').identify(barn.path)).toEqual(barn);
		expect(world.projects('runner-1').folderOf(shop.id).ok).toBe(false);
		expect(unwrap(world.store().verifyTables())).toEqual(
			expect.arrayContaining([
				`Table projects: the path of project ${shop.id} was changed.`,
				'Table sessions: session s-shop is not of the project at its path.',
			]),
		);
	});
});

async function openWorld() {
	const temp = await createTempDir();
	const root = realpathSync(temp.path);
	const path = join(root, 'roost.db');
	const store: Store = unwrap(openSqliteStore({ path, access: 'write' }));
	const folder = async (name: string) => {
		mkdirSync(join(root, name, 'src'), { recursive: true });
		await createGitRepository(join(root, name), { PATH: process.env.PATH ?? '', HOME: root });
		return join(root, name);
	};
	return {
		folder,
		store: () => store,
		projects: (
			runner: string,
			found: Parameters<typeof createProjects>[0]['discovered'] extends () => infer F ? F : never = [],
		) =>
			createProjects({
				store: { projects: (query) => store.projects(query) },
				runnerId: runnerId.parse(runner),
				discovered: () => found,
			}),
		/** A session in a separate project. */
		async record(runner: string, name: string) {
			const project = { id: toProjectId(runner, await folder(name)), path: join(root, name) };
			const session = sampleSession(`s-${name}`, { projectId: project.id, projectPath: project.path });
			const place = { projectId: project.id, runnerId: runnerId.parse(runner), session };
			unwrap(await store.append(sampleAppend(session.id, [sampleEvent(session.id, 1)], place)));
			return project;
		},
		sql(text: string): void {
			using db = new DatabaseSync(path);
			db.exec(text);
		},
		async [Symbol.asyncDispose]() {
			await store.close();
			await temp[Symbol.asyncDispose]();
		},
	};
}
