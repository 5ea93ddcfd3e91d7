// ACP updates in the normal form, and every failure of an ACP agent: a scripted agent, run as a process.
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RuntimeDecision } from '@roost/core/runtime/decision';
import { promptId } from '@roost/protocol/ids';
import { ASKS, type PeerAct, type PeerCall, type PeerPlan } from '@roost/testkit/fakes/acp-peer-plan';
import { openAcpPeerRig } from '@roost/testkit/rigs/agents/acp-rig';
import { ALLOW, NO_OPINION, type TestGate } from '@roost/testkit/rigs/agents/driven-story';
import { findProcessesWithEnv, isRunning, signal } from '@roost/testkit/rigs/live-processes';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';

const DENY: RuntimeDecision = { verdict: { type: 'deny', message: 'not now' }, source: 'user' };
const denyAll: TestGate = (event) => (event.hookName === 'PreToolUse' ? NO_OPINION : DENY);
const say = (...chunks: string[]): PeerAct => ({ act: 'say', chunks });
const call = (made: Partial<PeerCall>): PeerAct => ({
	act: 'call',
	call: { id: 'c1', kind: 'execute', title: 'a title', input: { command: 'touch made' }, makes: 'made', ...made },
});
const plays = (...acts: readonly PeerAct[]): PeerPlan => ({ turns: { go: acts } });

describe('permission requests', () => {
	it('allows a call once with the one-time option, found by its kind', async () => {
		await using rig = await openAcpPeerRig(plays(call({ asks: ASKS }), say('done')));
		const story = rig.start();
		const end = await story.ask('go');
		expect(end.hookName).toBe('Stop');
		expect(existsSync(join(rig.project, 'made'))).toBe(true);
		expect(await readFile(join(rig.sessions, end.sessionId), 'utf8')).toContain('option-allow_once');
		expect(story.payloads('PreToolUse')).toMatchObject([
			{ tool_name: 'Bash', tool_input: { command: 'touch made' }, tool_use_id: 'c1' },
		]);
		expect(story.payloads('PostToolUse')).toMatchObject([{ tool_name: 'Bash', tool_use_id: 'c1' }]);
	});

	it('denies the call and lets the agent continue', async () => {
		await using rig = await openAcpPeerRig(plays(call({ asks: ASKS }), say('then not')));
		const story = rig.start({}, denyAll);
		const end = await story.ask('go');
		expect(end.payload).toMatchObject({ last_assistant_message: 'then not' });
		expect(existsSync(join(rig.project, 'made'))).toBe(false);
		expect(await readFile(join(rig.sessions, end.sessionId), 'utf8')).toContain('option-reject_once');
		expect(story.payloads('PostToolUseFailure')).toMatchObject([{ tool_name: 'Bash', error: 'It was not allowed.' }]);
	});

	it('denies the call with an error if the agent offers no one-time permission', async () => {
		await using rig = await openAcpPeerRig(plays(call({ asks: ['allow_always', 'reject_always'] })));
		const story = rig.start();
		const end = await story.ask('go');
		expect(existsSync(join(rig.project, 'made'))).toBe(false);
		expect(await readFile(join(rig.sessions, end.sessionId), 'utf8')).toContain('option-reject_always');
		expect(story.payloads('RuntimeError')).toMatchObject([{ message: expect.stringContaining('no one-time permission') }]);
	});

	it('denies a call that needs a different input, which ACP does not support', async () => {
		await using rig = await openAcpPeerRig(plays(call({ asks: ASKS })));
		const edited: RuntimeDecision = { ...ALLOW, verdict: { type: 'allow', updatedInput: { command: 'touch other' } } };
		const story = rig.start({}, (event) => (event.hookName === 'PreToolUse' ? NO_OPINION : edited));
		await story.ask('go');
		expect(existsSync(join(rig.project, 'made'))).toBe(false);
		expect(story.payloads('RuntimeError')).toMatchObject([{ message: expect.stringContaining('no changed input') }]);
	});

	it('denies a call by rule without a permission request', async () => {
		await using rig = await openAcpPeerRig(plays(call({ asks: ASKS })));
		const story = rig.start({}, () => ({ verdict: { type: 'deny', message: 'never' }, source: 'rule' }));
		await story.ask('go');
		expect(existsSync(join(rig.project, 'made'))).toBe(false);
		expect(story.reported('PermissionRequest')).toEqual([]);
	});

	it('reports no permission request for a malformed message', async () => {
		const garbled = { jsonrpc: '2.0', id: 77, method: 'session/request_permission', params: { toolCall: {} } };
		await using rig = await openAcpPeerRig(plays({ act: 'garbage', lines: [JSON.stringify(garbled)] }, say('on')));
		const story = rig.start();
		await story.ask('go');
		expect(story.reported('PermissionRequest')).toEqual([]);
	});
});

