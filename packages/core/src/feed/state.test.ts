import { askId } from '@roost/protocol/ids';
import { readHookSamples } from '@roost/testkit/samples/claude-samples';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RuntimeDecision } from '../runtime/decision.ts';
import { call, scriptSession, toReport } from './feed.contract.ts';
import { isTransient } from './filter.ts';
import { KEPT } from './keep-newest.ts';
import { mapEvent } from './mapper.ts';
import type { FeedState } from './state.ts';

const ROUNDS = process.env.ROOST_SOAK === '1' ? 500 : 60;

// A scripted session compares the replayed state with the live one after every report.
describe('replayed state', () => {
	it('equals the live state for all recorded samples in sequence', () => {
		const session = scriptSession();
		for (const { event, payload } of readHookSamples()) session.report(event, payload);
		expectSameNext(session);
	});

	it('equals the live state for any sequence of reports and decisions', () => {
		fc.assert(
			fc.property(fc.array(fc.oneof({ weight: 9, arbitrary: report() }, decision()), { maxLength: 40 }), (steps) => {
				const session = scriptSession();
				for (const step of steps) {
					if ('hook' in step) session.report(step.hook, step.payload, step.options);
					else session.decide(step.requestId, step.decision);
				}
				expectSameNext(session);
			}),
			{ numRuns: ROUNDS },
		);
	});

	it('has unique event ids, and seqs from 1 without gaps in each run', () => {
		fc.assert(
			fc.property(fc.array(report(), { maxLength: 40 }), (steps) => {
				const session = scriptSession();
				for (const { hook, payload, options } of steps) session.report(hook, payload, options);
				expect(new Set(session.feed.map((event) => event.event_id)).size).toBe(session.feed.length);
				const runs = Map.groupBy(
					session.feed.filter((event) => !isTransient(event)),
					(event) => event.run_id,
				);
				for (const events of runs.values()) expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
			}),
			{ numRuns: ROUNDS },
		);
	});
});

it('assigns different ids to events before and after a run', () => {
	const session = scriptSession();
	const piece = { delta: 'hi', final: false, index: 0, message_id: 'm1' };
	session.report('MessageDisplay', piece);
	session.report('PreToolUse', call('Bash', { command: 'true' }, 't1'));
	session.report('SessionEnd', { reason: 'other' });
	session.report('MessageDisplay', piece);
	const ids = session.feed.filter(isTransient).map((event) => event.event_id);
	expect(ids).toHaveLength(2);
	expect(new Set(ids).size).toBe(2);
});

describe('state kept during a run', () => {
	const turn = (session: ReturnType<typeof scriptSession>, index: number) => {
		const bash = call('Bash', { command: `echo ${index}` }, `t${index}`);
		session.report('PreToolUse', bash, { id: `pre${index}` });
		session.report('PermissionRequest', call('Bash', { command: `echo ${index}` }), { id: `perm${index}`, ask: `ask${index}` });
		session.decide(`perm${index}`, { verdict: { type: 'allow' }, source: 'user' });
		session.report('PostToolUse', { ...bash, tool_response: 'ok' });
		session.report('MessageDisplay', { delta: 'half ', final: false, index: 0, message_id: `m${index}` });
		session.report('MessageDisplay', { delta: 'done', final: true, index: 1, message_id: `m${index}` });
		session.report('SubagentStop', { agent_id: 'a', agent_type: 'x', stop_hook_active: false }, { id: `stop${index}` });
		const todos = [{ content: `todo ${index}`, status: 'completed' }];
		session.report('PostToolUse', { ...call('TodoWrite', { todos }, `w${index}`), tool_response: {} });
	};

	it('does not grow with finished work', () => {
		const session = scriptSession();
		session.report('UserPromptSubmit', { prompt: 'go' });
		for (let index = 0; index < 10; index += 1) turn(session, index);
		const early = sizesOf(session.state);
		for (let index = 10; index < 60; index += 1) turn(session, index);
		expect(sizesOf(session.state)).toEqual(early);
	});

	it('is bounded for an agent that finishes nothing', () => {
		const session = scriptSession();
		for (let index = 0; index < KEPT + 20; index += 1) {
			session.state.transients = 0;
			mapEvent(session.state, toReport('PreToolUse', call('Bash', {}, `t${index}`), { id: `q${index}` }));
			mapEvent(session.state, toReport('MessageDisplay', { delta: 'x', final: false, message_id: `m${index}` }, {}));
			mapEvent(session.state, toReport('MessageDisplay', { delta: 'x', final: true }, { agentId: `a${index}` }));
		}
		expect(session.state.calls.open.size).toBe(KEPT);
		expect(session.state.requests.size).toBe(KEPT);
		expect(session.state.messages.pieces.size).toBe(KEPT);
		expect(session.state.messages.last.size).toBe(KEPT);
	});

	it('keeps requests that have an ask', () => {
		const session = scriptSession();
		mapEvent(session.state, toReport('PermissionRequest', call('Bash', {}), { id: 'asked' }), {
			ask: { id: askId.parse('ask'), reason: '', expiresAt: 1 },
		});
		for (let index = 0; index < KEPT + 20; index += 1) {
			mapEvent(session.state, toReport('PreToolUse', call('Bash', {}, `t${index}`), { id: `q${index}` }));
		}
		expect(session.state.requests.has('asked')).toBe(true);
	});

	it('is bounded for the ids of ended calls', () => {
		const session = scriptSession();
		for (let index = 0; index < KEPT + 20; index += 1) {
			mapEvent(session.state, toReport('PostToolUse', { ...call('Bash', {}, `t${index}`), tool_response: '' }, {}));
		}
		expect(session.state.calls.closed.size).toBe(KEPT);
	});
});

