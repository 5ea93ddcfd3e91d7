// A session view is what a screen shows: these are the facts it must get right.
import { type FeedData, type FeedEvent, type FeedEventKind, feedEvent } from '@roost/protocol/feed/event';
import { type ActorId, actorId, askId, runId, sessionId } from '@roost/protocol/ids';
import { describe, expect, it } from 'vitest';
import { ROOT_AGENT, USER } from '../feed/entities.ts';
import { toActorTree } from './actors.ts';
import { MAX_ACTORS, MAX_NATIVE_IDS, MAX_OPEN_ASKS, MAX_RECENT_RUNS, MAX_TODOS, MAX_TOOL_NAMES } from './bounds.ts';
import { createSessionView, foldSessionView, type SessionView } from './session-view.ts';

const SESSION = sessionId.parse('s1');
const COUNTERS = { tool_uses: 0, tool_failures: 0, permission_requests: 0, blocks: 0 };
const PROMPTED = { trigger: { type: 'user_prompt_submit' } } as const;

describe('run state', () => {
	it('changes from idle to working, waiting, working and idle during a run with an ask', () => {
		const session = createSession();
		session.fold('session.start', { source: 'startup' });
		session.fold('run.start', PROMPTED);
		session.fold('permission.request', { tool_name: 'Bash', tool_input: {}, risk: 'high', ask_id: askId.parse('a1') });
		session.fold('permission.decision', { decision_type: 'allow', decided_by: 'user', ask_id: askId.parse('a1') });
		session.fold('run.end', { status: 'completed', counters: COUNTERS });
		expect(session.statuses).toEqual(['idle', 'working', 'waiting', 'working', 'idle']);
	});

	it('keeps the time of its last change while the state stays the same', () => {
		const session = createSession();
		session.fold('run.start', PROMPTED, { ts: 100 });
		session.fold('tool.pre', { tool_name: 'Read', tool_input: {} }, { ts: 200 });
		expect(session.view.state).toMatchObject({ status: 'working', since: 100 });
	});

	it('is idle after an aborted or failed run, with the outcome of that run', () => {
		const session = createSession();
		session.fold('run.start', PROMPTED);
		session.fold('run.end', { status: 'aborted', counters: COUNTERS });
		expect(session.view.state).toMatchObject({ status: 'idle', lastRun: 'aborted' });
		session.fold('run.start', PROMPTED, { run_id: 's1:R2' });
		expect(session.view.state.lastRun).toBeUndefined();
		session.fold('run.end', { status: 'failed', counters: COUNTERS }, { run_id: 's1:R2' });
		expect(session.view.state).toMatchObject({ status: 'idle', lastRun: 'failed' });
		session.fold('run.start', PROMPTED, { run_id: 's1:R3' });
		session.fold('run.end', { status: 'completed', counters: COUNTERS }, { run_id: 's1:R3' });
		expect(session.view.state.lastRun).toBeUndefined();
	});

	it('is interrupted if the agent exited in the middle of a run, until it is started again', () => {
		const cut = { status: 'aborted', counters: COUNTERS, agent_gone: true } as const;
		const prompted = createSession();
		prompted.fold('run.start', PROMPTED);
		prompted.fold('run.end', cut);
		prompted.fold('run.start', PROMPTED, { run_id: 's1:R2' });
		expect(prompted.statuses).toEqual(['working', 'interrupted', 'working']);
		const resumed = createSession();
		resumed.fold('run.start', PROMPTED);
		resumed.fold('run.end', cut);
		resumed.fold('session.start', { source: 'resume' });
		expect(resumed.view.state).toMatchObject({ status: 'idle', lastRun: 'aborted' });
	});

	it('stays ended when the run ends after the session, and is idle again on resume', () => {
		const session = createSession();
		session.fold('run.start', PROMPTED);
		session.fold('session.end', { reason: 'other' }, { ts: 50 });
		session.fold('run.end', { status: 'completed', counters: COUNTERS });
		session.fold('session.start', { source: 'resume' });
		expect(session.statuses).toEqual(['working', 'ended', 'ended', 'idle']);
		expect(session.view.summary.endedAt).toBeUndefined();
	});

	it('keeps working when the session restarts in the middle of a run, as after compaction', () => {
		const session = createSession();
		session.fold('run.start', PROMPTED);
		session.fold('session.start', { source: 'compact' });
		expect(session.view.state.status).toBe('working');
	});

	it('ignores the late end of an earlier run', () => {
		const session = createSession();
		session.fold('run.start', PROMPTED, { run_id: 's1:R1' });
		session.fold('run.start', PROMPTED, { run_id: 's1:R2' });
		session.fold('run.end', { status: 'aborted', counters: COUNTERS }, { run_id: 's1:R1' });
		expect(session.view.state.status).toBe('working');
		expect(session.view.actors.byId.get(ROOT_AGENT)?.running).toBe(true);
	});
});