describe('agent messages', () => {
	it('reports calls that need no permission', async () => {
		await using rig = await openAcpPeerRig(plays(call({ kind: 'read', input: { path: 'README.md' }, output: '# A project' })));
		const story = rig.start({}, () => undefined);
		await story.ask('go');
		const read = { tool_name: 'Read', tool_input: { file_path: 'README.md' } };
		expect(story.payloads('PreToolUse')).toMatchObject([read]);
		expect(story.payloads('PostToolUse')).toMatchObject([{ ...read, tool_response: '# A project' }]);
		expect(rig.agent.capabilities.gate).toMatchObject({ gated: false });
	});

	it('reports the plan of the agent as a todo list', async () => {
		const entries = [{ content: 'look', status: 'completed', priority: 'high' }];
		await using rig = await openAcpPeerRig(plays({ act: 'update', update: { sessionUpdate: 'plan', entries } }));
		const story = rig.start();
		await story.ask('go');
		expect(story.payloads('PostToolUse')).toMatchObject([
			{ tool_name: 'TodoWrite', tool_input: { todos: [{ content: 'look', status: 'completed' }] } },
		]);
	});

	it('keeps unknown and malformed messages', async () => {
		await using rig = await openAcpPeerRig(
			plays(
				{ act: 'update', update: { sessionUpdate: 'brand_new', what: 7 } },
				{ act: 'update', update: { sessionUpdate: 'tool_call', toolCallId: 5 } },
				say('still here'),
			),
		);
		const story = rig.start();
		const end = await story.ask('go');
		expect(end.payload).toMatchObject({ last_assistant_message: 'still here' });
		expect(story.payloads('acp:brand_new')).toMatchObject([{ what: 7 }]);
		expect(story.payloads('acp:tool_call')).toMatchObject([{ toolCallId: 5 }]);
	});

	it('splits text before and after a call into separate messages', async () => {
		await using rig = await openAcpPeerRig(plays(say('first'), call({ asks: ASKS }), say('second')));
		const story = rig.start();
		await story.ask('go');
		const finals = story.payloads('MessageDisplay').filter((payload) => JSON.stringify(payload).includes('"final":true'));
		expect(finals).toHaveLength(2);
	});

	it('adds up usage by model for a new session and reports none for a resumed one', async () => {
		const usage = { inputTokens: 10, outputTokens: 2, totalTokens: 12 };
		const models = { currentModelId: 'm', availableModels: [{ modelId: 'm', name: 'm' }] };
		await using rig = await openAcpPeerRig({ ...plays(say('hi')), usage, resumesBy: 'load', session: { models } });
		const story = rig.start();
		const { sessionId: nativeId } = await story.ask('go');
		await story.ask('go');
		expect(story.payloads('UsageReport')).toMatchObject([
			{ by_model: { m: { input_tokens: 10, output_tokens: 2 } } },
			{ by_model: { m: { input_tokens: 20, output_tokens: 4 } } },
		]);
		const later = rig.start({ resume: { nativeId, fork: false } });
		await later.ask('go');
		expect(later.reported('UsageReport')).toEqual([]);
	});

	it.each([
		['max_tokens', /most tokens/],
		['max_turn_requests', /as often as it may/],
		['refusal', /refused to continue/],
	])('explains the stop reason %s in a readable message', async (reason, sentence) => {
		await using rig = await openAcpPeerRig(plays({ act: 'stop', reason }));
		const story = rig.start();
		expect(await story.ask('go')).toMatchObject({
			hookName: 'StopFailure',
			payload: { error: reason, last_assistant_message: expect.stringMatching(sentence) },
		});
	});
});

