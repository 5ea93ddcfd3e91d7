// The user's own copilot, observed and gated by a plugin of its launch: the real program, in a terminal and without one.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFeedMapper } from '@roost/core/feed/mapper';
import { RUNTIME_ERROR } from '@roost/core/runtime/event';
import type { GateMode } from '@roost/core/runtime/gate-mode';
import { sessionId } from '@roost/protocol/ids';
import { apiError, type Block, callTool, message, say } from '@roost/testkit/fakes/model-reply';
import type { Script } from '@roost/testkit/fakes/script';
import { agentProgram } from '@roost/testkit/rigs/agents/agent-programs';
import { type CopilotRig, copilotWords, openCopilotRig } from '@roost/testkit/rigs/agents/copilot-rig';
import { ALLOW, NO_OPINION, type TestGate } from '@roost/testkit/rigs/agents/driven-story';
import { FORWARDER, type ObservedLaunch, openObservedLaunch } from '@roost/testkit/rigs/agents/observed-launch';
import { startProgram } from '@roost/testkit/rigs/program';
import { putFiles } from '@roost/testkit/rigs/put-files';
import { cannotRun, program } from '@roost/testkit/rigs/requirements';
import { createTmuxRig } from '@roost/testkit/rigs/terminal/tmux-rig';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { readRecordedHooks } from '@roost/testkit/samples/agent-samples';
import { describe, expect, it } from 'vitest';
import { detectReady } from './copilot-adapter.ts';
import { COPILOT_LAUNCH } from './launch.ts';
import { COPILOT_HOOK_PROTOCOL, COPILOT_HOOKS } from './observed-hooks.ts';

const DEADLINE_MS = 120_000;

/** One call after the other, regardless of their results. */
const inTurn =
	(...blocks: readonly Block[]): Script =>
	({ messages }) =>
		message([blocks[messages.filter(({ role }) => role === 'assistant').length] ?? say('done')]);

const has = (home: CopilotRig, ...files: readonly string[]) => files.map((file) => existsSync(join(home.project, file)));

async function prepare(home: CopilotRig, gate: GateMode, launch: ObservedLaunch, forwarder = FORWARDER, ...args: string[]) {
	const prepared = unwrap(
		await COPILOT_LAUNCH.prepare({
			args,
			gate,
			cwd: home.project,
			command: [home.program],
			env: home.env,
			dir: launch.dir,
			forwarder,
		}),
	);
	return { argv: [home.program, ...prepared.argv] as const, env: { ...home.env, ...launch.env } };
}

async function print(home: CopilotRig, gate: GateMode, launch: ObservedLaunch, ...args: string[]) {
	const { argv, env } = await prepare(home, gate, launch, FORWARDER, '-p', 'go', '--silent', ...args);
	await using running = await startProgram(argv, { cwd: home.project, env });
	return await running.waitForExit(DEADLINE_MS);
}

