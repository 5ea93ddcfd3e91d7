// The user's own codex, observed and gated by the trusted hooks of a launch: the real program, in a terminal and without one.
import { existsSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFeedMapper } from '@roost/core/feed/mapper';
import { RUNTIME_ERROR } from '@roost/core/runtime/event';
import type { GateMode } from '@roost/core/runtime/gate-mode';
import { sessionId } from '@roost/protocol/ids';
import { type Block, callTool, message, say } from '@roost/testkit/fakes/model-reply';
import type { Script } from '@roost/testkit/fakes/script';
import { agentProgram } from '@roost/testkit/rigs/agents/agent-programs';
import { type CodexRig, codexWords, openCodexRig, toPatch } from '@roost/testkit/rigs/agents/codex-rig';
import { ALLOW, NO_OPINION, type TestGate } from '@roost/testkit/rigs/agents/driven-story';
import { FORWARDER, type ObservedLaunch, openObservedLaunch } from '@roost/testkit/rigs/agents/observed-launch';
import { startProgram } from '@roost/testkit/rigs/program';
import { putFiles } from '@roost/testkit/rigs/put-files';
import { cannotRun, program } from '@roost/testkit/rigs/requirements';
import { createTmuxRig } from '@roost/testkit/rigs/terminal/tmux-rig';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { readRecordedHooks } from '@roost/testkit/samples/agent-samples';
import { describe, expect, it } from 'vitest';
import { isJsonObject } from '../base/json-object.ts';
import { detectReady } from './codex-adapter.ts';
import { readCodexArgs, toCodexArgv } from './launch.ts';
import { CODEX_HOOK_PROTOCOL, toNormalPayloads } from './observed-hooks.ts';

const DEADLINE_MS = 120_000;

/** One call after the other, regardless of their results. */
const inTurn =
	(...blocks: readonly Block[]): Script =>
	({ messages }) =>
		message([blocks[messages.filter(({ role }) => role === 'assistant').length] ?? say('done')]);

const has = (rig: CodexRig, ...files: readonly string[]) => files.map((file) => existsSync(join(rig.project, file)));

async function exec(rig: CodexRig, gate: GateMode, launch: Pick<ObservedLaunch, 'env'>, forwarder = FORWARDER) {
	const read = readCodexArgs(['exec', '--skip-git-repo-check', '--sandbox=workspace-write', '--', 'go']);
	const argv = toCodexArgv(read, forwarder, gate);
	await using running = await startProgram([rig.program, ...argv], { cwd: rig.project, env: { ...rig.env, ...launch.env } });
	return await running.waitForExit(DEADLINE_MS);
}