describe('summary', () => {
	it('takes its title from the first line of the first prompt', () => {
		const session = createSession();
		session.fold('user.prompt', { prompt: '\n  fix the build  \nplease', cwd: '/repo' });
		session.fold('user.prompt', { prompt: 'and now the tests', cwd: '/repo/tests' });
		expect(session.view.summary).toMatchObject({ title: 'fix the build', cwd: '/repo/tests' });
	});

	it('cuts a long title between characters', () => {
		const session = createSession();
		session.fold('user.prompt', { prompt: '🐦'.repeat(100), cwd: '/repo' });
		expect(session.view.summary.title).toBe(`${'🐦'.repeat(79)}…`);
	});

	it('has a title that is safe to show', () => {
		const session = createSession();
		session.fold('user.prompt', { prompt: '\u001b[2Jrm -rf \u202e/', cwd: '/repo' });
		expect(session.view.summary.title).toBe('\\x1b[2Jrm -rf \\u{202e}/');
	});

	it('shows the model of the root agent, not of a subagent', () => {
		const session = createSession();
		session.fold('session.start', { source: 'startup', model: 'big' });
		session.fold('agent.message', { text: 'hi', model: 'small' }, { actor_id: 'subagent:a' });
		expect(session.view.summary.model).toBe('big');
		session.fold('model.switch.post', { to_model: 'bigger' });
		expect(session.view.summary.model).toBe('bigger');
	});

	it('counts stored events and records the range of their times', () => {
		const session = createSession();
		session.fold('setup', { trigger: 'init' }, { ts: 20 });
		session.fold('setup', { trigger: 'init' }, { ts: 10 });
		session.fold('cwd.change', { old_cwd: '/a', new_cwd: '/b' }, { ts: 30 });
		expect(session.view.summary).toMatchObject({ events: 3, firstTs: 10, lastTs: 30, cwd: '/b' });
	});

	it('is not changed by events that are never stored', () => {
		const session = createSession();
		session.fold('agent.delta', { text: 'x' });
		session.fold('tool.delta', { text: 'x' });
		session.fold('message.display', { delta: 'x', final: false });
		expect(session.view).toEqual(createSessionView(SESSION));
	});
});

describe('runs', () => {
	it('have a status and a duration', () => {
		const session = createSession();
		session.fold('run.start', PROMPTED, { ts: 100 });
		expect(session.view.runs.recent).toMatchObject([{ status: 'running' }]);
		session.fold('run.end', { status: 'failed', counters: COUNTERS }, { ts: 350 });
		expect(session.view.runs.recent).toMatchObject([{ status: 'failed', durationMs: 250 }]);
		expect(session.view.runs.totals).toEqual({ completed: 0, failed: 1, aborted: 0, durationMs: 250 });
	});

	it('are counted once if their end is repeated', () => {
		const session = createSession();
		session.fold('run.start', PROMPTED);
		session.fold('run.end', { status: 'completed', counters: COUNTERS });
		session.fold('run.end', { status: 'completed', counters: COUNTERS });
		expect(session.view.runs.totals.completed).toBe(1);
	});

	it('are dropped from the list oldest first, and still counted in the totals', () => {
		const session = createSession();
		const count = MAX_RECENT_RUNS + 5;
		for (let n = 1; n <= count; n += 1) {
			session.fold('run.start', PROMPTED, { run_id: `s1:R${n}` });
			session.fold('run.end', { status: 'completed', counters: COUNTERS }, { run_id: `s1:R${n}` });
		}
		const { recent, started, totals } = session.view.runs;
		expect(recent).toHaveLength(MAX_RECENT_RUNS);
		expect(recent.at(-1)?.runId).toBe(runId.parse(`s1:R${count}`));
		expect({ started, completed: totals.completed }).toEqual({ started: count, completed: count });
	});
});

