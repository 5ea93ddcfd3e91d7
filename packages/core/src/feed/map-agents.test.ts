import { describe, expect, it } from 'vitest';
import { toSubagentActor } from './entities.ts';
import { call, scriptSession } from './feed.contract.ts';

const begin = () => {
	const session = scriptSession();
	session.report('UserPromptSubmit', { prompt: 'go' });
	return session;
};
const start = (agent_id: string) => ({ agent_id, agent_type: 'Explore' });

describe('subagent', () => {
	it('is registered under the root agent, with the call that started it as the parent of its start', () => {
		const session = begin();
		const [pre] = session.report('PreToolUse', call('Agent', { prompt: 'look' }, 't1'));
		const [started] = session.report('SubagentStart', start('a1'));
		expect(started).toMatchObject({ kind: 'subagent.start', actor_id: 'agent:root', cause: { parent_event_id: pre?.event_id } });
		expect(session.state.actors.get(toSubagentActor('a1'))).toEqual({
			actor_id: 'subagent:a1',
			kind: 'subagent',
			display_name: 'Explore',
			agent_type: 'Explore',
			parent_actor_id: 'agent:root',
		});
	});

	it('owns its tool events', () => {
		const session = begin();
		session.report('SubagentStart', start('a1'));
		const agentId = 'a1';
		const [pre] = session.report('PreToolUse', call('Bash', { command: 'ls' }, 't1'), { agentId });
		const [post] = session.report('PostToolUse', { ...call('Bash', { command: 'ls' }, 't1'), tool_response: '' }, { agentId });
		const [failed] = session.report('PostToolUseFailure', { ...call('Bash', { command: 'x' }, 't2'), error: 'no' }, { agentId });
		const batch = session.report('PostToolBatch', { tool_calls: [] }, { agentId });
		for (const event of [pre, post, failed, ...batch]) expect(event?.actor_id).toBe('subagent:a1');
	});

	it('is registered when it is first seen, even if only its payload names it', () => {
		const session = begin();
		session.report('PreToolUse', { ...call('Bash', { command: 'ls' }, 't1'), agent_id: 'a9' });
		expect(session.state.actors.get(toSubagentActor('a9'))).toMatchObject({ kind: 'subagent', parent_actor_id: 'agent:root' });
		expect([...(session.state.run?.subagents ?? [])]).toEqual(['subagent:a9']);
	});

	it('started by a subagent belongs to that subagent', () => {
		const session = begin();
		session.report('PreToolUse', call('Agent', { prompt: 'outer' }, 't1'));
		session.report('SubagentStart', start('a1'));
		const [pre] = session.report('PreToolUse', call('Agent', { prompt: 'inner' }, 't2'), { agentId: 'a1' });
		const [started] = session.report('SubagentStart', start('a2'));
		expect(started).toMatchObject({ actor_id: 'subagent:a1', cause: { parent_event_id: pre?.event_id } });
		expect(session.state.actors.get(toSubagentActor('a2'))?.parent_actor_id).toBe('subagent:a1');
	});

	it('belongs to the root agent if two agents could have started it', () => {
		const session = begin();
		session.report('PreToolUse', call('Bash', { command: 'ls' }, 't0'), { agentId: 'a1' });
		session.report('PreToolUse', call('Agent', { prompt: 'x' }, 't1'));
		session.report('PreToolUse', call('Agent', { prompt: 'y' }, 't2'), { agentId: 'a1' });
		const [started] = session.report('SubagentStart', start('a2'));
		expect(started?.actor_id).toBe('agent:root');
		expect(started?.cause?.parent_event_id).toBeUndefined();
	});

	it('may stop without a start', () => {
		const session = scriptSession();
		const events = session.report('SubagentStop', { agent_id: 'a1', agent_type: '', stop_hook_active: false });
		expect(events).toMatchObject([{ kind: 'subagent.stop', run_id: 's1:R0', actor_id: 'subagent:a1' }]);
		expect(session.state.actors.get(toSubagentActor('a1'))).toMatchObject({ display_name: 'Subagent' });
	});
});

it('attributes tasks to the agent that reports them', () => {
	const session = begin();
	const [created] = session.report('TaskCreated', { task_id: '1', task_subject: 'First' });
	const [completed] = session.report('TaskCompleted', { task_id: '1', task_subject: 'First' }, { agentId: 'a1' });
	expect(created).toMatchObject({ kind: 'task.created', actor_id: 'agent:root', data: { task_id: '1', task_subject: 'First' } });
	expect(completed).toMatchObject({ kind: 'task.completed', actor_id: 'subagent:a1' });
});
