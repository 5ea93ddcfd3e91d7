import { describe, expect, it } from 'vitest';
import { call, kindsOf, scriptSession } from './feed.contract.ts';

const STOP = { stop_hook_active: false, background_tasks: [] };
const WAITING = { stop_hook_active: false, background_tasks: [{ id: 'b1', type: 'subagent' }] };

describe('event outside any run', () => {
	it.each([
		['SessionStart', { source: 'startup' }],
		['SessionStart', { source: 'resume' }],
		['SessionStart', { source: 'clear' }],
		['SessionStart', { source: 'compact' }],
		['SessionStart', { source: 'fork' }],
		['InstructionsLoaded', { file_path: '/project/CLAUDE.md' }],
		['Notification', { message: 'waiting' }],
		['ConfigChange', { source: 'user_settings' }],
		['CwdChanged', { old_cwd: '/a', new_cwd: '/b' }],
		['SessionEnd', { reason: 'other' }],
		['UserPromptExpansion', { prompt: '/x' }],
		['MessageDisplay', { delta: 'late', final: true, index: 0, message_id: 'm1' }],
		['Stop', STOP],
		['SubagentStop', { agent_id: 'a1', agent_type: '', stop_hook_active: false }],
	])('%s %j belongs to R0 and opens no run', (hook, payload) => {
		const session = scriptSession();
		const events = session.report(hook, payload);
		expect(new Set(events.map((event) => event.run_id))).toEqual(new Set(['s1:R0']));
		expect(session.state.run).toBeNull();
	});

	it('continues the seq of R0 across runs', () => {
		const session = scriptSession();
		session.report('SessionStart', { source: 'startup' });
		session.report('UserPromptSubmit', { prompt: 'go' });
		session.report('Stop', STOP);
		const [end] = session.report('SessionEnd', { reason: 'other' });
		expect(end?.event_id).toBe('s1:R0:E2');
	});

	it.each([
		['PreToolUse', call('Bash', { command: 'ls' }, 't1')],
		['PostToolUse', { ...call('Bash', { command: 'ls' }, 't1'), tool_response: 'x' }],
		['PermissionRequest', call('Bash', { command: 'ls' })],
		['SubagentStart', { agent_id: 'a1', agent_type: 'general-purpose' }],
	])('%s opens a run of type other', (hook, payload) => {
		const [start] = scriptSession().report(hook, payload);
		expect(start).toMatchObject({
			kind: 'run.start',
			event_id: 's1:R1:E1',
			actor_id: 'system',
			data: { trigger: { type: 'other' } },
		});
	});
});

describe('session', () => {
	it('names its transcript only when it starts', () => {
		const session = scriptSession();
		session.report('SessionStart', { source: 'startup', model: 'opus' });
		session.report('UserPromptSubmit', { prompt: 'go' });
		expect(session.feed.map((event) => event.cause?.transcript_path)).toEqual([
			'/transcripts/native-1.jsonl',
			undefined,
			undefined,
		]);
		expect(session.state.session).toMatchObject({ session_id: 's1', started_at: 1, source: 'startup', model: 'opus' });
	});

	it('is open again when it starts after its end', () => {
		const session = scriptSession();
		session.report('SessionStart', { source: 'startup', model: 'opus' });
		session.report('SessionEnd', { reason: 'clear' });
		expect(session.state.session?.ended_at).toBe(2);
		session.report('SessionStart', { source: 'clear' });
		expect(session.state.session).toMatchObject({ started_at: 1, source: 'clear', model: 'opus' });
		expect(session.state.session?.ended_at).toBeUndefined();
	});
});