describe('actors', () => {
	it('form a tree below the actors that started them', () => {
		const session = createSession();
		session.fold('subagent.start', { agent_id: 'a', agent_type: 'Explore' });
		session.fold('subagent.start', { agent_id: 'b', agent_type: 'Plan' }, { actor_id: 'subagent:a' });
		const [user, root] = toActorTree(session.view.actors);
		expect(user?.actor.actorId).toBe(USER);
		expect(root?.children[0]?.actor).toMatchObject({ actorId: 'subagent:a', agentType: 'Explore', running: true });
		expect(root?.children[0]?.children[0]?.actor.actorId).toBe('subagent:b');
	});

	it('own their tool calls, even if their start was missed', () => {
		const session = createSession();
		const call = { tool_name: 'Read', tool_input: {}, tool_use_id: 't1' };
		session.fold('tool.pre', { tool_name: 'Read', tool_input: {} });
		session.fold('tool.pre', call, { actor_id: 'subagent:late' });
		session.fold('tool.failure', { ...call, error: 'gone' }, { actor_id: 'subagent:late' });
		const late = session.view.actors.byId.get(actorId.parse('subagent:late'));
		expect(late).toMatchObject({ toolCalls: 1, toolFailures: 1, parentId: ROOT_AGENT, running: true });
		expect(session.view.actors.byId.get(ROOT_AGENT)).toMatchObject({ toolCalls: 1, toolFailures: 0 });
	});

	it('stop and restart, and may stop without a start', () => {
		const session = createSession();
		const stop = { agent_type: '', stop_hook_active: false };
		session.fold('subagent.stop', { ...stop, agent_id: 'ghost' });
		session.fold('subagent.start', { agent_id: 'a', agent_type: 'Explore' });
		session.fold('subagent.stop', { ...stop, agent_id: 'a' }, { ts: 70 });
		session.fold('subagent.stop', { ...stop, agent_id: 'a' }, { ts: 80 });
		const a = session.view.actors.byId.get(actorId.parse('subagent:a'));
		expect(session.view.actors.byId.size).toBe(3);
		expect(a).toMatchObject({ running: false, stoppedAt: 70 });
		session.fold('subagent.start', { agent_id: 'a', agent_type: 'Explore' });
		expect(a).toMatchObject({ running: true });
		session.fold('session.end', { reason: 'other' });
		expect(a?.running).toBe(false);
	});

	it('are dropped stopped ones first, and orphans move to the root', () => {
		const session = createSession();
		const count = MAX_ACTORS - 2;
		for (let n = 0; n < count; n += 1) session.fold('subagent.start', { agent_id: `${n}`, agent_type: 'x' });
		session.fold('subagent.stop', { agent_id: '7', agent_type: 'x', stop_hook_active: false });
		session.fold('subagent.start', { agent_id: 'child', agent_type: 'x' }, { actor_id: 'subagent:8' });
		expect(session.view.actors.byId.has(actorId.parse('subagent:7'))).toBe(false);
		session.fold('subagent.stop', { agent_id: '8', agent_type: 'x', stop_hook_active: false });
		session.fold('subagent.start', { agent_id: 'next', agent_type: 'x' });
		const root = toActorTree(session.view.actors).at(1);
		expect(session.view.actors.byId.size).toBe(MAX_ACTORS);
		expect(root?.children.map((node) => node.actor.actorId)).toContain('subagent:child');
	});
});

describe('open asks', () => {
	const request = { tool_name: 'Bash', tool_input: { command: 'ls' }, risk: 'low' } as const;

	it('are opened only by requests with an ask', () => {
		const session = createSession();
		session.fold('permission.request', request);
		session.fold('permission.request', { ...request, ask_id: askId.parse('a1') });
		session.fold('question.request', { questions: [], ask_id: askId.parse('q1') });
		expect([...session.view.asks.byId.values()]).toMatchObject([
			{ askId: 'a1', actorId: ROOT_AGENT, ownDialog: false },
			{ askId: 'q1', actorId: ROOT_AGENT },
		]);
	});

	it('are closed by the ask that the decision names, or by the request it answers', () => {
		const session = createSession();
		session.fold('permission.request', { ...request, ask_id: askId.parse('a1') });
		const parent = session.fold('question.request', { questions: [], ask_id: askId.parse('q1') });
		session.fold('permission.decision', { decision_type: 'no_opinion', decided_by: 'timeout', ask_id: askId.parse('a1') });
		expect([...session.view.asks.byId.keys()]).toEqual(['q1']);
		session.fold('question.answer', { answers: {}, decided_by: 'user' }, { cause: { parent_event_id: parent.event_id } });
		expect(session.view.asks.byId.size).toBe(0);
	});

	it('stay open after a decision about something else', () => {
		const session = createSession();
		session.fold('permission.request', { ...request, ask_id: askId.parse('a1') });
		session.fold('permission.decision', { decision_type: 'allow', decided_by: 'rule', ask_id: askId.parse('a2') });
		expect(session.view.state.status).toBe('waiting');
	});

	it('are closed with their run and with the session', () => {
		const session = createSession();
		session.fold('permission.request', { ...request, ask_id: askId.parse('a1') }, { run_id: 's1:R1' });
		session.fold('permission.request', { ...request, ask_id: askId.parse('a2') }, { run_id: 's1:R2' });
		session.fold('run.end', { status: 'aborted', counters: COUNTERS }, { run_id: 's1:R1' });
		expect([...session.view.asks.byId.keys()]).toEqual(['a2']);
		session.fold('session.end', { reason: 'other' });
		expect(session.view.asks.byId.size + session.view.asks.idByEvent.size).toBe(0);
	});

	it('are bounded', () => {
		const session = createSession();
		for (let n = 0; n < MAX_OPEN_ASKS + 3; n += 1)
			session.fold('permission.request', { ...request, ask_id: askId.parse(`a${n}`) });
		expect(session.view.asks.byId.size).toBe(MAX_OPEN_ASKS);
		expect(session.view.asks.idByEvent.size).toBe(MAX_OPEN_ASKS);
		expect(session.view.asks.byId.has(askId.parse('a2'))).toBe(false);
	});
});

