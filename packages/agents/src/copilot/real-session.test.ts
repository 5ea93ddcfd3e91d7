// A driven Copilot, the real program against a scripted model: its gate, its usage, and its failures.
import { existsSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { USAGE_REPORT } from '@roost/core/runtime/event';
import { acpPeerArgv } from '@roost/testkit/fakes/acp-peer-plan';
import { apiError, hang, type ModelReply, malformed, message, say } from '@roost/testkit/fakes/model-reply';
import type { ModelRequest } from '@roost/testkit/fakes/model-request';
import { agentProgram } from '@roost/testkit/rigs/agents/agent-programs';
import { openCopilotRig, copilotWords as words } from '@roost/testkit/rigs/agents/copilot-rig';
import { NO_OPINION, type TestGate } from '@roost/testkit/rigs/agents/driven-story';
import { findProcessesWithEnv, signal } from '@roost/testkit/rigs/live-processes';
import { putFiles } from '@roost/testkit/rigs/put-files';
import { cannotRun } from '@roost/testkit/rigs/requirements';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';

/** The model does what the prompt says, then says "done". */
function script({ lastUserText: text, toolResults }: ModelRequest): ModelReply {
	const [, verb, rest = ''] = /^(\w+) ?(.*)$/.exec(text) ?? [];
	if (toolResults.length > 0) return message([say('do', 'ne')]);
	switch (verb) {
		case 'run':
			return message([words.shell(rest)]);
		case 'twice':
			return message([words.shell('echo one'), words.shell('echo one')]);
		case 'write':
			return message([words.write(rest, 'some text')]);
		case 'read':
			return message([words.read(rest)]);
		case 'fail':
			return apiError(Number(rest), 'api_error', 'It broke.');
		case 'hang':
			return hang();
		case 'cut':
			return malformed('cut');
		default:
			return message([say('hel', 'lo')]);
	}
}

const denies =
	(word: string): TestGate =>
	(event) => {
		const isMeant = JSON.stringify(event.payload).includes(word);
		if (event.hookName === 'PreToolUse')
			return isMeant ? { verdict: { type: 'deny', message: `no ${word}` }, source: 'rule' } : NO_OPINION;
		return { verdict: { type: 'allow' }, source: 'rule' };
	};

describe.skipIf(cannotRun([agentProgram('copilot')]))('driven Copilot', () => {
	it('passes every call through the gate, including those that need no permission', async () => {
		await using rig = await openCopilotRig({ script });
		const story = rig.start({}, denies('secret'));
		await story.ask('run ls secret');
		await story.ask('read secret.txt');
		expect(rig.requests.flatMap(({ toolResults }) => toolResults.map(({ text }) => text))).toEqual([
			expect.stringContaining('no secret'),
			expect.stringContaining('no secret'),
		]);
		await story.ask('read README.md');
		await story.ask('twice');
		await story.ask('write made.txt');
		expect(existsSync(join(rig.project, 'made.txt'))).toBe(true);
		expect(story.payloads('PreToolUse')).toMatchObject([
			{ tool_name: 'Bash', tool_input: { command: 'ls secret' }, native_tool_name: 'bash' },
			{ tool_name: 'Read', tool_input: { file_path: 'secret.txt' }, native_tool_name: 'view' },
			{ tool_name: 'Read', tool_input: { file_path: 'README.md' } },
			{ tool_name: 'Bash', tool_input: { command: 'echo one' } },
			{ tool_name: 'Bash', tool_input: { command: 'echo one' } },
			{ tool_name: 'Write', tool_input: { file_path: 'made.txt', content: 'some text' }, native_tool_name: 'create' },
		]);
		expect(story.reported('PostToolUseFailure')).toHaveLength(2);
		expect(story.reported('PostToolUse')).toHaveLength(4);
		expect(story.payloads('PermissionRequest').map((payload) => Object(payload).tool_name)).toEqual(['Bash', 'Bash', 'Write']);
	});

	it('resumes after being killed and reports exact usage across the restart', async () => {
		await using rig = await openCopilotRig({ script });
		let pid = 0;
		const first = rig.start({
			onSpawned: (spawned) => {
				pid = spawned;
			},
		});
		await first.ask('fail 400');
		const { sessionId: nativeId } = await first.ask('run touch made');
		const call = { input_tokens: 1034, output_tokens: 56, cache_read_tokens: 200, cache_write_tokens: 0, reasoning_tokens: 7 };
		const twice = { input_tokens: 2068, output_tokens: 112, cache_read_tokens: 400, cache_write_tokens: 0, reasoning_tokens: 14 };
		expect(first.payloads(USAGE_REPORT).at(-1)).toMatchObject({ by_model: { 'fake-model': twice } });
		signal(pid, 'SIGKILL');
		expect((await first.until('StopFailure', 2)).payload).toMatchObject({
			last_assistant_message: expect.stringContaining('SIGKILL'),
		});
		const second = rig.start({ resume: { nativeId, fork: false } });
		const end = await second.ask('hello');
		// Errors from before the kill are not reported for this turn.
		expect(end).toMatchObject({ hookName: 'Stop', sessionId: nativeId });
		expect(rig.requests.at(-1)?.messages.length).toBeGreaterThan(4);
		const thrice = {
			...twice,
			input_tokens: 3 * call.input_tokens,
			output_tokens: 3 * 56,
			cache_read_tokens: 600,
			reasoning_tokens: 21,
		};
		expect(second.payloads(USAGE_REPORT).at(-1)).toMatchObject({ by_model: { 'fake-model': thrice } });
		second.connection.close();
		// The program installed by npm starts another one: both exit.
		await waitFor(async () => ((await findProcessesWithEnv(rig.configDir)).length === 0 ? true : undefined), {
			what: 'no process of it to be left',
		});
	});

	it('reports model errors, interrupts and refused commands, and accepts the next prompt', async () => {
		await using rig = await openCopilotRig({ script });
		const story = rig.start();
		expect((await story.ask('fail 400')).payload).toMatchObject({
			error: 'api_error',
			last_assistant_message: expect.stringContaining('It broke.'),
		});
		expect((await story.ask('fail 429')).payload).toMatchObject({
			error: 'api_error',
			last_assistant_message: expect.any(String),
		});
		expect((await story.ask('hello')).hookName).toBe('Stop');
		const hung = story.ask('hang');
		await story.until('UserPromptSubmit', 4);
		await waitFor(() => rig.requests.find(({ lastUserText }) => lastUserText === 'hang'), {
			what: 'the call',
		});
		await story.connection.abort();
		expect((await hung).payload).toMatchObject({ interrupted: true });
		expect((await story.ask('/allow-all on')).payload).toMatchObject({
			error: 'refused',
			last_assistant_message: expect.stringContaining('/allow-all'),
		});
		expect((await story.ask('run touch made')).hookName).toBe('Stop');
		expect(story.reported('PermissionRequest')).toHaveLength(1);
	});

	it('runs two independent sessions at once', async () => {
		await using rig = await openCopilotRig({ script });
		const [one, two] = [rig.start(), rig.start()];
		const ends = await Promise.all([one.ask('run touch one'), two.ask('run touch two')]);
		expect(new Set(ends.map(({ sessionId }) => sessionId)).size).toBe(2);
		expect(one.payloads('PreToolUse')).toMatchObject([{ tool_input: { command: 'touch one' } }]);
		expect(two.payloads('PreToolUse')).toMatchObject([{ tool_input: { command: 'touch two' } }]);
	});

	it('does not start if the repository brings programs that it would run', async () => {
		await using rig = await openCopilotRig({ script });
		const canary = join(rig.home, 'canary');
		const hooks = { version: 1, hooks: { sessionStart: [{ type: 'command', bash: `touch ${canary}` }] } };
		await putFiles(rig.project, { '.github/hooks/x.json': hooks, 'sub/file': '' });
		await symlink(join(rig.project, 'sub'), join(rig.home, 'link'));
		for (const cwd of [join(rig.project, 'sub'), join(rig.home, 'link')]) {
			const story = rig.start({ cwd });
			expect((await story.until('StopFailure')).payload).toMatchObject({
				last_assistant_message: expect.stringMatching(/brings programs that Copilot would run without asking .*x\.json/),
			});
		}
		const nowhere = rig.start({ cwd: join(rig.project, 'nowhere') });
		expect((await nowhere.until('StopFailure')).payload).toMatchObject({
			last_assistant_message: expect.stringContaining('There is no folder'),
		});
		expect(existsSync(canary)).toBe(false);
	});
});

it('reports the name of a different agent that is configured as Copilot', async () => {
	await using rig = await openCopilotRig({ script, deps: { command: acpPeerArgv({ turns: {} }) } });
	expect((await rig.start().until('StopFailure')).payload).toMatchObject({
		last_assistant_message: expect.stringContaining('says that it is "scripted"'),
	});
});
