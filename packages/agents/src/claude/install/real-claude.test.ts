import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { callTool, say } from '@roost/testkit/fakes/model-reply';
import { scriptTurns } from '@roost/testkit/fakes/script';
import { type ClaudeRig, openClaudeRig } from '@roost/testkit/rigs/agents/claude-rig';
import { type HookRig, openHookRig } from '@roost/testkit/rigs/agents/hook-rig';
import { testedFile } from '@roost/testkit/rigs/runner/roost-cli';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { buildInstalledHooks, planInstall, planUninstall } from '../../install/installed-hooks.ts';
import { readSettings } from '../../install/settings-file.ts';
import { buildHookSettings } from '../hooks/settings.ts';
import { applySettingsEdit, readInstalledStatus } from './project-hooks.ts';

const forwarder = {
	node: process.execPath,
	script: testedFile('forwarder'),
};
const DEADLINE_MS = 120_000;

async function installInto(claude: ClaudeRig, rig: HookRig, home: string) {
	const secretFile = join(home, 'project.secret');
	await writeFile(secretFile, rig.launch.secret, { mode: 0o600 });
	const hooks = buildInstalledHooks({ forwarder, socketPath: rig.server.socketPath, secretFile, startFile: '/home/start.json' });
	const { project } = claude;
	unwrap(await applySettingsEdit(project, unwrap(planInstall(unwrap(await readSettings(project)), hooks))));
	return async () => unwrap(await readInstalledStatus({ project, hooks, secretFile }));
}

const touch = (file: string) => callTool('Bash', { command: `touch ${file}`, description: 'make a file' });

/** Answers "always" in Roost: Claude then writes the rule into the settings file with the installed hooks. */
async function allowAlways(rig: HookRig): Promise<void> {
	const asked = await waitFor(() => rig.events.find((event) => event.hookName === 'PermissionRequest'), {
		deadlineMs: DEADLINE_MS,
		what: 'the agent to ask for permission',
	});
	const rule = { toolName: 'Bash', ruleContent: 'touch made' };
	const updatedPermissions = [{ type: 'addRules', rules: [rule], behavior: 'allow', destination: 'localSettings' }];
	rig.launch.runtime.sendDecision(asked.id, { verdict: { type: 'allow', updatedPermissions }, source: 'user' });
}

function passToolCalls(rig: HookRig): void {
	rig.launch.runtime.onEvent((event) => {
		if (event.hookName === 'PreToolUse') rig.launch.runtime.sendDecision(event.id, { verdict: { type: 'none' }, source: 'rule' });
	});
}

describe('real claude in an installed project', () => {
	it(
		'reports with the secret from the file and keeps the hook entries when it rewrites its settings',
		async () => {
			await using home = await createTempDir();
			await using rig = await openHookRig();
			await using claude = await openClaudeRig({ script: scriptTurns([touch('made')], [say('done')]) });
			const status = await installInto(claude, rig, home.path);
			passToolCalls(rig);
			const run = claude.run(['-p', 'go', '--permission-mode', 'manual'], { timeoutMs: DEADLINE_MS });
			const [exit] = await Promise.all([run, allowAlways(rig)]);
			expect(exit).toMatchObject({ code: 0, stdout: 'done\n', stderr: '' });
			const names = rig.events.map((event) => event.hookName);
			expect(names).toEqual(expect.arrayContaining(['SessionStart', 'PreToolUse', 'PermissionRequest', 'SessionEnd']));
			expect(new Set(rig.events.map((event) => event.sessionId)).size).toBe(1);
			expect(rig.refused).toEqual([]);
			expect(existsSync(join(claude.project, 'made'))).toBe(true);

			const rewritten = await readFile(join(claude.project, '.claude', 'settings.local.json'), 'utf8');
			expect(rewritten).toContain('Bash(touch made)');
			expect(await status()).toEqual({ state: 'installed' });
			const left = unwrap(planUninstall(unwrap(await readSettings(claude.project)))).after;
			expect(JSON.parse(left ?? '')).toEqual({ permissions: { allow: ['Bash(touch made)'] } });
		},
		2 * DEADLINE_MS,
	);

	it(
		'reports each event once when launched by Roost',
		async () => {
			await using home = await createTempDir();
			await using rig = await openHookRig();
			await using claude = await openClaudeRig({ script: scriptTurns([say('done')]) });
			await installInto(claude, rig, home.path);
			const { httpUrl, socketPath } = rig.server;
			const { secret } = rig.launch;
			const settings = buildHookSettings({
				httpUrl,
				socketPath,
				forwarder: { ...forwarder, askMs: DEADLINE_MS },
				gate: 'observe',
				transport: 'http',
				secret,
				env: {},
			});
			const options = { settings, timeoutMs: DEADLINE_MS, env: { ROOST_HOOK_SECRET: secret } };
			expect(await claude.run(['-p', 'go'], options)).toMatchObject({ code: 0, stdout: 'done\n', stderr: '' });
			const names = rig.events.map((event) => event.hookName);
			expect(names).toContain('SessionStart');
			expect(names).toEqual([...new Set(names)]);
		},
		2 * DEADLINE_MS,
	);

	it(
		'works normally if Roost is not running',
		async () => {
			await using home = await createTempDir();
			await using rig = await openHookRig();
			await using claude = await openClaudeRig({
				script: scriptTurns([callTool('Bash', { command: 'echo hi', description: 'x' })], [say('done')]),
			});
			await installInto(claude, rig, home.path);
			await rig.server.close();
			const exit = await claude.run(['-p', 'go', '--permission-mode', 'manual'], { timeoutMs: DEADLINE_MS });
			expect(exit).toMatchObject({ code: 0, stdout: 'done\n', stderr: '' });
			expect(rig.events).toEqual([]);
		},
		2 * DEADLINE_MS,
	);
});