describe('todos', () => {
	it('belong to the actor that added them', () => {
		const session = createSession();
		session.fold('todo.add', { todo_id: '1', text: 'root' });
		session.fold('todo.add', { todo_id: '1', text: 'sub' }, { actor_id: 'subagent:a' });
		session.fold('todo.update', { todo_id: '1', patch: { status: 'doing', text: 'sub!' } }, { actor_id: 'subagent:a' });
		expect(todosOf(session.view, ROOT_AGENT)).toMatchObject([{ text: 'root', status: 'open' }]);
		expect(todosOf(session.view, actorId.parse('subagent:a'))).toMatchObject([{ text: 'sub!', status: 'doing' }]);
	});

	it('can be completed by another actor, and updates of unknown ones are ignored', () => {
		const session = createSession();
		session.fold('todo.add', { todo_id: '1', text: 'shared' });
		session.fold('todo.done', { todo_id: '1' }, { actor_id: 'subagent:a' });
		session.fold('todo.done', { todo_id: '9' });
		session.fold('todo.update', { todo_id: '9', patch: { text: 'x' } });
		expect(todosOf(session.view, ROOT_AGENT)).toMatchObject([{ text: 'shared', status: 'done' }]);
		expect(session.view.todos.byKey.size).toBe(1);
	});

	it('are dropped done ones first', () => {
		const session = createSession();
		for (let n = 0; n < MAX_TODOS; n += 1) session.fold('todo.add', { todo_id: `${n}`, text: 't' });
		session.fold('todo.done', { todo_id: '5' });
		session.fold('todo.add', { todo_id: 'new', text: 't' });
		const ids = todosOf(session.view, ROOT_AGENT).map((todo) => todo.todoId);
		expect(ids).toHaveLength(MAX_TODOS);
		expect(ids).not.toContain('5');
		session.fold('todo.add', { todo_id: 'newer', text: 't' });
		expect(todosOf(session.view, ROOT_AGENT)[0]?.todoId).toBe('1');
		expect(session.view.todos.lastKeyById.size).toBe(MAX_TODOS);
	});
});

