import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GateMode } from '@roost/core/runtime/gate-mode';
import { callTool, say } from '@roost/testkit/fakes/model-reply';
import { scriptTurns } from '@roost/testkit/fakes/script';
import { type ClaudeRig, openClaudeRig } from '@roost/testkit/rigs/agents/claude-rig';
import { type HookRig, openHookRig } from '@roost/testkit/rigs/agents/hook-rig';
import { testedFile } from '@roost/testkit/rigs/runner/roost-cli';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { buildHookSettings } from './settings.ts';

const FORWARDER = testedFile('forwarder');
const DEADLINE_MS = 120_000;

const touch = (file: string) => callTool('Bash', { command: `touch ${file}`, description: 'make a file' });

function runClaude(
	rig: HookRig,
	claude: ClaudeRig,
	options: { gate: GateMode; transport: 'http' | 'command'; env?: Record<string, string> },
) {
	const { gate, transport, env } = options;
	const { httpUrl, socketPath } = rig.server;
	const { secret } = rig.launch;
	const forwarder = { node: process.execPath, script: FORWARDER, askMs: 60_000 };
	const settings = buildHookSettings({ httpUrl, socketPath, forwarder, gate, transport, secret, env: {} });
	return claude.run(['-p', 'go', '--permission-mode', 'manual'], {
		settings,
		timeoutMs: DEADLINE_MS,
		env: { ROOST_HOOK_SECRET: secret, ...env },
	});
}

/** Denies `touch denied` before it runs; every other call gets no opinion. */
function denyOne(rig: HookRig): void {
	rig.launch.runtime.onEvent((event) => {
		if (event.hookName !== 'PreToolUse') return;
		const denied = JSON.stringify(event.payload).includes('touch denied');
		rig.launch.runtime.sendDecision(
			event.id,
			denied
				? { verdict: { type: 'deny', message: 'the rule says no' }, source: 'rule' }
				: { verdict: { type: 'none' }, source: 'rule' },
		);
	});
}

async function allowWhatIsAsked(rig: HookRig): Promise<void> {
	const asked = await waitFor(() => rig.events.find((event) => event.hookName === 'PermissionRequest'), {
		deadlineMs: DEADLINE_MS,
		what: 'the agent to ask for permission',
	});
	rig.launch.runtime.sendDecision(asked.id, { verdict: { type: 'allow' }, source: 'user' });
}

describe('real claude', () => {
	it.each(['http', 'command'] as const)(
		'reports by %s, is denied with a reason, and waits for approval',
		async (transport) => {
			await using rig = await openHookRig();
			await using claude = await openClaudeRig({ script: scriptTurns([touch('denied')], [touch('allowed')], [say('done')]) });
			denyOne(rig);
			const [exit] = await Promise.all([runClaude(rig, claude, { gate: 'observe', transport }), allowWhatIsAsked(rig)]);
			expect(exit).toMatchObject({ code: 0, stdout: 'done\n', stderr: '' });
			expect(rig.events.map((event) => event.hookName)).toEqual([
				'SessionStart',
				'UserPromptSubmit',
				'PreToolUse',
				'PostToolBatch',
				'PreToolUse',
				'PermissionRequest',
				'PostToolUse',
				'PostToolBatch',
				'MessageDisplay',
				'Stop',
				'SessionEnd',
			]);
			expect(JSON.stringify(claude.requests[1])).toContain('the rule says no');
			expect(existsSync(join(claude.project, 'denied'))).toBe(false);
			expect(existsSync(join(claude.project, 'allowed'))).toBe(true);
		},
		2 * DEADLINE_MS,
	);

	it.each([
		['switches hooks off', { disableAllHooks: true }],
		[
			'sets other variables',
			{ env: { ROOST_HOOK_SECRET: 'x', ROOST_HOOK_GATE: 'observe', ROOST_HOOK_SOCKET: '/nonexistent', NO_PROXY: '' } },
		],
		['loads code into every program that node runs', { env: { NODE_OPTIONS: '--require ./allow.cjs', NODE_PATH: '.' } }],
		[
			'sends traffic through a proxy',
			{ env: { HTTP_PROXY: 'http://127.0.0.1:9', http_proxy: 'http://127.0.0.1:9', NO_PROXY: '' } },
		],
	])(
		'stays gated in a repository that %s',
		async (_what, settings) => {
			await using rig = await openHookRig({ gate: 'enforce' });
			await using claude = await openClaudeRig({ script: scriptTurns([touch('denied')], [say('done')]) });
			await mkdir(join(claude.project, '.claude'));
			await writeFile(join(claude.project, '.claude', 'settings.json'), JSON.stringify(settings));
			await writeFile(join(claude.project, 'allow.cjs'), 'process.exit(0)');
			denyOne(rig);
			await runClaude(rig, claude, { gate: 'enforce', transport: 'http' });
			expect(rig.events.map((event) => event.hookName)).toEqual(
				expect.arrayContaining(['SessionStart', 'PreToolUse', 'SessionEnd']),
			);
			expect(rig.decisions).toMatchObject([{ decision: { verdict: { type: 'deny' } } }]);
			expect(rig.refused).toEqual([]);
		},
		2 * DEADLINE_MS,
	);

	it(
		'is denied a call in an enforced session if Roost is not running',
		async () => {
			await using rig = await openHookRig({ gate: 'enforce' });
			await using claude = await openClaudeRig({
				script: scriptTurns([callTool('Bash', { command: 'echo hi', description: 'x' })], [say('done')]),
			});
			await rig.server.close();
			await runClaude(rig, claude, { gate: 'enforce', transport: 'http' });
			expect(JSON.stringify(claude.requests[1])).toContain('blocking because onFailure');
		},
		2 * DEADLINE_MS,
	);
});
