// The user's own codex, observed and gated by trusted hooks of one launch: the real program, in a terminal and without.
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createFeedMapper } from '@roost/core/feed/mapper';
import { RUNTIME_ERROR, type RuntimeEvent } from '@roost/core/runtime/event';
import { sessionId } from '@roost/protocol/ids';
import { callTool, message, say } from '@roost/testkit/fakes/model-reply';
import type { Script } from '@roost/testkit/fakes/script';
import { codexWords, openCodexRig } from '@roost/testkit/rigs/codex-rig';
import { ALLOW, NO_OPINION, type TestGate } from '@roost/testkit/rigs/driven-story';
import { startProgram } from '@roost/testkit/rigs/program';
import { createTmuxRig } from '@roost/testkit/rigs/tmux-rig';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { readCodexHookPayloads } from '@roost/testkit/samples/codex-samples';
import { describe, expect, it } from 'vitest';
import { openSocketDoor } from '../claude/hooks/socket-door.ts';
import { hookEnvironment } from '../claude/launch.ts';
import { isJsonObject } from '../json-object.ts';
import { realTimers } from '../timers.ts';
import { detectReady } from './detect-ready.ts';
import { readCodexArgs, toCodexArgv } from './launch.ts';
import { createCodexLaunchRuntime, toNormalPayloads } from './launch-runtime.ts';

/** Calls what its first prompt names, one after the other. */
const calls: Script = ({ messages, lastUserText, toolResults }) => {
	if (lastUserText === '' && toolResults.length > 0 && messages.filter(({ role }) => role === 'assistant').length > 2)
		return message([say('done')]);
	const made = messages.filter(({ role }) => role === 'assistant').length;
	const next = [codexWords.shell('echo forbidden'), codexWords.shell('echo plain'), codexWords.write('made', 'x\n')][made];
	return message([next ?? say('done')]);
};

