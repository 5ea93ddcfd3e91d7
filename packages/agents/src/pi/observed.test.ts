// The user's own Pi, observed: its extension reports to the real hook server, and Roost's decisions take effect.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RuntimeDecision } from '@roost/core/runtime/decision';
import type { RuntimeEvent } from '@roost/core/runtime/event';
import type { GateMode } from '@roost/core/runtime/gate-mode';
import { message, say } from '@roost/testkit/fakes/model-reply';
import { agentProgram } from '@roost/testkit/rigs/agents/agent-programs';
import { openPiRig, PI_MODEL, type PiRig, piWords } from '@roost/testkit/rigs/agents/pi-rig';
import { startProgram } from '@roost/testkit/rigs/program';
import { cannotRun } from '@roost/testkit/rigs/requirements';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { hookEnvironment } from '../hooks/hook-environment.ts';
import { startHookServer } from '../hooks/server.ts';
import { PI_HOOK_PROTOCOL, readPiArgs, toPiArgv } from './launch.ts';

const NO_OPINION: RuntimeDecision = { verdict: { type: 'none' }, source: 'rule' };
const deny: RuntimeDecision = { verdict: { type: 'deny', message: 'a rule says no' }, source: 'rule' };
const allow = (updatedInput?: Record<string, unknown>): RuntimeDecision => ({
	verdict: { type: 'allow', ...(updatedInput ? { updatedInput } : {}) },
	source: 'user',
});

const openRig = () =>
	openPiRig({
		script: ({ toolResults }) =>
			message(
				toolResults.length > 0
					? [say('done')]
					: [piWords.shell('touch one'), piWords.shell('touch two'), piWords.write('three', 'theirs')],
				{
					usage: {
						input_tokens: 1034,
						cache_read_input_tokens: 200,
						output_tokens: 56,
						output_tokens_details: { thinking_tokens: 7 },
					},
				},
			),
	});

/** Runs it until it exits, like `roost pi -p go`. */
async function observe(rig: PiRig, gate: GateMode, decide: (event: RuntimeEvent) => RuntimeDecision) {
	await using runDir = await createTempDir();
	await using server = unwrap(await startHookServer({ runDir: runDir.path, now: Date.now, newId: () => crypto.randomUUID() }));
	const { runtime, secret } = server.openLaunch({ gate, protocol: PI_HOOK_PROTOCOL });
	const events: RuntimeEvent[] = [];
	runtime.onEvent((event) => {
		events.push(event);
		if (event.interaction.expectsDecision) runtime.sendDecision(event.id, decide(event));
	});
	runtime.start();
	const env = { ...rig.env, ...hookEnvironment({ secret, socketPath: server.socketPath, gate, session: 's1' }) };
	const argv = toPiArgv(readPiArgs(['-p', '--no-extensions', '--model', PI_MODEL, 'go']));
	await using program = await startProgram([rig.program, ...argv], { cwd: rig.project, env });
	return { exit: await program.waitForExit(60_000), events };
}

describe.skipIf(cannotRun([agentProgram('pi')]))('the user’s own Pi', () => {
	it('reports its calls in observe mode, runs them as usual and blocks those that a rule denies', async () => {
		await using rig = await openRig();
		const { exit, events } = await observe(rig, 'observe', ({ payload }) =>
			JSON.stringify(payload).includes('touch two') ? deny : NO_OPINION,
		);
		expect(exit).toMatchObject({ code: 0, stdout: 'done\n' });
		expect(['one', 'two', 'three'].map((name) => existsSync(join(rig.project, name)))).toEqual([true, false, true]);
		const reported = (hook: string) => events.filter(({ hookName }) => hookName === hook).map(({ payload }) => payload);
		expect(reported('SessionStart')).toMatchObject([{ source: 'startup', model: 'fake/fake-model', cwd: rig.project }]);
		expect(reported('UserPromptSubmit')).toMatchObject([{ prompt: 'go' }]);
		expect(reported('PreToolUse')).toMatchObject([
			{ tool_name: 'Bash', tool_input: { command: 'touch one' }, native_tool_name: 'bash' },
			{ tool_name: 'Bash' },
			{ tool_name: 'Write', tool_input: { file_path: join(rig.project, 'three'), content: 'theirs' } },
		]);
		expect(reported('PermissionRequest')).toEqual([]);
		expect(reported('PostToolUse')).toHaveLength(2);
		expect(reported('PostToolUseFailure')).toMatchObject([{ tool_input: { command: 'touch two' }, error: 'a rule says no' }]);
		expect(reported('MessageDisplay')).toMatchObject([{ delta: 'done', final: true }]);
		const used = { input_tokens: 2068, output_tokens: 112, cache_read_tokens: 400, cache_write_tokens: 0, reasoning_tokens: 14 };
		expect(reported('UsageReport').at(-1)).toMatchObject({ by_model: { 'fake-model': used } });
		expect(reported('Stop')).toMatchObject([{ last_assistant_message: 'done', interrupted: false }]);
		expect(events.at(-1)?.hookName).toBe('SessionEnd');
		expect(new Set(events.map(({ sessionId }) => sessionId)).size).toBe(1);
	});

	it('in enforce mode asks about each call, runs edited input and denies a call that times out', async () => {
		await using rig = await openRig();
		const { events } = await observe(rig, 'enforce', ({ hookName, payload }) => {
			if (hookName === 'PreToolUse') return NO_OPINION;
			const text = JSON.stringify(payload);
			if (text.includes('touch one')) return allow();
			return text.includes('three')
				? allow({ file_path: join(rig.project, 'three'), content: 'ours' })
				: { verdict: { type: 'deny', message: 'nobody answered' }, source: 'timeout', reason: 'nobody answered' };
		});
		expect(events.filter(({ hookName }) => hookName === 'PermissionRequest')).toHaveLength(3);
		expect(['one', 'two'].map((name) => existsSync(join(rig.project, name)))).toEqual([true, false]);
		expect(readFileSync(join(rig.project, 'three'), 'utf8')).toBe('ours');
	});

	it.each([
		['observe', true],
		['enforce', false],
	] as const)('runs the call without Roost in %s mode: %s', async (gate, works) => {
		await using rig = await openRig();
		const nowhere = { secret: 'x', socketPath: join(rig.home, 'nobody'), gate, session: 's1' };
		const argv = toPiArgv(readPiArgs(['-p', '--model', PI_MODEL, 'go']));
		await using program = await startProgram([rig.program, ...argv], {
			cwd: rig.project,
			env: { ...rig.env, ...hookEnvironment(nowhere) },
		});
		await program.waitForExit(60_000);
		expect(existsSync(join(rig.project, 'one'))).toBe(works);
	});

	it('recognizes management and headless invocations', () => {
		const isManaged = (...args: string[]) => readPiArgs(args).managementOnly;
		expect([isManaged('install', 'x'), isManaged('--version'), isManaged('--', '--version'), isManaged('fix it')]).toEqual([
			true,
			true,
			false,
			false,
		]);
		expect([['-p', 'x'], ['--mode', 'json'], ['x']].map((args) => readPiArgs(args).headless)).toEqual([true, true, false]);
	});
});
