import { type FeedEvent, feedEvent } from '@roost/protocol/feed/event';
import { eventId, promptId } from '@roost/protocol/ids';
import { describe, expect, it } from 'vitest';
import { createRunTracker, type RunOver } from './run-tracker.ts';

let seq = 0;

function fact(kind: string, data: object, run = 'R1', actor = 'agent:root'): FeedEvent {
	seq += 1;
	const place = { event_id: `s1:${run}:E${seq}`, seq, ts: 0, session_id: 's1', run_id: `s1:${run}` };
	return feedEvent.parse({ ...place, level: 'info', actor_id: actor, title: '', kind, data });
}

const prompt = (run = 'R1', id?: string) => fact('user.prompt', { prompt: 'x', cwd: '/', prompt_id: id }, run, 'user');
const says = (text: string, run = 'R1', actor?: string) => fact('agent.message', { text }, run, actor);
const COUNTERS = { tool_uses: 0, tool_failures: 0, permission_requests: 0, blocks: 0 };
const ends = (status: RunOver['status'], run = 'R1') =>
	fact('run.end', { status, counters: COUNTERS, reason: 'because' }, run, 'system');
const denied = fact('permission.decision', { decision_type: 'deny', message: 'no', decided_by: 'user', ask_id: 's1.1' });
const deniedByRule = fact('permission.decision', { decision_type: 'deny', message: 'no', decided_by: 'rule', rule_id: 'r1' });
const unanswered = fact('question.answer', { answers: {}, decided_by: 'timeout', ask_id: 's1.2' });
const worked = fact('tool.post', { tool_name: 'Read', tool_input: {}, tool_response: {} });

function overAfter(events: readonly FeedEvent[], waiting?: string): RunOver | undefined {
	const tracker = createRunTracker(waiting === undefined ? undefined : promptId.parse(waiting));
	for (const event of events) tracker.observe(event);
	return tracker.over();
}

describe('run tracker', () => {
	it('reports the last message of the main agent', () => {
		const events = [prompt(), says('one'), says('two'), says('three', 'R1', 'subagent:x'), ends('completed')];
		expect(overAfter(events)).toEqual({
			status: 'completed',
			reason: 'because',
			text: 'two',
			atTurnLimit: false,
			refused: false,
		});
	});

	it('ignores the end of other runs of the session', () => {
		expect(overAfter([ends('aborted', 'R1'), prompt('R2'), ends('completed', 'R1')])).toBeUndefined();
	});

	it('starts at its own prompt if that was queued', () => {
		const before = [prompt('R1', 'other'), says('not mine'), ends('aborted')];
		expect(overAfter(before, 'mine')).toBeUndefined();
		const mine = [prompt('R2', 'mine'), says('mine', 'R2'), ends('completed', 'R2')];
		expect(overAfter([...before, ...mine], 'mine')).toMatchObject({ status: 'completed', text: 'mine' });
	});

	it.each([
		['an ask was denied', [denied], true],
		['a question was not answered', [unanswered], true],
		['a rule denied it without asking', [deniedByRule], false],
		['the agent continued after a denial', [denied, worked], false],
		['it was denied again after it continued', [denied, worked, unanswered], true],
	])('reports whether a request was refused: %s', (_name, events, refused) => {
		expect(overAfter([prompt(), ...events, ends('aborted')])).toMatchObject({ status: 'aborted', refused });
	});

	it.each([
		['of the main agent', 'agent:root', true],
		['of a subagent', 'subagent:x', false],
	])('reports whether a turn limit ended the run: %s', (_name, actor, atTurnLimit) => {
		const stopped = fact('stop.failure', { error: 'max_turns' }, 'R1', actor);
		expect(overAfter([prompt(), stopped, ends('failed')])).toMatchObject({ status: 'failed', atTurnLimit });
	});

	it('reports the reason when the session ends before the run begins', () => {
		const ended = fact('session.end', { reason: 'other' }, 'R0', 'system');
		expect(overAfter([ended])).toMatchObject({ status: 'aborted', reason: 'its session ended (other) before it began' });
		const error = fact('runtime.error', { code: 'x', message: 'The agent is not installed.' }, 'R0', 'system');
		expect(overAfter([error, ended])).toMatchObject({ status: 'aborted', reason: 'The agent is not installed.' });
		const failure = fact('stop.failure', { error: 'agent_ended', last_assistant_message: 'It has no key.' }, 'R0');
		expect(overAfter([failure, ended])).toMatchObject({ status: 'aborted', reason: 'It has no key.' });
	});

	it('recognizes the events of its own run', () => {
		const tracker = createRunTracker();
		expect([tracker.hasBegun(), tracker.has(eventId.parse('s1:R1:E1'))]).toEqual([false, false]);
		tracker.observe(prompt('R1'));
		expect(['s1:R1:E9', 's1:R11:E9', 's1:R0:E1'].map((id) => tracker.has(eventId.parse(id)))).toEqual([true, false, false]);
	});
});
