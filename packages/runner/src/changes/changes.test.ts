// The changes of a real working tree, compared with what git itself says about them.
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChangedFile, DiffRow, KnownChanges } from '@roost/protocol/api/changes';
import { type ChangedWorld, createChangedWorld, SESSION } from '@roost/testkit/rigs/shell/changed-world';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';

const LINES = Array.from({ length: 5_000 }, (_, at) => `line ${at + 1}`);
const ODD = ['with space', 'with "quotes"', 'with\nnewline', '-leading', 'tab\there', 'grüße', ':(top)magic*'];

describe('the changes of a session', () => {
	it('are the files and numbers of git diff, for every kind of file', async () => {
		await using world = await createChangedWorld();
		await putBefore(world);
		await world.mark('start');
		await changeAll(world);
		const listed = await list(world);
		expect(listed.files.map(toStatusLine).sort()).toEqual((await world.diffOfAll('--raw', '-M')).sort());
		expect(listed.files.map(toNumberLine).sort()).toEqual((await world.diffOfAll('--numstat', '-M')).sort());
		expect(find(listed, 'new.txt')).toMatchObject({ status: 'untracked', size: 4 });
		expect(find(listed, 'moved.txt')).toMatchObject({ status: 'renamed', oldPath: 'mover.txt' });
		expect(find(listed, 'image.bin')).toMatchObject({ kind: 'binary' });
		expect(find(listed, 'link')).toMatchObject({ kind: 'symlink' });
		expect(find(listed, 'module')).toMatchObject({ kind: 'submodule' });
		expect(listed.files.map(({ path }) => path)).not.toContain('ignored.log');
	});

	it('have the rows of git diff', async () => {
		await using world = await createChangedWorld();
		await putBefore(world);
		await world.mark('start');
		await changeAll(world);
		const listed = await list(world);
		// Git writes a file that became a link as two patches, and the name in other bytes cannot be an argument.
		const isShown = ({ kind, path }: ChangedFile) =>
			(kind === undefined || kind === 'symlink') && path !== 'becomes-link' && !path.startsWith('bytes-');
		const shown = listed.files.filter(isShown);
		for (const { path, oldPath } of shown) {
			const rows = await readAll(world, listed, path);
			expect.soft([path, rows.map(toPatchLine)]).toEqual([path, await world.patchOf(path, oldPath)]);
		}
		expect(shown.length).toBeGreaterThan(14);
	});

	it('come in pages, each with the numbers and hashes of its lines', async () => {
		await using world = await createChangedWorld();
		await world.put({ 'long.txt': '' });
		await world.commit();
		await world.put({ 'long.txt': `${Array.from({ length: 100_000 }, (_, at) => `row ${at + 1}`).join('\n')}\n` });
		const listed = await list(world, 'head');
		const page = (from: number) => world.changes.file(SESSION, { changes: listed.id, path: 'long.txt', from, limit: 1_000 });
		expect(unwrap(await page(0))).toMatchObject({ total: 100_001, rows: { length: 1_000, 0: { type: 'hunk' } } });
		const { rows } = unwrap(await page(100_000));
		expect(rows).toEqual([{ type: 'added', new: 100_000, text: 'row 100000', hash: expect.stringMatching(/^[0-9a-f]{16}$/) }]);
		expect(unwrap(await page(200_000)).rows).toEqual([]);
	});

	it('are those since the session or a run started, with uncommitted work of before left out', async () => {
		await using world = await createChangedWorld();
		await world.put({ 'a.txt': 'one\n', 'b.txt': 'one\n' });
		await world.commit();
		await world.put({ 'b.txt': 'of the user\n', 'untracked.txt': 'of the user\n' });
		await world.mark('start');
		await world.put({ 'a.txt': 'two\n' });
		await world.mark('run:R2');
		await world.put({ 'a.txt': 'three\n', 'b.txt': 'of the agent\n' });
		const texts = async (listed: KnownChanges, path: string) =>
			(await readAll(world, listed, path)).flatMap((row) => (row.type === 'hunk' ? [] : [row.text]));
		expect(pathsOf(await list(world, 'head'))).toEqual(['a.txt', 'b.txt', 'untracked.txt']);
		const start = await list(world, 'start');
		expect(pathsOf(start)).toEqual(['a.txt', 'b.txt']);
		expect(await texts(start, 'a.txt')).toEqual(['one', 'three']);
		expect(await texts(start, 'b.txt')).toEqual(['of the user', 'of the agent']);
		expect(await texts(await list(world, 'run:R2'), 'a.txt')).toEqual(['two', 'three']);
		expect(start.bases.map(({ since }) => since)).toEqual(['start', 'head', 'run:R2']);
	});

	it('include commits of the agent', async () => {
		await using world = await createChangedWorld();
		await world.mark('start');
		await world.put({ 'a.txt': 'one\n' });
		await world.commit();
		expect(pathsOf(await list(world))).toEqual(['a.txt']);
		expect(pathsOf(await list(world, 'head'))).toEqual([]);
	});

	it('write nothing into the repository', async () => {
		await using world = await createChangedWorld();
		await world.put({ 'a.txt': 'one\n' });
		const before = world.contentOf('.git');
		await world.mark('start');
		await world.put({ 'a.txt': 'two\n' });
		await readAll(world, await list(world), 'a.txt');
		expect(world.contentOf('.git')).toEqual(before);
	});

	it('hide secrets, and leave out files that are meant for them', async () => {
		await using world = await createChangedWorld();
		await world.mark('start');
		const token = `ghp_${'a1B2'.repeat(9)}`;
		await world.put({ 'config.ts': `const token = '${token}';\n`, '.env': `TOKEN=${token}\n`, 'server.key': token });
		const listed = await list(world);
		expect(listed.leftOut).toEqual([
			{ path: '.env', why: 'it may contain secrets' },
			{ path: 'server.key', why: 'it may contain secrets' },
		]);
		expect(JSON.stringify(await readAll(world, listed, 'config.ts'))).not.toContain(token);
		await world.commit();
		const committed = await list(world);
		expect(unwrap(await world.changes.file(SESSION, { changes: committed.id, path: '.env', from: 0, limit: 10 }))).toEqual({
			total: 0,
			rows: [],
			why: 'This file may contain secrets, so it is not shown.',
		});
	});
});