describe.skipIf(cannotRun([agentProgram('copilot')]))("the user's own copilot", () => {
	it('reports its calls in observe mode, runs them as usual and blocks those that a rule denies', async () => {
		const script = inTurn(
			copilotWords.shell('touch forbidden'),
			copilotWords.shell('touch plain'),
			copilotWords.write('made', 'x'),
			copilotWords.read('/nowhere/at/all'),
		);
		await using home = await openCopilotRig({ script });
		await using launch = await openObservedLaunch(COPILOT_HOOK_PROTOCOL, 'observe', ({ payload }) =>
			JSON.stringify(payload).includes('forbidden')
				? { verdict: { type: 'deny', message: 'the rule says no' }, source: 'rule' }
				: NO_OPINION,
		);
		expect(await print(home, 'observe', launch, '--allow-all')).toMatchObject({ code: 0 });
		const reported = launch.events.map(({ hookName, toolName }) => (toolName ? `${hookName} ${toolName}` : hookName));
		// Copilot runs its first two hooks concurrently.
		expect(reported.splice(0, 2).sort()).toEqual(['SessionStart', 'UserPromptSubmit']);
		expect(reported).toEqual([
			'PreToolUse Bash',
			'PreToolUse Bash',
			'PostToolUse Bash',
			'PreToolUse Write',
			'PostToolUse Write',
			'PreToolUse Read',
			'PostToolUseFailure Read',
			'Stop',
			'SessionEnd',
		]);
		expect(home.requests[1]?.toolResults[0]?.text).toContain('the rule says no');
		expect(has(home, 'forbidden', 'plain', 'made')).toEqual([false, true, true]);
		expect(launch.reported('PreToolUse').at(2)).toMatchObject({
			tool_input: { file_path: join(home.project, 'made'), content: 'x' },
		});
		const transcript = launch.events.at(-1)?.context.transcriptPath ?? '';
		expect(readFileSync(transcript, 'utf8')).toContain('session.usage_record');
		const mapper = createFeedMapper(sessionId.parse('s'));
		const kinds = launch.events.flatMap((event) => mapper.mapEvent(event)).map(({ kind }) => kind);
		expect(kinds).not.toContain('unknown.hook');
		expect(launch.reported(RUNTIME_ERROR)).toEqual([]);
	});

	it('in enforce mode asks about every call except reads and runs edited input', async () => {
		const script = inTurn(
			copilotWords.shell('touch plain'),
			copilotWords.shell('touch changed'),
			copilotWords.write('written', 'theirs'),
			copilotWords.shell('touch silent'),
			copilotWords.read('README.md'),
		);
		await using home = await openCopilotRig({ script });
		const changed: Readonly<Record<string, Record<string, unknown>>> = {
			'touch changed': { command: 'touch other', description: 'another' },
			written: { file_path: join(home.project, 'written'), content: 'ours' },
		};
		const decide: TestGate = ({ hookName, payload }) => {
			const text = JSON.stringify(payload);
			if (hookName === 'PreToolUse') return NO_OPINION;
			if (text.includes('silent'))
				return {
					verdict: { type: 'deny', message: 'nobody answered in time' },
					source: 'timeout',
					reason: 'nobody answered in time',
				};
			const updatedInput = Object.entries(changed).find(([word]) => text.includes(word))?.[1];
			return updatedInput ? { verdict: { type: 'allow', updatedInput }, source: 'user' } : ALLOW;
		};
		await using launch = await openObservedLaunch(COPILOT_HOOK_PROTOCOL, 'enforce', decide);
		expect(await print(home, 'enforce', launch)).toMatchObject({ code: 0 });
		expect(has(home, 'plain', 'changed', 'other', 'silent')).toEqual([true, false, true, false]);
		expect(readFileSync(join(home.project, 'written'), 'utf8')).toBe('ours');
		expect(launch.reported('PermissionRequest')).toHaveLength(4);
	});

	it('reports subagents under their session, and a model failure', async () => {
		const script: Script = ({ lastUserText, toolResults }) => {
			if (toolResults.length > 0) return apiError(400, 'api_error', 'It broke.');
			if (lastUserText.includes('look around')) return message([say('seen')]);
			return message([
				callTool('task', { agent_type: 'general-purpose', description: 'look', prompt: 'look around', name: 'x' }),
			]);
		};
		await using home = await openCopilotRig({ script });
		await using launch = await openObservedLaunch(COPILOT_HOOK_PROTOCOL, 'observe', () => NO_OPINION);
		expect(await print(home, 'observe', launch, '--allow-all')).toMatchObject({ code: 1 });
		expect(launch.reported('UserPromptSubmit')).toMatchObject([{ prompt: 'go' }]);
		expect(launch.reported('SubagentStop')).toMatchObject([{ agent_type: 'general-purpose', last_assistant_message: 'seen' }]);
		expect(launch.reported('StopFailure')).toMatchObject([{ last_assistant_message: expect.stringContaining('It broke.') }]);
		expect(launch.events.at(-1)?.hookName).toBe('SessionEnd');
		expect(new Set(launch.events.map((event) => event.sessionId)).size).toBe(1);
	});

	it.each([
		['Roost is not running', 'observe', true],
		['Roost is not running', 'enforce', false],
		['the forwarder is missing', 'enforce', false],
	] as const)('runs the call if %s in %s mode: %s', async (what, gate, works) => {
		await using home = await openCopilotRig({ script: inTurn(copilotWords.shell('touch made')) });
		await using launch = await openObservedLaunch(COPILOT_HOOK_PROTOCOL, gate, () => ALLOW);
		if (what === 'Roost is not running') await launch.stop();
		const forwarder = what === 'Roost is not running' ? FORWARDER : { ...FORWARDER, script: join(launch.dir, 'nothing') };
		const { argv, env } = await prepare(home, gate, launch, forwarder, '-p', 'go', '--allow-all');
		await using running = await startProgram(argv, { cwd: home.project, env });
		await running.waitForExit(DEADLINE_MS);
		expect(has(home, 'made')).toEqual([works]);
	});

	it('does not start in enforce mode if the repository switches hooks off', async () => {
		await using home = await openCopilotRig({ script: inTurn(copilotWords.shell('touch made')) });
		await putFiles(home.project, { '.claude/settings.json': JSON.stringify({ disableAllHooks: true }) });
		await using launch = await openObservedLaunch(COPILOT_HOOK_PROTOCOL, 'observe', () => NO_OPINION);
		const place = { cwd: home.project, command: [home.program] as const, env: home.env };
		const given = { ...place, args: [], dir: launch.dir, forwarder: FORWARDER };
		expect(await COPILOT_LAUNCH.prepare({ ...given, gate: 'enforce' })).toMatchObject({
			ok: false,
			error: { message: expect.stringContaining('.claude/settings.json switches every hook') },
		});
		// As the refusal says: in a trusted folder none of the hooks runs.
		await print(home, 'observe', launch, '--allow-all', '--trust-folder');
		expect(launch.events).toEqual([]);
		expect(has(home, 'made')).toEqual([true]);
	});
});