describe('starting and resuming', () => {
	it('resumes its conversation without repeating events', async () => {
		for (const resumesBy of ['load', 'resume'] as const) {
			await using rig = await openAcpPeerRig({ ...plays(say('hello')), resumesBy });
			const first = rig.start();
			const { sessionId: nativeId } = await first.ask('go');
			first.connection.close();
			const second = rig.start({ resume: { nativeId, fork: false } });
			expect((await second.ask('go')).sessionId).toBe(nativeId);
			expect(second.reported('MessageDisplay').length).toBe(first.reported('MessageDisplay').length);
		}
	});

	it('starts over if the conversation is missing and may be replaced, and fails otherwise', async () => {
		await using rig = await openAcpPeerRig({ ...plays(say('hello')), resumesBy: 'load' });
		const again = rig.start({ resume: { nativeId: 'gone', fork: false, ifMissing: {} } });
		expect((await again.ask('go')).sessionId).not.toBe('gone');
		const lost = rig.start({ resume: { nativeId: 'gone', fork: false } });
		expect((await lost.until('StopFailure')).payload).toMatchObject({
			last_assistant_message: expect.stringContaining('did not resume the session'),
		});
	});

	it('reports an agent that cannot resume conversations', async () => {
		await using rig = await openAcpPeerRig(plays(say('hello')));
		const story = rig.start({ resume: { nativeId: 'any', fork: false } });
		expect((await story.until('StopFailure')).payload).toMatchObject({
			last_assistant_message: 'The peer cannot resume a conversation: start a new session.',
		});
	});

	it('switches an agent that would start without asking to a mode that asks', async () => {
		const modes = { currentModeId: 'agent', availableModes: [{ id: 'agent', name: 'a' }] };
		await using rig = await openAcpPeerRig({ ...plays(say('hi')), name: '@agentclientprotocol/codex-acp', session: { modes } });
		const { sessionId } = await rig.start().ask('go');
		expect(await readFile(join(rig.sessions, sessionId), 'utf8')).toContain('mode workspace-write');
	});

	it('switches to an offered model and reports an error for any other', async () => {
		const option = {
			id: 'm',
			name: 'Model',
			category: 'model',
			type: 'select',
			currentValue: 'a',
			options: [{ value: 'b', name: 'b' }],
		};
		await using rig = await openAcpPeerRig({ ...plays(say('hi')), session: { configOptions: [option] } });
		const story = rig.start();
		await story.connection.control({ type: 'model', model: 'b' });
		await story.connection.control({ type: 'model', model: 'zzz' });
		const { sessionId } = await story.ask('go');
		expect(await readFile(join(rig.sessions, sessionId), 'utf8')).toContain('option m b');
		expect(story.payloads('RuntimeError')).toMatchObject([{ message: expect.stringContaining('"zzz"') }]);
	});

	it('returns an error when asked whether a prompt arrived', async () => {
		await using rig = await openAcpPeerRig(plays());
		expect((await rig.agent.hasPrompt({ nativeId: 'x', cwd: rig.project, prompt: promptId.parse(randomUUID()) })).ok).toBe(false);
	});

	it.each([
		[{ model: '--yolo' }, /not the name of a model/],
		[{ permissionMode: 'anarchy' }, /not a permission mode/],
		[{ resume: { nativeId: '-x\n', fork: false } }, /not the id of a conversation/],
	])('refuses to start with %j', async (request, sentence) => {
		await using rig = await openAcpPeerRig(plays());
		expect(rig.agent.refuse({ cwd: rig.project, gate: 'enforce', ...request })).toMatch(sentence);
		const story = rig.start(request);
		expect((await story.until('StopFailure')).payload).toMatchObject({ last_assistant_message: expect.stringMatching(sentence) });
	});
});

