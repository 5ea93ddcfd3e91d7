import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { createInstalledProjects } from './installed-projects.ts';

const A = { path: '/a', agent: 'claude' as const };
const B = { path: '/b', agent: 'claude' as const };
const digest = (letter: string) => letter.repeat(64);

describe('installed projects', () => {
	it('are empty if nothing was ever installed', async () => {
		await using temp = await createTempDir();
		const projects = createInstalledProjects(join(temp.path, 'hooks'));
		expect([projects.list(), projects.find(digest('a'))]).toEqual([[], undefined]);
		projects.remove(A);
	});

	it('are found by the digest of their latest secret until they are removed', async () => {
		await using temp = await createTempDir();
		const projects = createInstalledProjects(temp.path);
		unwrap(projects.add(digest('a'), A));
		unwrap(projects.add(digest('b'), B));
		unwrap(projects.add(digest('c'), A));
		expect([projects.find(digest('a')), projects.find(digest('b')), projects.find(digest('c'))]).toEqual([undefined, B, A]);
		projects.remove({ ...A, agent: 'codex' });
		expect(projects.list()).toHaveLength(2);
		projects.remove(A);
		expect(projects.list()).toEqual([B]);
		const [file] = readdirSync(temp.path);
		expect(statSync(join(temp.path, file ?? '')).mode & 0o777).toBe(0o600);
	});

	it('are separate per agent, and default to claude for records of an earlier version', async () => {
		await using temp = await createTempDir();
		const projects = createInstalledProjects(temp.path);
		const codex = { ...A, agent: 'codex' as const };
		writeFileSync(join(temp.path, `${digest('a')}.json`), '{"id":"/a","path":"/a"}', { mode: 0o600 });
		unwrap(projects.add(digest('b'), codex));
		expect([projects.find(digest('a')), projects.find(digest('b'))]).toEqual([A, codex]);
		projects.remove(A);
		expect(projects.list()).toEqual([codex]);
	});

	it('are never read through a path traversal or a symlink', async () => {
		await using temp = await createTempDir();
		const dir = join(temp.path, 'hooks');
		mkdirSync(dir);
		writeFileSync(join(temp.path, 'planted.json'), JSON.stringify(A), { mode: 0o600 });
		chmodSync(dir, 0o700);
		symlinkSync(join(temp.path, 'planted.json'), join(dir, `${digest('a')}.json`));
		const projects = createInstalledProjects(dir);
		expect([projects.find('../planted'), projects.find(digest('a')), projects.list()]).toEqual([undefined, undefined, []]);
	});

	it('leave out unreadable entries', async () => {
		await using temp = await createTempDir();
		writeFileSync(join(temp.path, `${digest('a')}.json`), '{"id":"/a"', { mode: 0o600 });
		writeFileSync(join(temp.path, `${digest('b')}.json`), '{"id":"/b"}', { mode: 0o600 });
		expect(createInstalledProjects(temp.path).list()).toEqual([]);
	});
});
