// What becomes of an ACP agent's words, and of everything that can go wrong with one: a scripted agent, run as a process.
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

describe('permission', () => {
	it('is given once by its kind, never for always', async () => {
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

	it('is refused, and the agent goes on', async () => {
		await using rig = await openAcpPeerRig(plays(call({ asks: ASKS }), say('then not')));
		const story = rig.start({}, denyAll);
		const end = await story.ask('go');
		expect(end.payload).toMatchObject({ last_assistant_message: 'then not' });
		expect(existsSync(join(rig.project, 'made'))).toBe(false);
		expect(await readFile(join(rig.sessions, end.sessionId), 'utf8')).toContain('option-reject_once');
		expect(story.payloads('PostToolUseFailure')).toMatchObject([{ tool_name: 'Bash', error: 'It was not allowed.' }]);
	});

	it('is refused where the agent would only take it for always, and Roost says so', async () => {
		await using rig = await openAcpPeerRig(plays(call({ asks: ['allow_always', 'reject_always'] })));
		const story = rig.start();
		const end = await story.ask('go');
		expect(existsSync(join(rig.project, 'made'))).toBe(false);
		expect(await readFile(join(rig.sessions, end.sessionId), 'utf8')).toContain('option-reject_always');
		expect(story.payloads('RuntimeError')).toMatchObject([{ message: expect.stringContaining('no one-time permission') }]);
	});

	it('is refused where somebody wants another input, which the protocol cannot say', async () => {
		await using rig = await openAcpPeerRig(plays(call({ asks: ASKS })));
		const edited: RuntimeDecision = { ...ALLOW, verdict: { type: 'allow', updatedInput: { command: 'touch other' } } };
		const story = rig.start({}, (event) => (event.hookName === 'PreToolUse' ? NO_OPINION : edited));
		await story.ask('go');
		expect(existsSync(join(rig.project, 'made'))).toBe(false);
		expect(story.payloads('RuntimeError')).toMatchObject([{ message: expect.stringContaining('no changed input') }]);
	});

	it('is refused by a rule at the gate, before anybody is asked', async () => {
		await using rig = await openAcpPeerRig(plays(call({ asks: ASKS })));
		const story = rig.start({}, () => ({ verdict: { type: 'deny', message: 'never' }, source: 'rule' }));
		await story.ask('go');
		expect(existsSync(join(rig.project, 'made'))).toBe(false);
		expect(story.told('PermissionRequest')).toEqual([]);
	});

	it('is not asked for in the wrong words', async () => {
		const garbled = { jsonrpc: '2.0', id: 77, method: 'session/request_permission', params: { toolCall: {} } };
		await using rig = await openAcpPeerRig(plays({ act: 'garbage', lines: [JSON.stringify(garbled)] }, say('on')));
		const story = rig.start();
		await story.ask('go');
		expect(story.told('PermissionRequest')).toEqual([]);
	});
});

describe('what an agent tells', () => {
	it('of calls about which it asks nobody, is reported', async () => {
		await using rig = await openAcpPeerRig(plays(call({ kind: 'read', input: { path: 'README.md' }, output: '# A project' })));
		const story = rig.start({}, () => undefined);
		await story.ask('go');
		const read = { tool_name: 'Read', tool_input: { file_path: 'README.md' } };
		expect(story.payloads('PreToolUse')).toMatchObject([read]);
		expect(story.payloads('PostToolUse')).toMatchObject([{ ...read, tool_response: '# A project' }]);
		expect(rig.agent.capabilities.gate).toMatchObject({ gated: false });
	});

	it('of its plan, is a list of what is to be done', async () => {
		const entries = [{ content: 'look', status: 'completed', priority: 'high' }];
		await using rig = await openAcpPeerRig(plays({ act: 'update', update: { sessionUpdate: 'plan', entries } }));
		const story = rig.start();
		await story.ask('go');
		expect(story.payloads('PostToolUse')).toMatchObject([
			{ tool_name: 'TodoWrite', tool_input: { todos: [{ content: 'look', status: 'completed' }] } },
		]);
	});

	it('in words that nobody knows, is kept, and in words that are broken too', async () => {
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

	it('between its calls, are messages of their own', async () => {
		await using rig = await openAcpPeerRig(plays(say('first'), call({ asks: ASKS }), say('second')));
		const story = rig.start();
		await story.ask('go');
		const finals = story.payloads('MessageDisplay').filter((payload) => JSON.stringify(payload).includes('"final":true'));
		expect(finals).toHaveLength(2);
	});

	it('of what its turns used, is added up for a session that began here, by the model it works with', async () => {
		const usage = { inputTokens: 10, outputTokens: 2, totalTokens: 12 };
		const models = { currentModelId: 'm', availableModels: [{ modelId: 'm', name: 'm' }] };
		await using rig = await openAcpPeerRig({ ...plays(say('hi')), usage, takesUp: 'load', session: { models } });
		const story = rig.start();
		const { sessionId: nativeId } = await story.ask('go');
		await story.ask('go');
		expect(story.payloads('UsageReport')).toMatchObject([
			{ by_model: { m: { input_tokens: 10, output_tokens: 2 } } },
			{ by_model: { m: { input_tokens: 20, output_tokens: 4 } } },
		]);
		const later = rig.start({ resume: { nativeId, fork: false } });
		await later.ask('go');
		expect(later.told('UsageReport')).toEqual([]);
	});

	it.each([
		['max_tokens', /most tokens/],
		['max_turn_requests', /as often as it may/],
		['refusal', /refused to continue/],
	])('when it stops with %s, is a sentence', async (reason, sentence) => {
		await using rig = await openAcpPeerRig(plays({ act: 'stop', reason }));
		const story = rig.start();
		expect(await story.ask('go')).toMatchObject({
			hookName: 'StopFailure',
			payload: { error: reason, last_assistant_message: expect.stringMatching(sentence) },
		});
	});
});

describe('an agent that was asked for', () => {
	it('goes on with its conversation, of which nothing is told a second time', async () => {
		for (const takesUp of ['load', 'resume'] as const) {
			await using rig = await openAcpPeerRig({ ...plays(say('hello')), takesUp });
			const first = rig.start();
			const { sessionId: nativeId } = await first.ask('go');
			first.connection.close();
			const second = rig.start({ resume: { nativeId, fork: false } });
			expect((await second.ask('go')).sessionId).toBe(nativeId);
			expect(second.told('MessageDisplay').length).toBe(first.told('MessageDisplay').length);
		}
	});

	it('begins again where its conversation is not kept and nothing was answered in it, and says so else', async () => {
		await using rig = await openAcpPeerRig({ ...plays(say('hello')), takesUp: 'load' });
		const again = rig.start({ resume: { nativeId: 'gone', fork: false, ifMissing: {} } });
		expect((await again.ask('go')).sessionId).not.toBe('gone');
		const lost = rig.start({ resume: { nativeId: 'gone', fork: false } });
		expect((await lost.until('StopFailure')).payload).toMatchObject({
			last_assistant_message: expect.stringContaining('did not resume the session'),
		});
	});

	it('says that it cannot go on where it cannot', async () => {
		await using rig = await openAcpPeerRig(plays(say('hello')));
		const story = rig.start({ resume: { nativeId: 'any', fork: false } });
		expect((await story.until('StopFailure')).payload).toMatchObject({
			last_assistant_message: 'The peer cannot resume a conversation: start a new session.',
		});
	});

	it('is brought to ask where it is known to begin without asking', async () => {
		const modes = { currentModeId: 'agent', availableModes: [{ id: 'agent', name: 'a' }] };
		await using rig = await openAcpPeerRig({ ...plays(say('hi')), name: '@agentclientprotocol/codex-acp', session: { modes } });
		const { sessionId } = await rig.start().ask('go');
		expect(await readFile(join(rig.sessions, sessionId), 'utf8')).toContain('mode workspace-write');
	});

	it('changes its model among those it offers, and to no other', async () => {
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

	it('cannot tell whether a prompt arrived, and says so', async () => {
		await using rig = await openAcpPeerRig(plays());
		expect((await rig.agent.hasPrompt({ nativeId: 'x', cwd: rig.project, prompt: promptId.parse(randomUUID()) })).ok).toBe(false);
	});

	it.each([
		[{ model: '--yolo' }, /not the name of a model/],
		[{ permissionMode: 'anarchy' }, /not a permission mode/],
		[{ resume: { nativeId: '-x\n', fork: false } }, /not the id of a conversation/],
	])('is not started with %j', async (request, sentence) => {
		await using rig = await openAcpPeerRig(plays());
		expect(rig.agent.refuse({ cwd: rig.project, gate: 'enforce', ...request })).toMatch(sentence);
		const story = rig.start(request);
		expect((await story.until('StopFailure')).payload).toMatchObject({ last_assistant_message: expect.stringMatching(sentence) });
	});
});

describe('what goes wrong', () => {
	/** The last words of an agent that never got so far as to begin. */
	async function failureOf(plan: PeerPlan, argv?: readonly [string, ...string[]]): Promise<string> {
		await using rig = await openAcpPeerRig(plan, argv ? { argv: () => argv } : {});
		const story = rig.start();
		const { payload } = await story.until('StopFailure');
		await story.until('SessionEnd');
		expect(story.runtime.getStatus()).toBe('stopped');
		return String(Object(payload).last_assistant_message);
	}

	it('at the start is a sentence each', async () => {
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

	it('is an error of the agent, and the next prompt is taken', async () => {
		await using rig = await openAcpPeerRig({
			turns: { fail: [{ act: 'error', message: 'the model is out' }], go: [say('fine')] },
		});
		const story = rig.start();
		expect((await story.ask('fail')).payload).toMatchObject({
			last_assistant_message: expect.stringContaining('the model is out'),
		});
		expect((await story.ask('go')).hookName).toBe('Stop');
	});

	it('is garbage between its words, of which one is told and none does harm', async () => {
		await using rig = await openAcpPeerRig(plays({ act: 'garbage', lines: ['npm warn old', '{"half":', '[1]'] }, say('fine')));
		const story = rig.start();
		expect((await story.ask('go')).payload).toMatchObject({ last_assistant_message: 'fine' });
		expect(story.payloads('RuntimeError')).toMatchObject([{ detail: 'npm warn old' }]);
	});

	it('is an agent that is gone in the middle of a turn', async () => {
		await using rig = await openAcpPeerRig(plays(say('so'), { act: 'exit', code: 3, lastWords: 'out of memory' }));
		const story = rig.start();
		expect((await story.ask('go')).payload).toMatchObject({
			error: 'agent_ended',
			last_assistant_message: 'The peer ended by itself (exit code 3). It said: out of memory',
		});
		await story.until('SessionEnd');
	});

	it('is an agent that hangs, and does not even stop', async () => {
		await using rig = await openAcpPeerRig(plays({ act: 'hang' }), { timers: hurried(10_000) });
		const story = rig.start();
		const turn = story.ask('go');
		await story.until('UserPromptSubmit');
		await story.connection.abort();
		expect((await turn).payload).toMatchObject({ last_assistant_message: 'The peer did not stop when it was interrupted.' });
	});

	it('is an agent that never becomes ready', async () => {
		await using rig = await openAcpPeerRig({ ...plays(), isDeaf: true }, { timers: hurried(60_000) });
		const story = rig.start();
		expect((await story.until('StopFailure')).payload).toMatchObject({
			last_assistant_message: 'The peer did not become ready.',
		});
	});

	it('is nothing when an agent is only slow to start', async () => {
		await using rig = await openAcpPeerRig({ ...plays(say('here')), startMs: 300 });
		expect((await rig.start().ask('go')).payload).toMatchObject({ last_assistant_message: 'here' });
	});

	it('leaves no process behind, whichever way it ends', async () => {
		await using rig = await openAcpPeerRig({ ...plays(say('hi')), takesUp: 'load' });
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

/** One of the waits passes at once, all others stay as they are. */
const hurried = (wait: number) => ({
	after(ms: number, run: () => void) {
		const timer = setTimeout(run, ms === wait ? 300 : ms);
		return () => clearTimeout(timer);
	},
});