describe('tools', () => {
	it('count calls, failures and durations, as reported or as measured', () => {
		const session = createSession();
		const call = { tool_name: 'Bash', tool_input: {}, tool_use_id: 't1' };
		session.fold('tool.pre', call, { ts: 100 });
		session.fold('tool.post', { ...call, tool_response: null }, { ts: 130 });
		session.fold('tool.pre', { ...call, tool_use_id: 't2' }, { ts: 200 });
		session.fold('tool.failure', { ...call, tool_use_id: 't2', error: 'no', duration_ms: 5 }, { ts: 300 });
		expect(session.view.tools.byTool.get('Bash')).toEqual({ calls: 2, failures: 1, durationMs: 35 });
		expect(session.view.summary).toMatchObject({ toolCalls: 2, toolFailures: 1 });
		expect(session.view.tools.inFlight.size).toBe(0);
	});

	it('exclude the time spent waiting for a decision', () => {
		const session = createSession();
		const call = { tool_name: 'Bash', tool_input: {}, tool_use_id: 't1' };
		const ask = { ask_id: askId.parse('a1') };
		session.fold('tool.pre', call, { ts: 100 });
		session.fold('permission.request', { ...call, risk: 'low', ...ask }, { ts: 110 });
		session.fold('permission.decision', { decision_type: 'allow', decided_by: 'user', ...ask }, { ts: 600_110 });
		session.fold('tool.post', { ...call, tool_response: null }, { ts: 600_130 });
		expect(session.view.tools.byTool.get('Bash')).toMatchObject({ durationMs: 30 });
	});

	it('find the start of a call without an id by its event', () => {
		const session = createSession();
		const call = { tool_name: 'Bash', tool_input: {} };
		const pre = session.fold('tool.pre', call, { ts: 100 });
		const cause = { parent_event_id: pre.event_id };
		session.fold('tool.post', { ...call, tool_response: null }, { ts: 130, cause });
		expect(session.view.tools.byTool.get('Bash')?.durationMs).toBe(30);
	});

	it('count a call at its end if its start was missed', () => {
		const session = createSession();
		session.fold('run.start', PROMPTED);
		session.fold('tool.failure', { tool_name: 'Bash', tool_input: {}, tool_use_id: 't1', error: 'no' });
		expect(session.view.tools.byTool.get('Bash')).toMatchObject({ calls: 1, failures: 1 });
		expect(session.view.summary).toMatchObject({ toolCalls: 1, toolFailures: 1 });
	});

	it('are counted together beyond the limit', () => {
		const session = createSession();
		for (let n = 0; n < MAX_TOOL_NAMES + 2; n += 1) session.fold('tool.pre', { tool_name: `t${n}`, tool_input: {} });
		expect(session.view.tools.byTool.size).toBe(MAX_TOOL_NAMES);
		expect(session.view.tools.other.calls).toBe(2);
	});
});

describe('usage, native ids and connection', () => {
	it('show the last usage report, which is a total', () => {
		const session = createSession();
		const total = { input_tokens: 1, output_tokens: 2, cache_read_tokens: 3, cache_write_tokens: 4 };
		session.fold('usage.update', { total, by_model: { m: total } });
		session.fold('usage.update', { total: { ...total, input_tokens: 9 }, by_model: {}, cost_usd_estimate: 0.5 });
		expect(session.view.usage).toMatchObject({ total: { input_tokens: 9 }, byModel: {}, costUsdEstimate: 0.5 });
	});

	it('keep each native id once, with the time and reason it was first seen', () => {
		const session = createSession();
		session.fold('session.native', { agent: 'claude', native_id: 'n1', reason: 'startup' }, { ts: 5 });
		session.fold('session.native', { agent: 'claude', native_id: 'n1', reason: 'resume' }, { ts: 6 });
		expect(session.view.nativeIds).toHaveLength(1);
		for (let n = 2; n <= MAX_NATIVE_IDS + 4; n += 1) {
			session.fold('session.native', { agent: 'claude', native_id: `n${n}`, reason: 'clear' });
		}
		expect(session.view.nativeIds).toHaveLength(MAX_NATIVE_IDS);
		expect(session.view.nativeIds[0]).toEqual({ id: 'n1', reason: 'startup', since: 5 });
		expect(session.view.nativeIds.at(-1)?.id).toBe(`n${MAX_NATIVE_IDS + 4}`);
	});

	it('show the last runtime status and its start time', () => {
		const session = createSession();
		session.fold('runtime.status', { status: 'gap', reason: 'runner was down' });
		session.fold('runtime.status', { status: 'degraded', reason: 'disk full' }, { ts: 9 });
		expect(session.view.connection).toEqual({ status: 'degraded', since: 9, reason: 'disk full' });
	});
});

type Place = { ts?: number; run_id?: string; actor_id?: string; cause?: Record<string, string> };

function createSession() {
	const view = createSessionView(SESSION);
	const statuses: SessionView['state']['status'][] = [];
	let seq = 0;
	return {
		view,
		statuses,
		fold<K extends FeedEventKind>(kind: K, data: FeedData<K>, place: Place = {}): FeedEvent {
			seq += 1;
			const base = { session_id: SESSION, run_id: 's1:R1', actor_id: 'agent:root', level: 'info', title: kind, ts: seq };
			const event = feedEvent.parse({ ...base, ...place, event_id: `s1:R1:E${seq}`, seq, kind, data });
			foldSessionView(view, event);
			statuses.push(view.state.status);
			return event;
		},
	};
}

function todosOf({ todos }: SessionView, actor: ActorId) {
	return [...todos.byKey.values()].filter((todo) => todo.actorId === actor);
}