describe.skipIf(cannotRun([agentProgram('codex')]))("the user's own codex", () => {
	it('reports its calls in observe mode, runs them as usual and blocks those that a rule denies', async () => {
		const script = inTurn(codexWords.shell('echo forbidden'), codexWords.shell('echo plain'), codexWords.write('made', 'x\n'));
		await using rig = await openCodexRig({ script });
		await using launch = await openObservedLaunch(CODEX_HOOK_PROTOCOL, 'observe', ({ payload }) =>
			JSON.stringify(payload).includes('forbidden')
				? { verdict: { type: 'deny', message: 'the rule says no' }, source: 'rule', reason: 'the rule says no' }
				: NO_OPINION,
		);
		expect(await exec(rig, 'observe', launch)).toMatchObject({ code: 0, stdout: 'done\n' });
		expect(launch.events.map(({ hookName, toolName }) => (toolName ? `${hookName} ${toolName}` : hookName))).toEqual([
			'SessionStart',
			'UserPromptSubmit',
			'PreToolUse Bash',
			'PreToolUse Bash',
			'PostToolUse Bash',
			'PreToolUse Write',
			'PostToolUse Write',
			'Stop',
			'SessionEnd',
		]);
		expect(rig.requests[1]?.toolResults[0]?.text).toContain('the rule says no');
		expect(has(rig, 'made')).toEqual([true]);
		const mapper = createFeedMapper(sessionId.parse('s'));
		const kinds = launch.events.flatMap((event) => mapper.mapEvent(event)).map(({ kind }) => kind);
		expect(kinds).not.toContain('unknown.hook');
		expect(launch.reported(RUNTIME_ERROR)).toEqual([]);
	});

	it('in enforce mode asks about each command, runs edited input and never applies a patch partially', async () => {
		const patch = toPatch([
			{ add: 'one.txt', text: 'x\n' },
			{ add: 'two.txt', text: 'x\n' },
		]);
		const script = inTurn(
			codexWords.shell('touch plain'),
			codexWords.shell('touch changed'),
			codexWords.shell('touch silent'),
			callTool('apply_patch', { input: patch }),
			callTool('update_plan', { plan: [{ step: 'rest', status: 'pending' }] }),
		);
		await using rig = await openCodexRig({ script });
		const decide: TestGate = ({ hookName, payload }) => {
			const text = JSON.stringify(payload);
			if (hookName === 'PreToolUse') return NO_OPINION;
			if (text.includes('silent'))
				return {
					verdict: { type: 'deny', message: 'nobody answered in time' },
					source: 'timeout',
					reason: 'nobody answered in time',
				};
			if (text.includes('two.txt')) return { verdict: { type: 'deny', message: 'no' }, source: 'user' };
			if (!text.includes('changed')) return ALLOW;
			return { verdict: { type: 'allow', updatedInput: { command: 'touch other' } }, source: 'user' };
		};
		await using launch = await openObservedLaunch(CODEX_HOOK_PROTOCOL, 'enforce', decide);
		expect(await exec(rig, 'enforce', launch)).toMatchObject({ code: 0, stdout: 'done\n' });
		expect(has(rig, 'plain', 'changed', 'other', 'silent', 'one.txt', 'two.txt')).toEqual([
			true,
			false,
			true,
			false,
			false,
			false,
		]);
		expect(launch.reported('PermissionRequest')).toHaveLength(5);
	});

	it.each([
		['Roost is not running', 'observe', true],
		['Roost is not running', 'enforce', false],
		['the forwarder is missing', 'observe', true],
		['the forwarder is missing', 'enforce', false],
	] as const)('runs the call if %s in %s mode: %s', async (what, gate, works) => {
		await using rig = await openCodexRig({ script: inTurn(codexWords.shell('touch made')) });
		await using launch = await openObservedLaunch(CODEX_HOOK_PROTOCOL, gate, () => ALLOW);
		if (what === 'Roost is not running') await launch.stop();
		const forwarder = what === 'Roost is not running' ? FORWARDER : { ...FORWARDER, script: join(launch.dir, 'nothing') };
		expect(await exec(rig, gate, launch, forwarder)).toMatchObject({ code: 0 });
		expect(has(rig, 'made')).toEqual([works]);
	});

	it('stays gated in a trusted repository that switches hooks off', async () => {
		await using rig = await openCodexRig({ script: inTurn(codexWords.shell('touch made')) });
		await putFiles(rig.project, { '.codex/config.toml': '[features]\nhooks = false\n[hooks]\nPreToolUse = []\n' });
		await appendFile(
			join(rig.configDir, 'config.toml'),
			`\n[projects.${JSON.stringify(rig.project)}]\ntrust_level = "trusted"\n`,
		);
		await using launch = await openObservedLaunch(CODEX_HOOK_PROTOCOL, 'enforce', () => NO_OPINION);
		await exec(rig, 'enforce', launch);
		expect(launch.reported('PreToolUse')).toHaveLength(1);
		expect(has(rig, 'made')).toEqual([false]);
	});

	it('normalizes hook payloads, with one call per file of a patch', () => {
		const tools = readRecordedHooks('codex')
			.map(({ payload }) => payload)
			.filter(isJsonObject)
			.flatMap(toNormalPayloads);
		expect(tools.map(({ hook_event_name, tool_name }) => [hook_event_name, tool_name])).toContainEqual(['PreToolUse', 'Bash']);
		const patch = '*** Begin Patch\n*** Add File: a\n+x\n*** Delete File: b\n*** End Patch';
		const payload = { tool_name: 'apply_patch', tool_input: { command: patch }, tool_use_id: 't', cwd: '/w' };
		expect(toNormalPayloads(payload)).toMatchObject([
			{ tool_name: 'Write', tool_input: { file_path: '/w/a', content: 'x\n' }, native_tool_name: 'apply_patch' },
			{ tool_name: 'Edit', tool_input: { file_path: '/w/b', deletes: true } },
		]);
	});
});

const escalate: Script = ({ toolResults }) =>
	message([
		toolResults.length > 0
			? say('done')
			: callTool('exec_command', { cmd: 'touch asked', sandbox_permissions: 'require_escalated', justification: 'May I?' }),
	]);

describe.skipIf(cannotRun([agentProgram('codex'), program('tmux')]))("the user's own codex in its terminal", () => {
	it('shows its own approval dialog in observe mode without waiting for Roost', async () => {
		await using rig = await openCodexRig({ script: escalate });
		// Permission requests are not answered.
		const decide: TestGate = ({ hookName }) => (hookName === 'PreToolUse' ? NO_OPINION : undefined);
		await using launch = await openObservedLaunch(CODEX_HOOK_PROTOCOL, 'observe', decide);
		await using tmux = await createTmuxRig();
		const argv = toCodexArgv(readCodexArgs(['go']), FORWARDER, 'observe');
		const env = { ...rig.env, ...launch.env };
		const terminal = await tmux.start([rig.program, ...argv], { cwd: rig.project, env, cols: 80, rows: 24 });
		await waitFor(
			async () => {
				const screen = await terminal.screen();
				const state = detectReady(screen);
				if (screen.includes('Would you like to run')) await terminal.key('Enter');
				else if (state.phase === 'dialog') await terminal.key(state.action);
				return launch.reported('Stop').length > 0 ? true : undefined;
			},
			{ deadlineMs: DEADLINE_MS, what: 'the end of the turn', everyMs: 300, seen: () => terminal.screen() },
		);
		expect(launch.reported('PermissionRequest')).toMatchObject([{ tool_name: 'Bash', tool_input: { command: 'touch asked' } }]);
		expect(has(rig, 'asked')).toEqual([true]);
	});
});