it('normalizes Copilot hook payloads', () => {
	const names = new Map<string, string>(COPILOT_HOOKS.map(({ native, hookName }) => [native, hookName]));
	const events = readRecordedHooks('copilot').flatMap(({ event, payload }) => {
		const hook_event_name = names.get(event);
		if (!hook_event_name) return [];
		return COPILOT_HOOK_PROTOCOL.toEvents({ request_id: 'r', ts: 1, session_id: '', hook_event_name, payload }, 'observe');
	});
	expect(events.map(({ hookName, toolName }) => `${hookName} ${toolName ?? ''}`.trim())).toEqual([
		'SessionStart',
		'UserPromptSubmit',
		...Array.from({ length: 4 }, () => 'PreToolUse Bash'),
		'PostToolUse Bash',
		'Stop',
		'SessionEnd',
	]);
	expect(events[6]?.payload).toMatchObject({
		tool_input: { command: 'echo fine' },
		tool_response: expect.stringContaining('fine'),
	});
});

describe.skipIf(cannotRun([agentProgram('copilot'), program('tmux')]))("the user's own copilot in its terminal", () => {
	it('shows its own approval dialog in observe mode', async () => {
		await using home = await openCopilotRig({ script: inTurn(copilotWords.shell('touch made')) });
		await using launch = await openObservedLaunch(COPILOT_HOOK_PROTOCOL, 'observe', () => NO_OPINION);
		await using tmux = await createTmuxRig();
		const { argv, env } = await prepare(home, 'observe', launch, FORWARDER, '-i', 'go');
		const terminal = await tmux.start(argv, { cwd: home.project, env, cols: 80, rows: 24 });
		await waitFor(
			async () => {
				const screen = await terminal.screen();
				if (screen.includes('Do you want to run') || detectReady(screen).phase === 'dialog') await terminal.key('Enter');
				return launch.reported('Stop').length > 0 ? true : undefined;
			},
			{ deadlineMs: DEADLINE_MS, what: 'the end of the turn', everyMs: 300, seen: () => terminal.screen() },
		);
		expect(launch.reported('Notification')).toMatchObject([{ notification_type: 'permission_prompt' }]);
		expect(has(home, 'made')).toEqual([true]);
	});
});