async function openLaunch(script: Script, gate: TestGate) {
	await using stack = new AsyncDisposableStack();
	const rig = stack.use(await openCodexRig({ script }));
	const runDir = join(dirname(rig.home), 'run');
	await mkdir(runDir, { mode: 0o700 });
	const target = createCodexLaunchRuntime({
		gate: 'enforce',
		timers: realTimers,
		now: Date.now,
		newId: () => crypto.randomUUID(),
	});
	const socketPath = join(runDir, 'hooks.sock');
	const findTarget = (given: string | undefined) => (given === 'secret' ? { ...target, stop: target.runtime.stop } : undefined);
	const newId = () => crypto.randomUUID();
	const door = await openSocketDoor({ findTarget, now: Date.now, newId, maxBytes: 1_000_000, onRefused: () => {} }, socketPath);
	stack.defer(() => door.close());
	const events: RuntimeEvent[] = [];
	target.runtime.onEvent((event) => {
		events.push(event);
		const decision = event.interaction.expectsDecision ? gate(event) : undefined;
		if (decision) target.runtime.sendDecision(event.id, decision);
	});
	target.runtime.start();
	const env = { ...rig.env, ...hookEnvironment({ secret: 'secret', socketPath, gate: 'enforce', session: 's' }) };
	const owned = stack.move();
	return { rig, events, env, forwarder: rig.deps.forwarder, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

describe("the user's own codex, launched by Roost", () => {
	it('reports what it does without a terminal, and is refused what the gate refuses', async () => {
		await using launch = await openLaunch(calls, (event) =>
			JSON.stringify(event.payload).includes('forbidden')
				? { type: 'block', source: 'rule', reason: 'the rule says no' }
				: NO_OPINION,
		);
		const read = readCodexArgs(['exec', '--skip-git-repo-check', '--sandbox=workspace-write', '--', 'go']);
		expect(read).toMatchObject({ headless: true, managementOnly: false, skipsHooks: false });
		const argv = toCodexArgv(read, launch.forwarder);
		await using program = await startProgram([launch.rig.binary, ...argv], { cwd: launch.rig.project, env: launch.env });
		expect(await program.waitForExit(40_000)).toMatchObject({ code: 0, stdout: 'done\n' });
		const hooks = launch.events.map(({ hookName, toolName }) => (toolName ? `${hookName} ${toolName}` : hookName));
		expect(hooks).toEqual([
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
		expect(launch.rig.requests[1]?.toolResults[0]?.text).toContain('the rule says no');
		expect(existsSync(join(launch.rig.project, 'made'))).toBe(true);
		const mapper = createFeedMapper(sessionId.parse('s'));
		const kinds = launch.events.flatMap((event) => mapper.mapEvent(event)).map(({ kind }) => kind);
		expect(kinds).not.toContain('unknown.hook');
		expect(launch.events.filter(({ hookName }) => hookName === RUNTIME_ERROR)).toEqual([]);
	}, 60_000);

	it('in its terminal asks Roost before it asks there', async () => {
		const script: Script = ({ toolResults }) =>
			message([
				toolResults.length > 0
					? say('done')
					: callTool('exec_command', { cmd: 'touch asked', sandbox_permissions: 'require_escalated', justification: 'May I?' }),
			]);
		await using launch = await openLaunch(script, (event) => (event.hookName === 'PreToolUse' ? NO_OPINION : ALLOW));
		await using tmux = await createTmuxRig();
		const argv = toCodexArgv(readCodexArgs(['go']), launch.forwarder);
		const terminal = await tmux.start([launch.rig.binary, ...argv], { cwd: launch.rig.project, env: launch.env });
		await waitFor(
			async () => {
				const state = detectReady(await terminal.screen());
				if (state.phase === 'dialog') await terminal.key(state.action);
				return launch.events.some(({ hookName }) => hookName === 'Stop') ? true : undefined;
			},
			{ deadlineMs: 30_000, what: 'the end of the turn', everyMs: 300, seen: () => terminal.screen() },
		);
		expect(launch.events.filter(({ interaction }) => interaction.expectsDecision).map(({ hookName }) => hookName)).toEqual([
			'PreToolUse',
			'PermissionRequest',
		]);
		expect(existsSync(join(launch.rig.project, 'asked'))).toBe(true);
	}, 60_000);

	it('knows its arguments', () => {
		expect(readCodexArgs(['mcp', 'list']).managementOnly).toBe(true);
		expect(readCodexArgs(['--version']).managementOnly).toBe(true);
		expect(readCodexArgs(['--', '--version']).managementOnly).toBe(false);
		expect(readCodexArgs(['-c', 'features.hooks=false']).skipsHooks).toBe(true);
		expect(readCodexArgs(['--disable', 'hooks']).skipsHooks).toBe(true);
		const forwarder = { node: '/n', script: '/f' };
		expect(toCodexArgv(readCodexArgs(['fix it']), forwarder).at(0)).toBe('--no-daemon');
		expect(toCodexArgv(readCodexArgs(['exec', 'x']), forwarder)).toEqual(
			expect.arrayContaining(['exec', 'hooks.Stop=[{hooks=[{type="command", command="/n /f Stop", timeout=10}]}]', 'x']),
		);
	});

	it('speaks in payloads that become the normal form, one for each file of a patch', () => {
		const tools = readCodexHookPayloads().filter(isJsonObject).flatMap(toNormalPayloads);
		expect(tools.map(({ hook_event_name, tool_name }) => [hook_event_name, tool_name])).toContainEqual(['PreToolUse', 'Bash']);
		const patch = '*** Begin Patch\n*** Add File: a\n+x\n*** Delete File: b\n*** End Patch';
		const payload = { tool_name: 'apply_patch', tool_input: { command: patch }, tool_use_id: 't', cwd: '/w' };
		expect(toNormalPayloads(payload)).toMatchObject([
			{ tool_name: 'Write', tool_input: { file_path: '/w/a', content: 'x\n' }, native_tool_name: 'apply_patch' },
			{ tool_name: 'Edit', tool_input: { file_path: '/w/b', deletes: true } },
		]);
	});
});