/** The next reports give the same events from both states. */
function expectSameNext({ state, replayed }: ReturnType<typeof scriptSession>): void {
	const probes = [
		toReport('PermissionRequest', call('Bash', { command: 'a' }), { id: 'probe1' }),
		toReport(
			'PostToolBatch',
			{ tool_calls: [{ ...call('Bash', { command: 'a' }, 't1'), tool_response: 'no' }] },
			{ id: 'probe2' },
		),
		toReport('SubagentStart', { agent_id: 'new', agent_type: 'x' }, { id: 'probe3' }),
		toReport('Stop', { stop_hook_active: false, last_assistant_message: 'hi' }, { id: 'probe4' }),
	];
	const next = (from: FeedState) => {
		const copy = structuredClone(from);
		return probes.flatMap((probe) => mapEvent(copy, probe));
	};
	expect(next(replayed)).toEqual(next(state));
}

function sizesOf({ calls, requests, messages, todos, actors }: FeedState) {
	return {
		open: calls.open.size,
		requests: requests.size,
		pieces: messages.pieces.size,
		last: messages.last.size,
		todos: [...todos.lists.values()].map((list) => list.size),
		actors: actors.size,
	};
}

type Step = { hook: string; payload: object; options: { id?: string; agentId?: string; ask?: string } };

/** Few ids and names, so that reports often refer to each other. */
function report(): fc.Arbitrary<Step> {
	const id = fc.constantFrom('t1', 't2', 't3', undefined);
	const status = fc.constantFrom('pending', 'in_progress', 'completed');
	const todo = fc.record({ content: fc.constantFrom('a', 'b', 'c'), status });
	const tool = fc.oneof(
		fc.tuple(fc.constantFrom('Bash', 'Agent'), fc.record({ command: fc.constantFrom('a', 'b') })),
		fc.tuple(fc.constant('TodoWrite'), fc.record({ todos: fc.array(todo, { maxLength: 4 }) })),
		fc.tuple(fc.constant('TaskCreate'), fc.record({ subject: fc.constantFrom('x', 'y') })),
		fc.tuple(fc.constant('TaskUpdate'), fc.record({ taskId: fc.constantFrom('t1', 't2'), status })),
		fc.tuple(fc.constant('AskUserQuestion'), fc.constant({ questions: [{ question: 'Which?' }] })),
	);
	const called = fc.tuple(tool, id).map(([[name, input], toolUseId]) => call(name, input, toolUseId));
	const text = fc.constantFrom('hi', 'ho', undefined);
	const payloads: [string, fc.Arbitrary<object>][] = [
		['UserPromptSubmit', fc.record({ prompt: fc.constantFrom('one', 'two') })],
		['PreToolUse', called],
		['PreToolUse', called],
		['PostToolUse', called.map((made) => ({ ...made, tool_response: 'ok' }))],
		['PostToolUse', called.map((made) => ({ ...made, tool_response: 'ok' }))],
		['PostToolUseFailure', called.map((made) => ({ ...made, error: 'no' }))],
		['PermissionRequest', called.map((made) => ({ ...made, tool_use_id: undefined }))],
		['PostToolBatch', fc.array(called, { maxLength: 3 }).map((tool_calls) => ({ tool_calls }))],
		[
			'Stop',
			fc.record({
				stop_hook_active: fc.boolean(),
				last_assistant_message: text,
				background_tasks: fc.array(fc.constant({}), { maxLength: 1 }),
			}),
		],
		['SubagentStart', fc.record({ agent_id: fc.constantFrom('a1', 'a2'), agent_type: fc.constantFrom('x', '') })],
		[
			'SubagentStop',
			fc.record({
				agent_id: fc.constantFrom('a1', 'a3'),
				agent_type: fc.constant('x'),
				stop_hook_active: fc.boolean(),
				last_assistant_message: text,
			}),
		],
		[
			'MessageDisplay',
			fc.record({
				delta: fc.constantFrom('hi', 'ho'),
				final: fc.boolean(),
				index: fc.nat(2),
				message_id: fc.constantFrom('m1', 'm2'),
			}),
		],
		['SessionStart', fc.record({ source: fc.constantFrom('startup', 'resume', 'clear') })],
		['SessionEnd', fc.constant({ reason: 'other' })],
		['StopFailure', fc.constant({ error: 'unknown' })],
		['PostModelSwitch', fc.constant({ to_model: 'sonnet' })],
		['Novelty', fc.constant({})],
	];
	const options = fc.record(
		{ id: fc.constantFrom('r1', 'r2', 'r3', 'r4'), agentId: fc.constantFrom('a1', 'a2'), ask: fc.constantFrom('k1', 'k2') },
		{ requiredKeys: [] },
	);
	return fc.oneof(...payloads.map(([hook, payload]) => fc.record({ hook: fc.constant(hook), payload, options })));
}

function decision(): fc.Arbitrary<{ requestId: string; decision: RuntimeDecision }> {
	const decisions: RuntimeDecision[] = [
		{ verdict: { type: 'allow' }, source: 'user' },
		{ verdict: { type: 'deny', message: 'no' }, source: 'rule' },
		{ verdict: { type: 'answer', answers: { 'Which?': 'A' } }, source: 'user' },
		{ verdict: { type: 'none' }, source: 'timeout' },
		{ verdict: { type: 'none' }, source: 'rule', reason: 'no rule', noRule: true },
		{ verdict: { type: 'deny', message: 'stop' }, source: 'rule', reason: 'stop' },
	];
	return fc.record({ requestId: fc.constantFrom('r1', 'r2', 'r3', 'r4', 'r9'), decision: fc.constantFrom(...decisions) });
}