describe('failures', () => {
	/** The final message of an agent that fails before it starts. */
	async function failureOf(plan: PeerPlan, argv?: readonly [string, ...string[]]): Promise<string> {
		await using rig = await openAcpPeerRig(plan, argv ? { argv: () => argv } : {});
		const story = rig.start();
		const { payload } = await story.until('StopFailure');
		await story.until('SessionEnd');
		expect(story.runtime.getStatus()).toBe('stopped');
		return String(Object(payload).last_assistant_message);
	}

	it('explains each failure to start', async () => {
		expect(await failureOf(plays(), ['/no/such/program'])).toMatch(/could not be started: .*ENOENT/);
		expect(await failureOf(plays(), ['true'])).toBe('The peer ended by itself (exit code 0).');
		expect(await failureOf({ ...plays(), crashes: 'no licence' })).toBe(
			'The peer ended by itself (exit code 7). It said: no licence',
		);
		expect(await failureOf({ ...plays(), version: 9 })).toMatch(
			/speaks version 9 of the Agent Client Protocol, and Roost speaks version 1/,
		);
		expect(await failureOf(plays(), ['yes', 'I am no agent'])).toMatch(
			/does not speak the Agent Client Protocol here: "I am no agent/,
		);
	});

	it('reports an agent error and accepts the next prompt', async () => {
		await using rig = await openAcpPeerRig({
			turns: { fail: [{ act: 'error', message: 'the model is out' }], go: [say('fine')] },
		});
		const story = rig.start();
		expect((await story.ask('fail')).payload).toMatchObject({
			last_assistant_message: expect.stringContaining('the model is out'),
		});
		expect((await story.ask('go')).hookName).toBe('Stop');
	});

	it('ignores garbage on stdout and reports its first line', async () => {
		await using rig = await openAcpPeerRig(plays({ act: 'garbage', lines: ['npm warn old', '{"half":', '[1]'] }, say('fine')));
		const story = rig.start();
		expect((await story.ask('go')).payload).toMatchObject({ last_assistant_message: 'fine' });
		expect(story.payloads('RuntimeError')).toMatchObject([{ detail: 'npm warn old' }]);
	});

	it('reports an agent that exits in the middle of a turn', async () => {
		await using rig = await openAcpPeerRig(plays(say('so'), { act: 'exit', code: 3, stderr: 'out of memory' }));
		const story = rig.start();
		expect((await story.ask('go')).payload).toMatchObject({
			error: 'agent_ended',
			last_assistant_message: 'The peer ended by itself (exit code 3). It said: out of memory',
		});
		await story.until('SessionEnd');
	});

	it('reports an agent that ignores the interrupt', async () => {
		await using rig = await openAcpPeerRig(plays({ act: 'hang' }), { timers: hurried(10_000) });
		const story = rig.start();
		const turn = story.ask('go');
		await story.until('UserPromptSubmit');
		await story.connection.abort();
		expect((await turn).payload).toMatchObject({ last_assistant_message: 'The peer did not stop when it was interrupted.' });
	});

	it('reports an agent that never becomes ready', async () => {
		await using rig = await openAcpPeerRig({ ...plays(), isDeaf: true }, { timers: hurried(60_000) });
		const story = rig.start();
		expect((await story.until('StopFailure')).payload).toMatchObject({
			last_assistant_message: 'The peer did not become ready.',
		});
	});

	it('tolerates an agent that is slow to start', async () => {
		await using rig = await openAcpPeerRig({ ...plays(say('here')), startMs: 300 });
		expect((await rig.start().ask('go')).payload).toMatchObject({ last_assistant_message: 'here' });
	});

	it('leaves no process behind after a kill or a close', async () => {
		await using rig = await openAcpPeerRig({ ...plays(say('hi')), resumesBy: 'load' });
		let pid = 0;
		const story = rig.start({
			onSpawned: (spawned) => {
				pid = spawned;
			},
		});
		const { sessionId } = await story.ask('go');
		signal(pid, 'SIGKILL');
		await story.until('SessionEnd');
		expect(await isRunning(pid)).toBe(false);
		const next = rig.start({ resume: { nativeId: sessionId, fork: false } });
		expect((await next.ask('go')).sessionId).toBe(sessionId);
		next.connection.close();
		await waitFor(
			async () => ((await findProcessesWithEnv(rig.sessions.replace('/acp-sessions', ''))).length === 0 ? true : undefined),
			{
				what: 'no process to be left',
			},
		);
	});
});

/** Shortens one of the timeouts and leaves all others as they are. */
const hurried = (wait: number) => ({
	after(ms: number, run: () => void) {
		const timer = setTimeout(run, ms === wait ? 300 : ms);
		return () => clearTimeout(timer);
	},
});
