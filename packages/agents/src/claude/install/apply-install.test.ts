import { execFileSync } from 'node:child_process';
import { chmod, lstat, mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { buildInstalledHooks, MARKER, planInstall, planUninstall } from '../../install/installed-hooks.ts';
import { readSettings } from '../../install/settings-file.ts';
import { applySettingsEdit } from './project-hooks.ts';

const HOOKS = buildInstalledHooks({
	forwarder: { node: '/usr/bin/node', script: '/opt/roost/forwarder.js' },
	socketPath: '/run/roost/hooks.sock',
	secretFile: '/home/dev/.roost/secrets/x.secret',
	startFile: '/home/start.json',
});
const BACKUP = 'settings.local.json.roost-backup';

async function openProject(settings?: string | Buffer) {
	const dir = await createTempDir();
	const claude = join(dir.path, '.claude');
	const file = join(claude, 'settings.local.json');
	if (settings !== undefined) {
		await mkdir(claude);
		await writeFile(file, settings);
	}
	return { path: dir.path, claude, file, backup: join(claude, BACKUP), [Symbol.asyncDispose]: dir[Symbol.asyncDispose] };
}

async function install(project: string) {
	const texts = await readSettings(project);
	const edit = texts.ok ? planInstall(texts.value, HOOKS) : texts;
	return edit.ok ? applySettingsEdit(project, edit.value) : edit;
}

async function uninstall(project: string) {
	const texts = await readSettings(project);
	const edit = texts.ok ? planUninstall(texts.value) : texts;
	return edit.ok ? applySettingsEdit(project, edit.value) : edit;
}

const mode = async (path: string) => (await lstat(path)).mode & 0o777;

describe('hook installation', () => {
	it('creates a private file on install and leaves nothing after uninstall', async () => {
		await using project = await openProject();
		expect(unwrap(await install(project.path))).toEqual({ warnings: [] });
		expect(await mode(project.file)).toBe(0o600);
		expect(await readdir(project.claude)).toEqual(['settings.local.json']);
		unwrap(await uninstall(project.path));
		expect(await readdir(project.path)).not.toContain('.claude');
	});

	it('keeps the folder on uninstall if it contains other files', async () => {
		await using project = await openProject();
		unwrap(await install(project.path));
		await writeFile(join(project.claude, 'notes.md'), 'mine');
		unwrap(await uninstall(project.path));
		expect(await readdir(project.claude)).toEqual(['notes.md']);
	});

	it('keeps a private backup of the original and restores it byte for byte', async () => {
		const original = '{"hooks":{"Stop":[]},\r\n "wörds":"\\u00e9 é" }';
		await using project = await openProject(original);
		await chmod(project.file, 0o640);
		unwrap(await install(project.path));
		const once = await readFile(project.file, 'utf8');
		unwrap(await install(project.path));
		expect(await readFile(project.file, 'utf8')).toBe(once);
		expect(once).toContain(MARKER);
		expect(await mode(project.file)).toBe(0o640);
		expect(await mode(project.backup)).toBe(0o600);
		expect(await readFile(project.backup, 'utf8')).toBe(original);
		expect((await readdir(project.claude)).sort()).toEqual(['settings.local.json', BACKUP]);
		unwrap(await uninstall(project.path));
		expect(await readFile(project.file, 'utf8')).toBe(original);
		expect(await readdir(project.claude)).toEqual(['settings.local.json']);
	});

	it('keeps and never overwrites the backup if the settings have changed since', async () => {
		await using project = await openProject('{"a":1}');
		unwrap(await install(project.path));
		await writeFile(project.file, (await readFile(project.file, 'utf8')).replace('"a":1', '"a":2'));
		unwrap(await uninstall(project.path));
		expect(await readFile(project.file, 'utf8')).toBe('{"a":2}');
		unwrap(await install(project.path));
		unwrap(await uninstall(project.path));
		expect(await readFile(project.file, 'utf8')).toBe('{"a":2}');
		expect(await readFile(project.backup, 'utf8')).toBe('{"a":1}');
	});

	it('makes no backup of a file that already contains Roost entries', async () => {
		await using project = await openProject();
		unwrap(await install(project.path));
		const settings = JSON.parse(await readFile(project.file, 'utf8'));
		delete settings.hooks.Stop;
		await writeFile(project.file, JSON.stringify(settings));
		unwrap(await install(project.path));
		expect(await readdir(project.claude)).toEqual(['settings.local.json']);
	});

	it('returns a conflict if the file changes between planning and applying', async () => {
		await using project = await openProject('{"a":1}');
		const edit = unwrap(planInstall(unwrap(await readSettings(project.path)), HOOKS));
		await writeFile(project.file, '{"a":2}');
		expect(unwrapError(await applySettingsEdit(project.path, edit)).code).toBe('conflict');
		expect(await readFile(project.file, 'utf8')).toBe('{"a":2}');
		expect(await readdir(project.claude)).toEqual(['settings.local.json']);
	});

	it('leaves the file unchanged and no temporary files if it cannot write the backup', async () => {
		await using project = await openProject('{"a":1}');
		await mkdir(project.backup);
		expect(unwrapError(await install(project.path)).code).toBe('unsafe_path');
		expect(await readFile(project.file, 'utf8')).toBe('{"a":1}');
		expect((await readdir(project.claude)).sort()).toEqual(['settings.local.json', BACKUP]);
	});
});

describe('unsafe or invalid existing files', () => {
	it.each(['settings.local.json', BACKUP])('does not follow or replace a symlink at %s', async (name) => {
		await using project = await openProject();
		await using outside = await createTempDir();
		const target = join(outside.path, 'target');
		await writeFile(target, '{"victim":true}');
		await mkdir(project.claude);
		await symlink(target, join(project.claude, name));
		for (const run of [install, uninstall]) expect(unwrapError(await run(project.path)).code).toBe('unsafe_path');
		expect(await readFile(target, 'utf8')).toBe('{"victim":true}');
		expect(await readlink(join(project.claude, name))).toBe(target);
	});

	it('does not write through a dangling symlink', async () => {
		await using project = await openProject();
		await mkdir(project.claude);
		await symlink(join(project.path, 'made-by-us'), project.file);
		expect(unwrapError(await install(project.path)).code).toBe('unsafe_path');
		expect(await readdir(project.path)).toEqual(['.claude']);
	});

	it('rejects a symlink or file instead of the .claude directory', async () => {
		await using project = await openProject();
		await using outside = await createTempDir();
		await symlink(outside.path, project.claude);
		expect(unwrapError(await install(project.path)).code).toBe('unsafe_path');
		expect(await readdir(outside.path)).toEqual([]);
		await using other = await openProject();
		await writeFile(other.claude, '');
		expect(unwrapError(await install(other.path)).code).toBe('unsafe_path');
	});

	it('rejects a named pipe without blocking', async () => {
		await using project = await openProject();
		await mkdir(project.claude);
		execFileSync('mkfifo', [project.file]);
		expect(unwrapError(await install(project.path)).code).toBe('unsafe_path');
	});

	it.each([
		['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 'corrupt'],
		['a truncated file', '{"a":', 'corrupt'],
		['JSON that is not an object', '"text"', 'corrupt'],
		['a file over the size limit', ' '.repeat(1024 * 1024 + 1), 'too_large'],
	])('leaves settings of %s unchanged', async (_name, settings, code) => {
		await using project = await openProject(settings);
		for (const run of [install, uninstall]) expect(unwrapError(await run(project.path)).code).toBe(code);
		expect((await readFile(project.file)).equals(Buffer.from(settings))).toBe(true);
		expect(await readdir(project.claude)).toEqual(['settings.local.json']);
	});
});

describe('git', () => {
	it('warns if the settings file is tracked or not ignored, without changing the index', async () => {
		await using project = await openProject('{}');
		const git = (...args: string[]) => execFileSync('git', args, { cwd: project.path, encoding: 'utf8' });
		git('init', '--quiet');
		expect(unwrap(await install(project.path)).warnings).toEqual([expect.stringContaining('is not ignored by git')]);
		expect(unwrap(await uninstall(project.path)).warnings).toEqual([]);
		await writeFile(join(project.path, '.git', 'info', 'exclude'), '.claude/settings.local.json\n');
		expect(unwrap(await install(project.path)).warnings).toEqual([]);
		expect(git('ls-files')).toBe('');
		unwrap(await uninstall(project.path));
		await writeFile(join(project.path, '.git', 'info', 'exclude'), '');
		git('add', '.claude/settings.local.json');
		expect(unwrap(await install(project.path)).warnings).toEqual([expect.stringContaining('is tracked by git')]);
		expect(git('ls-files')).toBe('.claude/settings.local.json\n');
	});

	it('runs no program configured by the repository', async () => {
		await using project = await openProject('{}');
		const git = (...args: string[]) => execFileSync('git', args, { cwd: project.path });
		git('init', '--quiet');
		git('add', '.claude/settings.local.json');
		await writeFile(join(project.path, 'evil'), `#!/bin/sh\ntouch '${join(project.path, 'ran')}'\n`, { mode: 0o700 });
		git('config', 'core.fsmonitor', join(project.path, 'evil'));
		expect(unwrap(await install(project.path)).warnings).toHaveLength(1);
		expect(await readdir(project.path)).not.toContain('ran');
	});
});