describe('a base that is not known', () => {
	it.each(['start', 'run:R7'] as const)('is said in words: %s', async (since) => {
		await using world = await createChangedWorld();
		expect(unwrap(await world.changes.list(SESSION, since))).toEqual({
			isKnown: false,
			bases: [{ since: 'head' }],
			why: expect.stringMatching(/^The files from when .+ were not noted\. Compare with the last commit instead\.$/),
		});
	});

	it('says that files were noted while the agent worked', async () => {
		await using world = await createChangedWorld();
		await world.mark('start', { isLate: true });
		expect((await list(world)).note).toMatch(/^The agent was already working/);
	});
});

describe('a folder without changes to show', () => {
	it.each<[string, (world: ChangedWorld) => Promise<unknown>, RegExp]>([
		['no repository', ({ path }) => rm(join(path, '.git'), { recursive: true }), /is not in a git repository/],
		['a deleted folder', ({ path }) => rm(path, { recursive: true }), /^The folder .+ no longer exists\.$/],
		['a bare repository', async ({ git }) => git('config', 'core.bare', 'true'), /without a working tree/],
		['a working tree elsewhere', async ({ git }) => git('config', 'core.worktree', '/'), /working tree elsewhere/],
		['too many files', putTooMany, /^More than 5000 files changed/],
	])('says so: %s', async (_, prepare, why) => {
		await using world = await createChangedWorld();
		await prepare(world);
		expect(unwrap(await world.changes.list(SESSION, 'head'))).toMatchObject({ isKnown: false, why: expect.stringMatching(why) });
	});

	it('compares without a commit, on a detached HEAD, in a worktree and in a conflict', async () => {
		await using world = await createChangedWorld();
		world.git('update-ref', '-d', 'HEAD');
		await world.put({ 'a.txt': 'one\n' });
		expect(await list(world, 'head')).toMatchObject({ note: 'The repository has no commit yet.', files: { length: 2 } });
		await world.commit();
		world.git('checkout', '--quiet', '--detach');
		expect(pathsOf(await list(world, 'head'))).toEqual([]);
		await using linked = await createChangedWorld({ worktreeOf: world });
		await linked.put({ 'b.txt': 'two\n' });
		expect(pathsOf(await list(linked, 'head'))).toEqual(['b.txt']);
		await makeConflict(world);
		expect(pathsOf(await list(world, 'head'))).toEqual(['a.txt']);
	});

	it('names files that it cannot compare', async () => {
		await using world = await createChangedWorld();
		await world.put({ 'huge.bin': Buffer.alloc(16 * 1024 * 1024 + 1), 'fine.txt': 'one\n' });
		await mkdir(join(world.path, 'inner'));
		execFileSync('git', ['init', '--quiet', join(world.path, 'inner')]);
		const listed = await list(world, 'head');
		expect(listed.leftOut).toEqual([
			{ path: 'huge.bin', why: 'larger than 16 MiB' },
			{ path: 'inner/', why: 'a repository of its own' },
		]);
		expect(pathsOf(listed)).toEqual(['fine.txt']);
	});

	it('rejects an outdated list and a path that did not change', async () => {
		await using world = await createChangedWorld();
		const query = { path: '../../etc/passwd', from: 0, limit: 10 };
		expect(unwrapError(await world.changes.file(SESSION, { ...query, changes: 'abc.def' })).code).toBe('conflict');
		const { id } = await list(world, 'head');
		expect(unwrapError(await world.changes.file(SESSION, { ...query, changes: id })).code).toBe('not_found');
	});
});

