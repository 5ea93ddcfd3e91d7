import { feedEvent } from '@roost/protocol/feed/event';
import { askId, sessionId } from '@roost/protocol/ids';
import { readHookSamples } from '@roost/testkit/samples/claude-samples';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hookPayloads } from '../runtime/normal-form/hook-payloads.ts';
import { call, kindsOf, scriptSession, toReport } from './feed.contract.ts';
import { createFeedMapper, mapEvent } from './mapper.ts';
import { createFeedState } from './state.ts';

const ROUNDS = process.env.ROOST_SOAK === '1' ? 3000 : 200;

/** Hooks without recorded samples. */
const UNRECORDED = [
	{ event: 'ElicitationResult', variant: '', payload: { mcp_server_name: 'lab', mode: 'form', action: 'cancel' } },
	{ event: 'PostModelSwitch', variant: '', payload: { from_model: 'opus', to_model: 'sonnet', source: 'command' } },
	{ event: 'TeammateIdle', variant: '', payload: { teammate_name: 'ada', team_name: 'compilers' } },
	{ event: 'RuntimeError', variant: '', payload: { code: 'too_large', message: 'a line was too long' } },
	{ event: 'RuntimeStatus', variant: '', payload: { status: 'gap', reason: 'restarted' } },
	{
		event: 'UsageReport',
		variant: '',
		payload: { by_model: { opus: { input_tokens: 1, output_tokens: 2, cache_read_tokens: 3, cache_write_tokens: 4 } } },
	},
];
const samples = [...readHookSamples(), ...UNRECORDED];

const TABLE: Record<keyof typeof hookPayloads, [kinds: string, actor: string]> = {
	SessionStart: ['session.start', 'system'],
	SessionEnd: ['session.end', 'system'],
	Setup: ['setup', 'system'],
	UserPromptSubmit: ['run.start user.prompt', 'user'],
	UserPromptExpansion: ['prompt.expansion', 'user'],
	MessageDisplay: ['message.display agent.message', 'agent'],
	PreToolUse: ['tool.pre', 'agent'],
	PostToolUse: ['tool.post', 'agent'],
	PostToolUseFailure: ['tool.failure', 'agent'],
	PostToolBatch: ['tool.batch', 'agent'],
	PermissionRequest: ['permission.request', 'system'],
	PermissionDenied: ['permission.denied', 'system'],
	Stop: ['stop.request', 'system'],
	StopFailure: ['stop.failure', 'agent'],
	SubagentStart: ['subagent.start', 'agent:root'],
	SubagentStop: ['subagent.stop', 'agent'],
	TeammateIdle: ['teammate.idle', 'system'],
	TaskCreated: ['task.created', 'agent'],
	TaskCompleted: ['task.completed', 'agent'],
	Notification: ['notification', 'system'],
	PreCompact: ['compact.pre', 'system'],
	PostCompact: ['compact.post', 'system'],
	PreModelSwitch: ['model.switch.pre', 'system'],
	PostModelSwitch: ['model.switch.post', 'system'],
	Elicitation: ['elicitation.request', 'system'],
	ElicitationResult: ['elicitation.result', 'system'],
	ConfigChange: ['config.change', 'system'],
	WorktreeCreate: ['worktree.create', 'system'],
	WorktreeRemove: ['worktree.remove', 'system'],
	InstructionsLoaded: ['instructions.loaded', 'system'],
	CwdChanged: ['cwd.change', 'system'],
	FileChanged: ['file.change', 'system'],
	DirectoryAdded: ['directory.add', 'system'],
	RuntimeError: ['runtime.error', 'system'],
	RuntimeStatus: ['runtime.status', 'system'],
	UsageReport: ['usage.update', 'system'],
};

describe('known hooks', () => {
	it.each(Object.entries(TABLE))('%s becomes %s', (hook, [kinds, actor]) => {
		const ofHook = samples.filter(({ event, payload }) => event === hook && !isQuestion(payload));
		expect(ofHook.length).toBeGreaterThan(0);
		for (const { payload } of ofHook) {
			const agent = 'agent_id' in payload ? `subagent:${payload.agent_id}` : 'agent:root';
			const events = scriptSession().report(hook, payload);
			for (const kind of kinds.split(' ')) {
				const event = events.find((each) => each.kind === kind);
				expect(event?.actor_id, `${hook} gives ${kindsOf(events)}`).toBe(actor === 'agent' ? agent : actor);
			}
		}
	});

	it('are all in the table, and none is mapped as unknown', () => {
		expect(Object.keys(TABLE)).toHaveLength(36);
		const session = scriptSession();
		for (const { event, payload } of samples) session.report(event, payload);
		expect(new Set(samples.map(({ event }) => event))).toEqual(new Set(Object.keys(TABLE)));
		expect(kindsOf(session.feed)).not.toContain('unknown.hook');
	});

	it('have the id and the time of the request that reported them', () => {
		for (const { event, payload } of samples) {
			for (const mapped of scriptSession().report(event, payload, { id: 'request-7' })) {
				expect(mapped.cause?.hook_request_id).toBe('request-7');
				expect(mapped.ts).toBe(1);
			}
		}
	});
});

