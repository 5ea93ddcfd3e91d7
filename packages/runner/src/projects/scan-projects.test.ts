// One scan of a whole machine: folders of every kind, and a thousand of them.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { kindWith } from '@roost/agents/kinds';
import { createExclusion } from '@roost/core/projects/excluded';
import { mustBeOpen } from '@roost/machine/foreign-file';
import { type Git, runGit } from '@roost/machine/git';
import { AppError } from '@roost/protocol/app-error';
import { err, ok } from '@roost/protocol/result';
import { toProjectId } from '@roost/store/project-id';
import { createPastClaude } from '@roost/testkit/rigs/agents/past-claude';
import { createTestProjects, TEST_RUNNER } from '@roost/testkit/rigs/runner/test-engine';
import { createGitRepository } from '@roost/testkit/rigs/shell/git-repository';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';
import { createPastPlaces } from './past-sessions.ts';
import { GIT_AT_ONCE, type ScanDeps, scanProjects } from './scan-projects.ts';

describe('project scan', () => {
	it('finds the folders below a root, and the root itself if it is a repository', async () => {
		await using world = await createWorld();
		const app = await world.repository('code/app');
		const plain = await world.folder('code/plain');
		await world.folder('code/node_modules');
		await world.folder('code/.cache');
		const dotfiles = await world.repository('code/.dotfiles');
		await writeFile(join(world.path, 'code', 'file'), '');
		await symlink(join(world.path, 'nowhere'), join(world.path, 'code', 'dangling'));
		const alone = await world.repository('alone');
		const { projects, problems } = await world.scan({ roots: [join(world.path, 'code'), alone] });
		expect(projects.map(({ path }) => path).sort()).toEqual([alone, dotfiles, app, plain].sort());
		expect(problems).toEqual([]);
		expect(projects.find(({ path }) => path === app)).toMatchObject({
			id: createHash('sha256').update(app).digest('hex').slice(0, 16),
			projectId: toProjectId(TEST_RUNNER, app),
			name: 'app',
			gitBranch: 'main',
			pastSessions: 0,
		});
	});

	it('treats symlinks, worktrees and inner folders of one repository as one project', async () => {
		await using world = await createWorld();
		const app = await world.repository('real/app');
		execFileSync('git', ['-C', app, 'worktree', 'add', '--quiet', join(world.path, 'real', 'tree')]);
		await symlink(join(world.path, 'real'), join(world.path, 'linked-root'));
		await mkdir(join(world.path, 'more'));
		await symlink(app, join(world.path, 'more', 'linked-app'));
		await mkdir(join(app, 'deep'));
		for (const cwd of [app, join(app, 'deep'), join(world.path, 'real', 'tree')]) await world.past.add({ cwd });
		const roots = ['real', 'linked-root', 'more'].map((name) => join(world.path, name));
		const { projects } = await world.scan({ roots });
		expect(projects).toMatchObject([{ path: app, pastSessions: 3 }]);
	});

	it('finds the folders of sessions from their transcripts, not from folder names', async () => {
		await using world = await createWorld();
		const app = await world.repository('code/my.app_1');
		const other = await world.folder('other');
		await world.past.add({ cwd: app, under: '-one' });
		await world.past.add({ cwd: other, under: '-one' });
		await world.past.add({ cwd: app, under: '-two' });
		const { projects } = await world.scan({});
		expect(projects.map(({ path, pastSessions }) => [path, pastSessions]).sort()).toEqual([
			[app, 2],
			[other, 1],
		]);
	});

	it('reports missing and replaced folders, and continues', async () => {
		await using world = await createWorld();
		const app = await world.repository('code/app');
		const gone = await world.folder('gone');
		await world.past.add({ cwd: gone });
		await rm(gone, { recursive: true });
		const file = join(world.path, 'file');
		await writeFile(file, '');
		await world.past.add({ cwd: file });
		const roots = [join(world.path, 'code'), join(world.path, 'nowhere'), file];
		const { projects, problems } = await world.scan({ roots });
		expect(projects.map(({ path }) => path)).toEqual([app]);
		expect(problems.map(({ path, message }) => `${path.slice(world.path.length)}: ${message}`).sort()).toEqual([
			'/file: A session worked in this folder, which is now a file.',
			'/file: This is not a folder.',
			'/gone: This folder does not exist.',
			'/nowhere: This folder does not exist.',
		]);
	});

	it('reports an inaccessible folder, as a child or as a root, and does not treat it as one without git', async () => {
		await using world = await createWorld();
		const app = await world.repository('code/app');
		const [closed, root] = [await world.repository('code/closed'), await world.folder('root')];
		await world.folder('root/unseen');
		// Injected, because root can access every folder.
		const isOpen = async (folder: string) => {
			if (folder === closed || folder === root) throw Object.assign(new Error('no'), { code: 'EACCES' });
		};
		const { projects, problems } = await world.scan({ roots: [join(world.path, 'code'), root], mustBeOpen: isOpen });
		expect(projects.map(({ path }) => path)).toEqual([app]);
		const message = 'Permission denied.';
		expect(problems).toEqual([
			{ path: root, message },
			{ path: closed, message },
		]);
	});

	it('reports a folder that disappears during the scan', async () => {
		await using world = await createWorld();
		const app = await world.repository('code/app');
		const vanishing: Git = async () => {
			await rm(app, { recursive: true, force: true });
			return err(new AppError('internal', 'gone'));
		};
		await rm(join(app, '.git', 'HEAD'));
		const { projects, problems } = await world.scan({ roots: [join(world.path, 'code')], git: vanishing });
		expect(projects).toEqual([]);
		expect(problems).toEqual([{ path: app, message: 'This folder does not exist.' }]);
	});

	it('omits excluded folders from every source', async () => {
		await using world = await createWorld();
		const app = await world.repository('code/app');
		await world.repository('code/old-site');
		await world.past.add({ cwd: await world.folder('elsewhere/old-notes') });
		const { projects } = await world.scan({ roots: [join(world.path, 'code')], exclude: ['old-*'] });
		expect(projects.map(({ path }) => path)).toEqual([app]);
	});

	it('scans a thousand projects with a limited number of processes, and reports its progress', async () => {
		await using world = await createWorld();
		for (let at = 0; at < 1_000; at += 1) {
			await mkdir(join(world.path, 'code', `p${at}`, '.git'), { recursive: true });
			await writeFile(join(world.path, 'code', `p${at}`, '.git', 'HEAD'), 'ref: refs/heads/main\n');
		}
		let running = 0;
		let most = 0;
		let asked = 0;
		const counting: Git = async (_, args) => {
			asked += 1;
			running += 1;
			most = Math.max(most, running);
			await new Promise(setImmediate);
			running -= 1;
			return ok(args[0] === 'status' ? '# branch.head main\0' : '');
		};
		const reported: number[][] = [];
		const { projects, problems } = await world.scan({ roots: [join(world.path, 'code')], git: counting, reported });
		expect(projects).toHaveLength(1_000);
		expect(problems).toEqual([]);
		expect(asked).toBe(2_000);
		expect(most).toBe(GIT_AT_ONCE);
		expect(reported.at(0)).toEqual([0, 1_000]);
		expect(reported.at(-1)).toEqual([1_000, 1_000]);
		expect(reported.map(([done]) => done)).toEqual([0, ...Array.from({ length: 1_000 }, (_, at) => at + 1)]);
	});

	it('stops when it is aborted', async () => {
		await using world = await createWorld();
		for (const name of ['a', 'b', 'c']) await world.folder(`code/${name}`);
		const closing = new AbortController();
		closing.abort();
		await expect(world.scan({ roots: [join(world.path, 'code')], signal: closing.signal })).rejects.toThrow('aborted');
	});
});

type ScanOver = Partial<Pick<ScanDeps, 'mustBeOpen' | 'git'>> & {
	roots?: string[];
	exclude?: string[];
	reported?: number[][];
	signal?: AbortSignal;
};

async function createWorld() {
	const temp = await createTempDir();
	const past = await createPastClaude(join(temp.path, 'config'));
	const folder = async (name: string) => {
		const path = join(temp.path, name);
		await mkdir(path, { recursive: true });
		return path;
	};
	return {
		path: temp.path,
		past,
		folder,
		async repository(name: string) {
			const path = await folder(name);
			await createGitRepository(path, { PATH: process.env.PATH ?? '', HOME: temp.path });
			return path;
		},
		scan: ({ roots = [], exclude = ['node_modules', '.git'], reported = [], signal, ...over }: ScanOver) =>
			scanProjects(
				{
					roots,
					isExcluded: createExclusion(exclude),
					pastPlaces: createPastPlaces('claude', { ...kindWith('past').past, folder: () => past.folder }, {}),
					git: runGit,
					mustBeOpen,
					identify: createTestProjects().identify,
					...over,
				},
				{ onProgress: (done, total) => void reported.push([done, total]), signal: signal ?? new AbortController().signal },
			),
		[Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
	};
}
