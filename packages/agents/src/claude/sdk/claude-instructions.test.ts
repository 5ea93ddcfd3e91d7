// Real files in temporary folders, including hostile ones.
import { execFileSync } from 'node:child_process';
import { chmod, chown, mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { putFiles, putLinks } from '@roost/testkit/rigs/put-files';
import { createGitRepository } from '@roost/testkit/rigs/shell/git-repository';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';
import { findRepository } from '../../repository/find-repository.ts';
import { readInstructions } from './claude-instructions.ts';

describe('instructions for a folder', () => {
	it('list user files first, then those of every folder from the top down', async () => {
		await using world = await createWorld({
			'config/CLAUDE.md': 'user',
			'config/rules/u.md': 'user rule',
			'CLAUDE.md': 'above',
			'repo/CLAUDE.md': 'project',
			'repo/.claude/CLAUDE.md': 'project dot',
			'repo/.claude/rules/a.md': 'rule a',
			'repo/.claude/rules/deep/b.md': 'rule b',
			'repo/CLAUDE.local.md': 'local',
			'repo/sub/CLAUDE.md': 'sub',
			'repo/sub/below/CLAUDE.md': 'below, read when Claude gets there',
			'repo/AGENTS.md': 'for others',
		});
		const { texts, leftOut } = await world.read('repo/sub');
		expect(texts).toEqual(['user', 'user rule', 'above', 'project', 'project dot', 'rule a', 'rule b', 'local', 'sub']);
		expect(leftOut).toEqual([]);
	});

	it('name each file and its author', async () => {
		await using world = await createWorld({
			'config/CLAUDE.md': 'user',
			'repo/CLAUDE.md': 'project',
			'repo/CLAUDE.local.md': 'mine',
		});
		const { text } = await world.read('repo');
		expect(text).toContain(`From ${world.path}/config/CLAUDE.md (written by the user, for all projects):\n\nuser`);
		expect(text).toContain(`From ${world.path}/repo/CLAUDE.md (written by this project):\n\nproject`);
		expect(text).toContain('repo/CLAUDE.local.md (written by the user, for this project alone):\n\nmine');
	});

	it('are empty if there are no instruction files', async () => {
		await using world = await createWorld({});
		expect(await world.read('repo')).toMatchObject({ text: '', leftOut: [] });
	});

	it('append imports up to four levels deep, each file once, even with loops', async () => {
		const chain = Object.fromEntries([1, 2, 3, 4, 5].map((at) => [`repo/d${at}.md`, `depth ${at}\n@d${at + 1}.md`]));
		await using world = await createWorld({
			...chain,
			'repo/CLAUDE.md': 'top @d1.md @loop.md @loop.md @missing.md',
			'repo/loop.md': 'loop @CLAUDE.md @loop.md',
		});
		const { texts, leftOut } = await world.read('repo');
		expect(texts.map((text) => text.split(/[ \n]@/)[0])).toEqual(['top', 'depth 1', 'depth 2', 'depth 3', 'depth 4', 'loop']);
		expect(leftOut).toEqual([]);
	});

	it('allow user files to import from anywhere, and repository files only from the repository', async () => {
		await using world = await createWorld({
			'config/CLAUDE.md': 'user @../outside.md @~/home.md',
			'home/home.md': 'home',
			'outside.md': 'outside',
			'repository/x.md': 'sibling with the same beginning',
			'repo/CLAUDE.md': 'project @../secret.md @~/.netrc @/etc/hostname @../repository/x.md @.git/config @sub/../ok.md',
			'repo/ok.md': 'ok',
			'secret.md': 'secret',
		});
		const { texts, leftOut } = await world.read('repo');
		expect(texts.map((text) => text.split(' ')[0])).toEqual(['user', 'outside', 'home', 'project', 'ok']);
		expect(leftOut).toEqual(
			['../secret.md', '~/.netrc', '/etc/hostname', '../repository/x.md', '.git/config'].map(
				(path) => `CLAUDE.md imports ${path}, which is left out because it lies outside the repository.`,
			),
		);
	});

	it('follow symlinks inside the repository, but none that lead out of it', async () => {
		await using world = await createWorld({
			'secret.md': 'secret',
			'repo/AGENTS.md': 'agents',
			'repo/CLAUDE.local.md': 'local @docs/link.md',
		});
		await mkdir(join(world.path, 'outside/rules'), { recursive: true });
		await putFiles(world.path, { 'outside/rules/r.md': 'rule from outside' });
		await putLinks(join(world.path, 'repo'), {
			'CLAUDE.md': 'AGENTS.md',
			'.claude/CLAUDE.md': '../../secret.md',
			'.claude/rules': join(world.path, 'outside/rules'),
			'docs/link.md': join(world.path, 'secret.md'),
			'docs/circle.md': 'circle.md',
		});
		const { texts, leftOut } = await world.read('repo');
		expect(texts).toEqual(['agents', 'local @docs/link.md']);
		const why = 'is left out because it is a link that leads out of the repository.';
		expect(leftOut).toEqual([`.claude/CLAUDE.md ${why}`, `.claude/rules ${why}`, `docs/link.md ${why}`]);
	});

	it('follow symlinks in user rules and survive symlink loops', async () => {
		await using world = await createWorld({ 'config/rules/own.md': 'own', 'shared/rules/team.md': 'team' });
		await putLinks(join(world.path, 'config/rules'), { shared: '../../shared/rules', circle: '.', 'one.md': 'one.md' });
		const { texts, leftOut } = await world.read('repo');
		expect(texts).toEqual(['own', 'team']);
		expect(leftOut).toEqual([`${world.path}/config/rules/one.md is left out because its links form a loop.`]);
	});

	it('leave out files above the repository that belong to another user', async () => {
		await using world = await createWorld({ 'CLAUDE.md': 'above', 'repo/CLAUDE.md': 'project' });
		// Only root can change the owner of a file, and files of root are always accepted.
		if (process.getuid?.() === 0) await chown(join(world.path, 'CLAUDE.md'), 4242, 4242);
		const { texts, leftOut } = await world.read('repo', { uid: 4243 });
		expect(texts).toEqual(['project']);
		expect(leftOut).toEqual([`${world.path}/CLAUDE.md is left out because it belongs to another user.`]);
	});

	it('truncate a text that is too long and leave out the rest', async () => {
		await using world = await createWorld({
			'repo/CLAUDE.md': `begin: ${'ö'.repeat(5_000_000)}`,
			'repo/CLAUDE.local.md': 'local',
		});
		const { text, leftOut } = await world.read('repo');
		expect(text.length).toBeLessThan(300_000);
		expect(text).not.toContain('\ufffd');
		expect(leftOut).toEqual([
			'CLAUDE.md is cut after 524288 bytes: the instructions are too long.',
			'Some instructions are left out because there are too many.',
		]);
	});

	it('stay bounded with thousands of imports', async () => {
		const names = Array.from({ length: 5000 }, (_each, at) => at);
		await using world = await createWorld({
			'repo/CLAUDE.md': names.map((at) => `@../n${at}.md`).join('\n'),
		});
		const { leftOut } = await world.read('repo');
		expect(leftOut).toHaveLength(201);
		expect(leftOut.at(-1)).toBe('CLAUDE.md imports too many files: only the first are read.');
	});

	it('leave out and report files that are not plain text', async () => {
		await using world = await createWorld({ 'repo/CLAUDE.md': 'x\0y', 'repo/.claude/CLAUDE.md/is-a-folder': '' });
		execFileSync('mkfifo', [join(world.path, 'repo/CLAUDE.local.md')]);
		const { texts, leftOut } = await world.read('repo');
		expect(texts).toEqual([]);
		expect(leftOut).toEqual([
			'CLAUDE.md is left out because it is not text.',
			'CLAUDE.local.md is left out because it is not a plain file.',
		]);
	});

	it('leave out rules for certain files and report their paths', async () => {
		await using world = await createWorld({
			'repo/.claude/rules/ts.md': '---\npaths: src/**/*.ts\n---\nonly there',
			'repo/.claude/rules/all.md': '---\npaths: "**"\n---\neverywhere',
			'repo/.claude/rules/notes.txt': 'no rule',
		});
		const { texts, leftOut } = await world.read('repo');
		expect(texts).toEqual(['everywhere']);
		expect(leftOut).toEqual(['.claude/rules/ts.md is left out because it is for certain files only (src/**/*.ts).']);
	});

	it('escape and shorten hostile file names', async () => {
		const name = `\u001b[2J${'n'.repeat(150)}`;
		await using world = await createWorld({ 'repo/CLAUDE.md': `@../${name}` });
		const [sentence = ''] = (await world.read('repo')).leftOut;
		expect(sentence).toContain('\\x1b[2J');
		expect(sentence.length).toBeLessThan(220);
	});
});

describe('worktree', () => {
	it('belongs to its main repository, and reads its own CLAUDE.md and the local one of the project', async () => {
		await using world = await createWorld({ 'repo/CLAUDE.md': 'main branch', 'repo/CLAUDE.local.md': 'local' });
		const repo = join(world.path, 'repo');
		world.git('-C', repo, 'worktree', 'add', '--quiet', '.claude/worktrees/one', '-b', 'one');
		await putFiles(repo, { '.claude/worktrees/one/CLAUDE.md': 'branch one' });
		expect(await findRepository(join(repo, '.claude/worktrees/one'))).toEqual({
			root: join(repo, '.claude/worktrees/one'),
			project: repo,
		});
		expect((await world.read('repo/.claude/worktrees/one')).texts).toEqual(['local', 'branch one']);
	});

	it('is recognized only if the repository points back to it', async () => {
		await using world = await createWorld({});
		const repo = join(world.path, 'repo');
		world.git('-C', repo, 'worktree', 'add', '--quiet', '../one', '-b', 'one');
		const mark = `gitdir: ${join(repo, '.git/worktrees/one')}\n`;
		await putFiles(world.path, {
			'false/.git': mark,
			'bare/.git': `gitdir: ${join(repo, '.git')}\n`,
			'odd/.git': 'no words of git',
		});
		const forged = join(world.path, 'forged');
		await putFiles(forged, {
			'.git': 'gitdir: notes\n',
			'notes/gitdir': join(forged, '.git'),
			'notes/commondir': join(repo, '.git'),
		});
		for (const name of ['false', 'bare', 'odd', 'forged']) {
			const root = join(world.path, name);
			expect(await findRepository(root)).toEqual({ root, project: root });
		}
		expect(await findRepository(join(world.path, 'one'))).toMatchObject({ project: repo });
	});
});

async function createWorld(files: Record<string, string>) {
	await using stack = new AsyncDisposableStack();
	const { path } = stack.use(await createTempDir());
	const env = { PATH: process.env.PATH ?? '', HOME: path };
	await mkdir(join(path, 'repo'));
	await createGitRepository(join(path, 'repo'), env);
	await putFiles(path, files);
	await chmod(path, 0o700);
	const owned = stack.move();
	return {
		path,
		git: (...args: string[]) => execFileSync('git', args, { env, encoding: 'utf8' }),
		async read(folder: string, over: { uid?: number } = {}) {
			const cwd = await realpath(join(path, folder));
			const repository = await findRepository(cwd);
			const places = { cwd, repository, configDir: join(path, 'config'), homeDir: join(path, 'home'), ...over };
			const { text, leftOut } = await readInstructions(places);
			const parts = text.split(/\n\nFrom .* \(written by .*\):\n\n/);
			return { text, texts: parts.slice(1), leftOut };
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}