async function list(world: ChangedWorld, since: 'start' | 'head' | 'run:R2' = 'start'): Promise<KnownChanges> {
	const listed = unwrap(await world.changes.list(SESSION, since));
	if (!listed.isKnown) throw new Error(listed.why);
	return listed;
}

const pathsOf = ({ files }: KnownChanges) => files.map(({ path }) => path);
const find = ({ files }: KnownChanges, path: string) => files.find((file) => file.path === path);

async function readAll(world: ChangedWorld, { id }: KnownChanges, path: string): Promise<DiffRow[]> {
	const rows: DiffRow[] = [];
	for (;;) {
		const page = unwrap(await world.changes.file(SESSION, { changes: id, path, from: rows.length, limit: 700 }));
		rows.push(...page.rows);
		if (rows.length >= page.total) return rows;
	}
}

async function putBefore(world: ChangedWorld): Promise<void> {
	await world.put({
		'.gitignore': '*.log\n',
		'long.txt': `${LINES.join('\n')}\n`,
		'mover.txt': `${LINES.slice(0, 20).join('\n')}\n`,
		'image.bin': Buffer.from([0, 1, 2, 3]),
		'gone.txt': 'bye\n',
		'crlf.txt': 'one\r\ntwo\r\nthree\r\n',
		'unended.txt': 'one\ntwo',
		'latin.txt': Buffer.from('caf\xe9\nbar\n', 'latin1'),
		'run.sh': 'echo\n',
		'becomes-link': 'text\n',
		'blank.txt': 'a\n\n\nb\n',
		...Object.fromEntries(ODD.map((name) => [name, 'one\n'])),
	});
	await symlink('long.txt', join(world.path, 'link'));
	world.addSubmodule('module');
	await world.commit();
}

async function changeAll(world: ChangedWorld): Promise<void> {
	const at = (name: string) => join(world.path, name);
	await world.put({
		'long.txt': `${LINES.map((line, index) => (index % 50 === 0 ? `${line} changed` : line)).join('\n')}\n`,
		'image.bin': Buffer.from([0, 9, 9, 9, 9]),
		'crlf.txt': 'one\r\ntwo\nthree\r\n',
		'unended.txt': 'one\ntwo changed',
		'latin.txt': Buffer.from('caf\xe9s\nbar\n', 'latin1'),
		'blank.txt': 'a\n\n\n\nc\n',
		'new.txt': 'new\n',
		'staged.txt': 'staged\n',
		'ignored.log': 'no\n',
		...Object.fromEntries(ODD.map((name) => [name, 'two\n'])),
	});
	await writeFile(Buffer.concat([Buffer.from(at('bytes-')), Buffer.from([0xff])]), 'odd\n');
	await rename(at('mover.txt'), at('moved.txt'));
	await writeFile(at('moved.txt'), `${await readFile(at('moved.txt'), 'utf8')}more\n`);
	for (const name of ['gone.txt', 'link', 'becomes-link']) await rm(at(name));
	await symlink('short.txt', at('link'));
	await symlink('elsewhere', at('becomes-link'));
	await chmod(at('run.sh'), 0o755);
	world.git('add', 'staged.txt');
	world.moveSubmodule('module');
}

async function putTooMany(world: ChangedWorld): Promise<void> {
	await world.put(Object.fromEntries(Array.from({ length: 5_001 }, (_, at) => [`many-${at}`, ''])));
}

async function makeConflict(world: ChangedWorld): Promise<void> {
	world.git('checkout', '--quiet', '-b', 'other');
	await world.put({ 'a.txt': 'other\n' });
	await world.commit();
	world.git('checkout', '--quiet', '-b', 'mine', 'HEAD~1');
	await world.put({ 'a.txt': 'mine\n' });
	await world.commit();
	expect(() => world.git('merge', 'other')).toThrow();
}

const LETTERS = { added: 'A', untracked: 'A', modified: 'M', deleted: 'D', renamed: 'R' } as const;

function toStatusLine({ status, path, oldPath, kind }: ChangedFile): string {
	const letter = path === 'becomes-link' && kind === 'symlink' ? 'T' : LETTERS[status];
	return [letter, ...(oldPath === undefined ? [] : [oldPath]), path].join(' ');
}

function toNumberLine({ added, removed, path, oldPath, kind }: ChangedFile): string {
	const counts = kind === 'binary' ? '- -' : `${added} ${removed}`;
	return [counts, ...(oldPath === undefined ? [] : [oldPath]), path].join(' ');
}

const MARKS = { context: ' ', added: '+', removed: '-' } as const;

function toPatchLine(row: DiffRow): string {
	if (row.type === 'hunk') return row.text;
	return `${MARKS[row.type]}${row.text}${row.isUnended ? '\n\\ No newline at end of file' : ''}`;
}
