// After an ask has expired, the agent's own dialog may still be open: such a session is waiting, not working.
import { type FeedData, type FeedEvent, type FeedEventKind, feedEvent } from '@roost/protocol/feed/event';
import { actorId, askId, projectId, runId, sessionId } from '@roost/protocol/ids';
import { describe, expect, it } from 'vitest';
import { toSessionRow } from './session-row.ts';
import { createSessionView, foldSessionView } from './session-view.ts';

const CALL = { tool_name: 'Bash', tool_input: {}, tool_use_id: 't1' };
const ASKED = { ...CALL, risk: 'high', ask_id: askId.parse('a1'), own_dialog: true } as const;
const EXPIRED = { decision_type: 'no_opinion', decided_by: 'timeout', ask_id: askId.parse('a1') } as const;
const COUNTERS = { tool_uses: 0, tool_failures: 0, permission_requests: 0, blocks: 0 };

describe('dialog of an agent', () => {
	it.each([
		['the call ran', 'tool.post', { ...CALL, tool_response: null }, 'working'],
		['the call was denied', 'permission.denied', CALL, 'working'],
		['the run ended', 'run.end', { status: 'completed', counters: COUNTERS }, 'idle'],
	] as const)('stays open after its ask has expired, until %s', (_what, kind, data, after) => {
		const session = createSession();
		session.fold('permission.request', ASKED);
		expect(session.state()).toEqual({ status: 'waiting', ownDialog: undefined });
		session.fold('permission.decision', EXPIRED);
		expect(session.state()).toEqual({ status: 'waiting', ownDialog: 'expired' });
		session.fold(kind, data, { tool_use_id: 't1' });
		expect(session.state()).toEqual({ status: after, ownDialog: undefined });
	});

	it('stays open after a question has expired', () => {
		const session = createSession();
		session.fold('question.request', { questions: [], tool_use_id: 't1', ask_id: askId.parse('a1'), own_dialog: true });
		session.fold('question.answer', { answers: {}, decided_by: 'timeout', ask_id: askId.parse('a1') });
		expect(session.state()).toEqual({ status: 'waiting', ownDialog: 'expired' });
	});

	it('is not open after a denial, or for an agent that has no dialog', () => {
		const denied = createSession();
		denied.fold('permission.request', ASKED);
		denied.fold('permission.decision', {
			decision_type: 'deny',
			message: 'late',
			decided_by: 'timeout',
			ask_id: askId.parse('a1'),
		});
		expect(denied.state()).toEqual({ status: 'working', ownDialog: undefined });
		const without = createSession();
		without.fold('permission.request', { ...ASKED, own_dialog: undefined });
		without.fold('permission.decision', EXPIRED);
		expect(without.state()).toEqual({ status: 'working', ownDialog: undefined });
	});

	it.each([
		['permission.request', { ...CALL, risk: 'low', own_dialog: true }],
		['notification', { message: 'May I?', notification_type: 'permission_prompt', own_dialog: true }],
	] as const)('is open if the agent reports it by a %s, with or without an earlier ask', (kind, data) => {
		const session = createSession();
		session.fold(kind, data);
		expect(session.state()).toEqual({ status: 'waiting', ownDialog: 'open' });
		session.fold('tool.post', { ...CALL, tool_response: null }, { tool_use_id: 't1' });
		expect(session.state()).toEqual({ status: 'working', ownDialog: undefined });
		session.fold('permission.request', { ...ASKED, own_dialog: undefined });
		session.fold('permission.decision', EXPIRED);
		session.fold(kind, data);
		expect(session.state()).toEqual({ status: 'waiting', ownDialog: 'expired' });
	});
});

function createSession() {
	const id = sessionId.parse('s1');
	const view = createSessionView(id);
	const place = { agent: 'claude', projectId: projectId.parse('/p'), projectPath: '/p' };
	let seq = 0;
	const session = {
		state() {
			const { status, ownDialog } = toSessionRow(view, place);
			return { status, ownDialog };
		},
		fold<K extends FeedEventKind>(kind: K, data: FeedData<K>, cause: FeedEvent['cause'] = {}) {
			seq += 1;
			const event = { session_id: id, run_id: runId.parse('s1:R1'), actor_id: actorId.parse('agent:root'), seq, ts: seq * 1000 };
			const shown = { event_id: `s1:R1:E${seq}`, level: 'info', title: '' };
			foldSessionView(view, feedEvent.parse({ ...event, ...shown, kind, data, cause }));
		},
	};
	session.fold('run.start', { trigger: { type: 'user_prompt_submit' } });
	return session;
}
