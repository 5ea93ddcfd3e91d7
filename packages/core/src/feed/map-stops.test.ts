import { describe, expect, it } from 'vitest';
import { kindsOf, scriptSession } from './feed.contract.ts';

const stop = (text?: string) => ({ stop_hook_active: false, last_assistant_message: text, background_tasks: [] });

describe('stop failure', () => {
	it('of the root agent fails the run', () => {
		const session = scriptSession();
		session.report('UserPromptSubmit', { prompt: 'go' });
		const events = session.report('StopFailure', { error: 'unknown', last_assistant_message: 'API Error: 400' });
		expect(kindsOf(events)).toEqual(['stop.failure', 'run.end']);
		expect(events).toMatchObject([
			{ level: 'error', actor_id: 'agent:root' },
			{ level: 'error', data: { status: 'failed', reason: 'API Error: 400' } },
		]);
	});

	it('of a subagent belongs to the subagent and ends no run', () => {
		const session = scriptSession();
		session.report('UserPromptSubmit', { prompt: 'go' });
		const events = session.report('StopFailure', { error: 'unknown', agent_id: 'a1' });
		expect(events).toMatchObject([{ kind: 'stop.failure', actor_id: 'subagent:a1', data: { agent_id: 'a1' } }]);
		expect(session.state.run).not.toBeNull();
	});
});

describe('interrupt', () => {
	it('aborts the run, even while background tasks are running', () => {
		const session = scriptSession();
		session.report('UserPromptSubmit', { prompt: 'go' });
		const events = session.report('Stop', { ...stop(), background_tasks: [{}], interrupted: true });
		expect(kindsOf(events)).toEqual(['stop.request', 'run.end']);
		expect(events[1]).toMatchObject({ data: { status: 'aborted', reason: 'it was interrupted' } });
	});
});

describe('last message of a stop', () => {
	it('is recorded if the agent has not displayed it', () => {
		const session = scriptSession();
		session.report('UserPromptSubmit', { prompt: 'go' });
		const events = session.report('Stop', stop('All done.'));
		expect(kindsOf(events)).toEqual(['agent.message', 'stop.request', 'run.end']);
		expect(events[0]).toMatchObject({ actor_id: 'agent:root', data: { text: 'All done.' } });
	});

	it('is not repeated if the agent has displayed it', () => {
		const session = scriptSession();
		session.report('UserPromptSubmit', { prompt: 'go' });
		session.report('MessageDisplay', { delta: 'All done.\n', final: true, index: 0, message_id: 'm1' });
		expect(kindsOf(session.report('Stop', stop('All done.')))).toEqual(['stop.request', 'run.end']);
	});

	it('is not repeated by a display that arrives after the stop', () => {
		const session = scriptSession();
		session.report('UserPromptSubmit', { prompt: 'go' });
		session.report('Stop', stop('All done.'));
		const late = session.report('MessageDisplay', { delta: 'All done.', final: true, index: 0, message_id: 'm1' });
		expect(kindsOf(late)).toEqual(['message.display']);
	});

	it('is recorded again in the next run, even if the text is the same', () => {
		const session = scriptSession();
		session.report('UserPromptSubmit', { prompt: 'go' });
		session.report('Stop', stop('Hello.'));
		session.report('UserPromptSubmit', { prompt: 'again' });
		expect(kindsOf(session.report('Stop', stop('Hello.')))).toContain('agent.message');
	});

	it('of a subagent belongs to the subagent', () => {
		const session = scriptSession();
		session.report('UserPromptSubmit', { prompt: 'go' });
		const payload = { agent_id: 'a1', agent_type: 'Explore', stop_hook_active: false, last_assistant_message: 'Found it.' };
		const first = session.report('SubagentStop', payload);
		expect(first).toMatchObject([
			{ kind: 'agent.message', actor_id: 'subagent:a1', data: { text: 'Found it.' } },
			{ kind: 'subagent.stop', actor_id: 'subagent:a1' },
		]);
		expect(kindsOf(session.report('SubagentStop', payload))).toEqual(['subagent.stop']);
		const nested = session.report('SubagentStop', { ...payload, agent_id: 'a2' }, { agentId: 'a1' });
		expect(nested.map((event) => event.actor_id)).toEqual(['subagent:a2', 'subagent:a2']);
	});
});