describe('run', () => {
	it('starts with the prompt of the user', () => {
		const events = scriptSession().report('UserPromptSubmit', { prompt: 'fix it\nplease', permission_mode: 'plan' });
		expect(events).toMatchObject([
			{
				kind: 'run.start',
				event_id: 's1:R1:E1',
				seq: 1,
				actor_id: 'user',
				data: { trigger: { type: 'user_prompt_submit', request_id: 'q1', prompt_preview: 'fix it …' } },
			},
			{
				kind: 'user.prompt',
				event_id: 's1:R1:E2',
				seq: 2,
				actor_id: 'user',
				data: { prompt: 'fix it\nplease', cwd: '/project', permission_mode: 'plan' },
			},
		]);
	});

	it('starts with a task notification, which is not recorded as a prompt of the user', () => {
		const session = scriptSession();
		session.report('UserPromptSubmit', { prompt: 'one' });
		session.report('Stop', { ...STOP, background_tasks: [{ id: 'b1' }] });
		const task_notification = { message: 'The build ended\n\n<task-notification>', tool_use_id: 't1' };
		const events = session.report('UserPromptSubmit', { prompt: '<task-notification>', task_notification });
		expect(events).toMatchObject([
			{ kind: 'run.end', run_id: 's1:R1', data: { status: 'completed' } },
			{ kind: 'run.start', run_id: 's1:R2', actor_id: 'system', data: { trigger: { type: 'other' } } },
			{
				kind: 'notification',
				run_id: 's1:R2',
				actor_id: 'system',
				data: { notification_type: 'task_notification', message: task_notification.message },
				cause: { tool_use_id: 't1' },
			},
		]);
	});

	it('is aborted by the next prompt if its end was not reported', () => {
		const session = scriptSession();
		session.report('UserPromptSubmit', { prompt: 'one' });
		session.report('PreToolUse', call('Bash', { command: 'sleep 9' }, 't1'));
		const events = session.report('UserPromptSubmit', { prompt: 'two' });
		expect(events.map(({ kind, run_id }) => [kind, run_id])).toEqual([
			['run.end', 's1:R1'],
			['run.start', 's1:R2'],
			['user.prompt', 's1:R2'],
		]);
		expect(events[0]?.data).toMatchObject({ status: 'aborted' });
		expect(session.state.calls.open.size).toBe(0);
	});

	it('completes with a stop', () => {
		const session = scriptSession();
		session.report('UserPromptSubmit', { prompt: 'one' });
		const events = session.report('Stop', STOP);
		expect(kindsOf(events)).toEqual(['stop.request', 'run.end']);
		expect(events[0]).toMatchObject({ actor_id: 'system', data: { scope: 'root', stop_hook_active: false } });
		expect(events[1]?.data).toMatchObject({ status: 'completed' });
		expect(session.state.run).toBeNull();
	});

	it('is aborted with a reason when the session ends before the agent stops', () => {
		const session = scriptSession();
		session.report('UserPromptSubmit', { prompt: 'one' });
		const events = session.report('SessionEnd', { reason: 'logout' });
		expect(kindsOf(events)).toEqual(['session.end', 'run.end']);
		const reason = 'the session ended before the agent stopped: the user signed out';
		expect(events[1]).toMatchObject({ run_id: 's1:R1', data: { status: 'aborted', reason } });
	});

	it('counts its events', () => {
		const session = scriptSession();
		session.report('UserPromptSubmit', { prompt: 'one' });
		session.report('PreToolUse', call('Bash', { command: 'a' }, 't1'), { id: 'pre1' });
		session.report('PermissionRequest', call('Bash', { command: 'a' }), { id: 'perm1' });
		session.decide('perm1', { verdict: { type: 'deny', message: 'no' }, source: 'rule' });
		session.report('PostToolBatch', { tool_calls: [{ ...call('Bash', { command: 'a' }, 't1'), tool_response: 'no' }] });
		session.report('PreToolUse', call('Bash', { command: 'b' }, 't2'));
		session.report('PostToolUse', { ...call('Bash', { command: 'b' }, 't2'), tool_response: 'ok' });
		const counters = { tool_uses: 2, tool_failures: 1, permission_requests: 1, blocks: 1 };
		expect(session.report('Stop', STOP).at(-1)?.data).toMatchObject({ counters });
		session.report('UserPromptSubmit', { prompt: 'two' });
		expect(session.report('Stop', STOP).at(-1)?.data).toMatchObject({
			counters: { tool_uses: 0, tool_failures: 0, permission_requests: 0, blocks: 0 },
		});
	});
});

