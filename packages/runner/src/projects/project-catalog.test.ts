// Projects for the API: one scan at a time, kept for the next runner, with their past sessions.
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { foundProjectId } from '@roost/protocol/api/projects';
import { createPastClaude, pastPrompt } from '@roost/testkit/rigs/agents/past-claude';
import { createTestProjects } from '@roost/testkit/rigs/runner/test-engine';
import { createGitRepository } from '@roost/testkit/rigs/shell/git-repository';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { createPastEvents } from './past-sessions.ts';
import { createProjectCatalog, openProjects } from './project-catalog.ts';
import type { Scanned, ScanOptions } from './scan-projects.ts';

const NATIVE = '5f0c8f7e-0000-4000-8000-00000000000a';
const NOBODY = foundProjectId.parse('0000000000000000');

describe('projects of a machine', () => {
	it('are unknown until the first scan, and known to the next runner immediately', async () => {
		await using world = await createWorld();
		{
			await using catalog = world.open();
			expect(catalog.list()).toEqual({ projects: [], problems: [], scannedAt: null, scanning: null });
			expect(catalog.scan().scanning).toEqual({ done: 0, total: 0 });
			await world.scanned(catalog);
			expect(catalog.list().projects).toMatchObject([{ path: world.app, pastSessions: 0 }]);
		}
		await using next = world.open();
		expect(next.list()).toMatchObject({ projects: [{ path: world.app }], scannedAt: expect.any(Number), scanning: null });
		expect((await stat(world.file)).mode & 0o777).toBe(0o600);
	});

	it('are empty if their file is malformed', async () => {
		await using world = await createWorld();
		for (const text of ['', '{', '{"projects":7}', '[]']) {
			await writeFile(world.file, text, { mode: 0o600 });
			await using catalog = world.open();
			expect(catalog.list()).toMatchObject({ projects: [], scannedAt: null });
		}
	});

	it('are scanned once at a time, with the progress for all clients', async () => {
		await using world = await createWorld();
		const looks: (ScanOptions & { end: (scanned: Scanned) => void })[] = [];
		await using catalog = world.openWith((options) => {
			const { promise, resolve } = Promise.withResolvers<Scanned>();
			looks.push({ ...options, end: resolve });
			return promise;
		});
		catalog.scan();
		looks[0]?.onProgress(3, 9);
		expect(catalog.scan().scanning).toEqual({ done: 3, total: 9 });
		expect(looks).toHaveLength(1);
		looks[0]?.end({ projects: [], problems: [], homes: new Map() });
		await world.scanned(catalog);
		expect(catalog.scan().scanning).toEqual({ done: 0, total: 0 });
		expect(looks).toHaveLength(2);
		looks[1]?.end({ projects: [], problems: [], homes: new Map() });
	});

	it('stay unscanned when a scan fails, with a warning', async () => {
		await using world = await createWorld();
		const warned: string[] = [];
		await using catalog = world.openWith(() => Promise.reject(new Error('out of luck')), warned);
		catalog.scan();
		await waitFor(() => warned[0], { what: 'the warning' });
		expect(warned).toEqual(['The project scan failed: out of luck']);
		expect(catalog.list()).toMatchObject({ scannedAt: null, scanning: null });
	});

	it('do not prevent a runner from stopping during a scan', async () => {
		await using world = await createWorld();
		const warned: string[] = [];
		const catalog = world.openWith(
			({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
			warned,
		);
		catalog.scan();
		await catalog[Symbol.asyncDispose]();
		expect(warned).toEqual([]);
	});
});

describe('past sessions of a project', () => {
	it('are listed and opened, including those added after the last scan', async () => {
		await using world = await createWorld();
		await using catalog = world.open();
		catalog.scan();
		await world.scanned(catalog);
		const id = catalog.list().projects[0]?.id ?? NOBODY;
		await world.past.add({ cwd: world.app, id: NATIVE, lines: [pastPrompt('Mend it')] });
		const empty = await world.past.add({ cwd: join(world.app, 'deep'), lines: ['garbage', { type: 'mode' }] });
		await world.past.add({ cwd: world.path });
		await mkdir(join(world.app, 'deep'));
		const { sessions, problems } = unwrap(await catalog.pastSessions(id));
		expect(problems).toEqual([]);
		expect(sessions.map(({ nativeId, title, resumable }) => ({ nativeId, title, resumable }))).toEqual([
			{ nativeId: empty, title: '', resumable: false },
			{ nativeId: NATIVE, title: 'Mend it', resumable: true },
		]);
		const page = unwrap(await catalog.pastEvents(id, NATIVE, { after: 0, limit: 3 }));
		expect(page.events.map(({ event }) => event.kind)).toEqual(['session.start', 'run.start', 'user.prompt']);
	});

	it('show no secret in their titles, not even part of one', async () => {
		await using world = await createWorld();
		await using catalog = world.open();
		catalog.scan();
		await world.scanned(catalog);
		const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
		await world.past.add({ cwd: world.app, lines: [pastPrompt(`${'Please use my token, '.repeat(3)}${secret}`)] });
		const { sessions } = unwrap(await catalog.pastSessions(catalog.list().projects[0]?.id ?? NOBODY));
		expect(sessions[0]?.title).toMatch(/^Please use .*\[redacted:/);
		expect(sessions[0]?.title).not.toContain(secret.slice(0, 8));
	});

	it('cannot be resumed if their folder is missing', async () => {
		await using world = await createWorld();
		await using catalog = world.open();
		await world.past.add({ cwd: world.app, id: NATIVE });
		expect(unwrap(await catalog.findResumable(NATIVE))).toEqual({
			agent: 'claude',
			nativeId: NATIVE,
			cwd: world.app,
			title: 'hello',
		});
		await rm(world.app, { recursive: true });
		expect(unwrapError(await catalog.findResumable(NATIVE))).toMatchObject({ code: 'not_found' });
		for (const id of ['--resume', '../x', '']) {
			expect(unwrapError(await catalog.findResumable(id))).toMatchObject({ code: 'not_found' });
		}
	});

	it('are found only in their own project, and only in an existing one', async () => {
		await using world = await createWorld();
		await using catalog = world.open();
		await world.past.add({ cwd: world.path, id: NATIVE });
		catalog.scan();
		await world.scanned(catalog);
		const app = catalog.list().projects.find(({ path }) => path === world.app)?.id ?? NOBODY;
		expect(unwrapError(await catalog.pastEvents(app, NATIVE, { after: 0, limit: 1 }))).toMatchObject({ code: 'not_found' });
		expect(unwrapError(await catalog.pastSessions(NOBODY))).toMatchObject({ code: 'not_found' });
		expect(unwrapError(await catalog.pastEvents(NOBODY, NATIVE, { after: 0, limit: 1 }))).toMatchObject({ code: 'not_found' });
	});

	it('are not read if the user disabled it', async () => {
		await using world = await createWorld();
		await using catalog = world.open({ scanClaudeProjects: false });
		await world.past.add({ cwd: world.app });
		catalog.scan();
		await world.scanned(catalog);
		expect(catalog.list().projects).toMatchObject([{ pastSessions: 0 }]);
	});

	it('can be resumed in their folder, and are not found if they do not exist', async () => {
		await using world = await createWorld();
		await using catalog = world.open();
		expect(unwrapError(await catalog.findResumable(NATIVE)).code).toBe('not_found');
		await world.past.add({ cwd: world.app, id: NATIVE });
		expect(unwrap(await catalog.findResumable(NATIVE))).toMatchObject({ nativeId: NATIVE, cwd: world.app });
	});

	it('are not changed by reading', async () => {
		await using world = await createWorld();
		await using catalog = world.open();
		await world.past.add({ cwd: world.app, id: NATIVE });
		catalog.scan();
		await world.scanned(catalog);
		const before = await readFile(world.past.pathOf(NATIVE), 'utf8');
		const id = catalog.list().projects[0]?.id ?? NOBODY;
		unwrap(await catalog.pastEvents(id, NATIVE, { after: 0, limit: 1_000 }));
		expect(await readFile(world.past.pathOf(NATIVE), 'utf8')).toBe(before);
	});
});

async function createWorld() {
	const temp = await createTempDir();
	const past = await createPastClaude(join(temp.path, '.claude'));
	const app = join(temp.path, 'code', 'app');
	const file = join(temp.path, 'projects.json');
	await mkdir(app, { recursive: true });
	await createGitRepository(app, { PATH: process.env.PATH ?? '', HOME: temp.path });
	const { identify } = createTestProjects();
	const fail = (sentence: string) => expect.fail(sentence);
	return {
		path: temp.path,
		app,
		file,
		past,
		open: ({ scanClaudeProjects = true } = {}) =>
			openProjects({
				home: { projects: file },
				config: { projects: { roots: [join(temp.path, 'code')], scanClaudeProjects, excludePatterns: [] } },
				env: { HOME: temp.path },
				identify,
				warn: fail,
			}),
		openWith: (scan: (options: ScanOptions) => Promise<Scanned>, warned: string[] = []) =>
			createProjectCatalog({
				file,
				scan,
				pastPlaces: async () => ({ placed: [], problems: [] }),
				identify,
				projectOf: () => Promise.reject(new Error('none')),
				listPastSessions: async () => ({ sessions: [], problems: [] }),
				pastEvents: createPastEvents({ redactor: { redact: (value) => ({ value, redactions: [] }) }, summarise: async () => [] }),
				now: Date.now,
				warn: (sentence) => void warned.push(sentence),
			}),
		scanned: (catalog: { list(): { scanning: object | null } }) =>
			waitFor(() => (catalog.list().scanning === null ? true : undefined), { what: 'the end of the scan' }),
		[Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
	};
}
