import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { buildInstalledHooks, planInstall } from '../../install/installed-hooks.ts';
import { readSettings } from '../../install/settings-file.ts';
import { applySettingsEdit, readInstalledStatus } from './project-hooks.ts';

async function openInstalled() {
	const dir = await createTempDir();
	const [project, script, secretFile] = ['project', 'forwarder.js', 'x.secret'].map((name) => join(dir.path, name));
	if (!project || !script || !secretFile) throw new Error('three paths');
	await mkdir(project);
	await writeFile(script, '');
	await writeFile(secretFile, 'secret');
	const options = (path: string) => ({
		forwarder: { node: process.execPath, script: path },
		socketPath: '/run/x.sock',
		secretFile,
		startFile: '/home/start.json',
	});
	const hooks = buildInstalledHooks(options(script));
	unwrap(await applySettingsEdit(project, unwrap(planInstall(unwrap(await readSettings(project)), hooks))));
	const file = join(project, '.claude', 'settings.local.json');
	return {
		project,
		script,
		secretFile,
		file,
		status: async () => unwrap(await readInstalledStatus({ project, hooks, secretFile })),
		statusOfNewer: async () =>
			unwrap(await readInstalledStatus({ project, hooks: buildInstalledHooks(options(join(dir.path, 'newer.js'))), secretFile })),
		async change(edit: (settings: { hooks: Record<string, { hooks: Record<string, unknown>[] }[]> }) => void) {
			const settings = JSON.parse(await readFile(file, 'utf8'));
			edit(settings);
			await writeFile(file, JSON.stringify(settings));
		},
		hooks,
		[Symbol.asyncDispose]: dir[Symbol.asyncDispose],
	};
}

const drift = (...sentences: string[]) => ({ state: 'drifted', drifts: sentences.map((text) => expect.stringContaining(text)) });

describe('installation status', () => {
	it('is installed if the entries are unchanged, even after other settings were added', async () => {
		await using rig = await openInstalled();
		expect(await rig.status()).toEqual({ state: 'installed' });
		await rig.change((settings) => Object.assign(settings, { permissions: { allow: ['Bash(ls)'] } }));
		expect(await rig.status()).toEqual({ state: 'installed' });
	});

	it('is none if there are no Roost entries and no secret', async () => {
		await using rig = await openInstalled();
		await rm(rig.secretFile);
		await writeFile(rig.file, '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"mine"}]}]}}');
		expect(await rig.status()).toEqual({ state: 'none' });
		await rm(rig.file);
		expect(await rig.status()).toEqual({ state: 'none' });
	});

	it('reports removed entries, some or all', async () => {
		await using rig = await openInstalled();
		await rig.change(({ hooks }) => {
			delete hooks.Stop;
			delete hooks.SessionEnd;
		});
		expect(await rig.status()).toEqual(drift('missing for: SessionEnd, Stop'));
		await rm(rig.file);
		expect(await rig.status()).toEqual(drift('every entry of Roost was removed'));
	});

	it('reports changed, duplicate and unexpected entries', async () => {
		await using rig = await openInstalled();
		await rig.change(({ hooks }) => {
			Object.assign(hooks.PreToolUse?.[0]?.hooks[0] ?? {}, { command: process.argv0, timeout: 1 });
			Object.assign(hooks.PostToolUse?.[0] ?? {}, { matcher: 'Bash' });
			hooks.Stop?.push(...hooks.Stop);
			hooks.WorktreeCreate = hooks.Stop ?? [];
		});
		const status = await rig.status();
		expect(status).toMatchObject({
			drifts: expect.arrayContaining([
				expect.stringContaining('not as this version installs them for: PreToolUse, PostToolUse'),
				expect.stringContaining('more than one entry of Roost for: Stop'),
				expect.stringContaining('installs none for: WorktreeCreate'),
			]),
		});
	});

	it('reports a missing forwarder script and a missing secret', async () => {
		await using rig = await openInstalled();
		await rm(rig.script);
		await rm(rig.secretFile);
		expect(await rig.status()).toEqual(drift(`${rig.script}, which the entries run`, rig.secretFile));
	});

	it('reports entries of another version as a single drift', async () => {
		await using rig = await openInstalled();
		expect(await rig.statusOfNewer()).toEqual(drift('not as this version installs them'));
	});

	it.each([
		['settings.local.json', { disableAllHooks: true }, 'disableAllHooks in .claude/settings.local.json'],
		['settings.json', { disableAllHooks: true }, 'disableAllHooks in .claude/settings.json'],
		['settings.json', { env: { ROOST_HOOK_SECRET: 'x' } }, 'ROOST_HOOK_SECRET is set in .claude/settings.json'],
	])('reports that %s disables the hooks', async (name, settings, sentence) => {
		await using rig = await openInstalled();
		if (name === 'settings.json') await writeFile(join(rig.file, '..', name), JSON.stringify(settings));
		else await rig.change((own) => Object.assign(own, settings));
		expect(await rig.status()).toEqual(drift(sentence));
	});

	it('fails for corrupt settings and for a symlink', async () => {
		await using rig = await openInstalled();
		const { project, hooks, secretFile } = rig;
		await writeFile(rig.file, '{');
		expect(unwrapError(await readInstalledStatus({ project, hooks, secretFile })).code).toBe('corrupt');
		await rm(rig.file);
		await symlink(rig.script, rig.file);
		expect(unwrapError(await readInstalledStatus({ project, hooks, secretFile })).code).toBe('unsafe_path');
	});
});