describe('background tasks', () => {
	it('keep the run open after a stop, and their events belong to it', () => {
		const session = scriptSession();
		session.report('UserPromptSubmit', { prompt: 'one' });
		expect(kindsOf(session.report('Stop', WAITING))).toEqual(['stop.request']);
		const [tool] = session.report('PreToolUse', call('Bash', { command: 'ls' }, 't1'), { agentId: 'a1' });
		expect(tool).toMatchObject({ kind: 'tool.pre', run_id: 's1:R1', actor_id: 'subagent:a1' });
		expect(kindsOf(session.report('Stop', STOP))).toEqual(['stop.request', 'run.end']);
	});

	it('complete the run when the prompt they inject arrives', () => {
		const session = scriptSession();
		session.report('UserPromptSubmit', { prompt: 'one' });
		session.report('Stop', WAITING);
		session.report('SubagentStop', { agent_id: 'a1', agent_type: 'general-purpose', stop_hook_active: false });
		const events = session.report('UserPromptSubmit', { prompt: 'the task is done' });
		expect(kindsOf(events)).toEqual(['run.end', 'run.start', 'user.prompt']);
		expect(events[0]?.data).toMatchObject({ status: 'completed' });
		expect(session.report('Stop', STOP).at(-1)).toMatchObject({ run_id: 's1:R2', data: { status: 'completed' } });
		expect(session.feed.filter((event) => event.kind === 'run.start')).toHaveLength(2);
	});

	it('keep their open calls in the next run if they are still running', () => {
		const session = scriptSession();
		session.report('UserPromptSubmit', { prompt: 'one' });
		session.report('Stop', WAITING);
		const [pre] = session.report('PreToolUse', call('Bash', { command: 'ls' }, 't1'), { agentId: 'a1' });
		session.report('UserPromptSubmit', { prompt: 'meanwhile' });
		const [post] = session.report(
			'PostToolUse',
			{ ...call('Bash', { command: 'ls' }, 't1'), tool_response: '' },
			{ agentId: 'a1' },
		);
		expect(post?.cause?.parent_event_id).toBe(pre?.event_id);
	});

	it('do not complete a run in which the root agent continued to work', () => {
		const session = scriptSession();
		session.report('UserPromptSubmit', { prompt: 'one' });
		session.report('Stop', WAITING);
		session.report('PreToolUse', call('Bash', { command: 'ls' }, 't1'));
		expect(session.report('UserPromptSubmit', { prompt: 'two' })[0]?.data).toMatchObject({ status: 'aborted' });
	});

	it('leave the run completed when the session ends while they are running', () => {
		const session = scriptSession();
		session.report('UserPromptSubmit', { prompt: 'one' });
		session.report('Stop', WAITING);
		expect(session.report('SessionEnd', { reason: 'other' }).at(-1)?.data).toMatchObject({ status: 'completed' });
	});
});

describe('steering prompt', () => {
	it('belongs to the current run, or starts one if there is none', () => {
		const session = scriptSession();
		session.report('UserPromptSubmit', { prompt: 'go', sent_as: 'p1' });
		const steering = session.report('UserPromptSubmit', { prompt: 'to the left', sent_as: 'p2', steers: true });
		expect(steering).toMatchObject([{ kind: 'user.prompt', run_id: 's1:R1', data: { prompt: 'to the left', prompt_id: 'p2' } }]);
		session.report('Stop', STOP);
		const late = session.report('UserPromptSubmit', { prompt: 'too late', sent_as: 'p3', steers: true });
		expect(late).toMatchObject([
			{ kind: 'run.start', run_id: 's1:R2', data: { trigger: { prompt_id: 'p3' } } },
			{ kind: 'user.prompt', data: { prompt_id: 'p3' } },
		]);
	});
});