describe('unknown and malformed reports', () => {
	it('keep the payload of an unknown hook', () => {
		const [event, ...more] = scriptSession().report('BrandNew', { a: [1, { b: null }] });
		expect(more).toEqual([]);
		expect(event).toMatchObject({
			kind: 'unknown.hook',
			level: 'info',
			actor_id: 'system',
			run_id: 's1:R0',
			data: { hook_event_name: 'BrandNew', payload: { a: [1, { b: null }] } },
		});
		for (const field of ['title', 'ui']) expect(event).not.toHaveProperty(field);
	});

	it.each([
		['PreToolUse', { tool_name: 7 }],
		['SessionStart', { source: 'teleport' }],
		['Stop', null],
		['Stop', undefined],
		['constructor', {}],
	])('are kept and open no run: %s with %j', (hook, payload) => {
		const session = scriptSession();
		const [event] = session.report(hook, payload);
		expect(event).toMatchObject({ kind: 'unknown.hook', data: { hook_event_name: hook, payload: payload ?? null } });
		expect(event?.level).toBe(hook === 'constructor' ? 'info' : 'warn');
		expect(session.state.run).toBeNull();
	});

	it('never cause an error or a lost report, with any payload', () => {
		const hook = fc.oneof(fc.constantFrom(...Object.keys(hookPayloads)), fc.string());
		const sample = fc.constantFrom(...samples);
		const garbled = fc
			.tuple(sample, fc.string(), fc.jsonValue())
			.chain(([{ event, payload }, added, junk]) =>
				fc.constantFrom(added, ...Object.keys(payload)).map((key) => ({ hook: event, payload: { ...payload, [key]: junk } })),
			);
		const report = fc.oneof(fc.record({ hook, payload: fc.jsonValue() }), garbled);
		fc.assert(
			fc.property(fc.array(report, { minLength: 1, maxLength: 12 }), (reports) => {
				const state = createFeedState(sessionId.parse('s1'));
				for (const [index, { hook, payload }] of reports.entries()) {
					const events = mapEvent(state, toReport(hook, payload, { id: `q${index}` }));
					expect(events.length).toBeGreaterThan(0);
					for (const event of events) expect(feedEvent.safeParse(JSON.parse(JSON.stringify(event))).error).toBeUndefined();
				}
			}),
			{ numRuns: ROUNDS },
		);
	});
});

describe('facts recorded by Roost', () => {
	it('belong to the current run if there is one', () => {
		const session = scriptSession();
		const native = { agent: 'claude', native_id: 'n1', reason: 'startup' as const };
		expect(session.note({ kind: 'session.native', data: native })).toMatchObject({
			event_id: 's1:R0:E1',
			actor_id: 'system',
			level: 'info',
		});
		session.report('UserPromptSubmit', { prompt: 'go' });
		expect(session.note({ kind: 'runtime.status', data: { status: 'gap' } })).toMatchObject({
			event_id: 's1:R1:E3',
			level: 'warn',
		});
		expect(session.note({ kind: 'runtime.error', data: { code: 'x', message: 'm' }, level: 'warn' }).level).toBe('warn');
	});
});

describe('feed mapper', () => {
	it('returns the session, the current run and the actors', () => {
		const mapper = createFeedMapper(sessionId.parse('s1'));
		expect(mapper.getSession()).toBeNull();
		expect(mapper.getCurrentRun()).toBeNull();
		expect(mapper.getActors().map((actor) => actor.actor_id)).toEqual(['user', 'agent:root', 'system']);

		mapper.mapEvent(toReport('SessionStart', { source: 'startup' }, {}, 5));
		mapper.mapEvent(toReport('UserPromptSubmit', { prompt: 'go' }, { id: 'p' }, 6));
		mapper.mapEvent(toReport('PermissionRequest', call('Bash', { command: 'ls' }), { id: 'q', agentId: 'a1' }, 7), {
			ask: { id: askId.parse('ask'), reason: 'no rule', expiresAt: 9 },
		});
		mapper.mapEvent(toReport('SubagentStart', { agent_id: 'a1', agent_type: 'Explore' }, {}, 8));
		expect(mapper.getSession()).toMatchObject({ session_id: 's1', started_at: 5 });
		expect(mapper.getCurrentRun()).toEqual({
			run_id: 's1:R1',
			session_id: 's1',
			started_at: 6,
			trigger: { type: 'user_prompt_submit', request_id: 'p', prompt_preview: 'go' },
			status: 'blocked',
			actors: { root_agent_id: 'agent:root', subagent_ids: ['subagent:a1'] },
			counters: { tool_uses: 0, tool_failures: 0, permission_requests: 1, blocks: 0 },
		});
		mapper.mapDecision('q', { verdict: { type: 'none' }, source: 'timeout' }, 9);
		expect(mapper.getCurrentRun()?.status).toBe('running');
		expect(mapper.getActors()).toHaveLength(4);
	});
});

function isQuestion(payload: object): boolean {
	return 'tool_name' in payload && payload.tool_name === 'AskUserQuestion';
}
