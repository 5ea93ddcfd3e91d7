// The row of a session matches its view and its position.
import { feedEvent } from '@roost/protocol/feed/event';
import { projectId, sessionId } from '@roost/protocol/ids';
import { sessionRow } from '@roost/protocol/session-row';
import { describe, expect, it } from 'vitest';
import { toSessionRow } from './session-row.ts';
import { createSessionView, foldSessionView } from './session-view.ts';

const PLACE = { agent: 'claude', projectId: projectId.parse('p1'), projectPath: '/repo' };

describe('session row', () => {
	it('is valid for a session that has no events yet', () => {
		const row = toSessionRow(createSessionView(sessionId.parse('s1')), PLACE);
		expect(sessionRow.parse(row)).toMatchObject({ id: 's1', status: 'idle', title: '', startedAt: 0, events: 0 });
	});

	it('has the identity, activity and location of the session', () => {
		const row = toSessionRow(endedSession(), { ...PLACE, parentId: sessionId.parse('s0') });
		expect(sessionRow.parse(row)).toEqual({
			...PLACE,
			id: 's1',
			parentId: 's0',
			status: 'ended',
			nativeIds: [{ id: 'n1', reason: 'startup', since: 20 }],
			model: 'big',
			title: 'fix it',
			startedAt: 10,
			lastEventAt: 40,
			endedAt: 40,
			events: 4,
		});
	});

	it('does not change when the view changes', () => {
		const view = endedSession();
		const row = toSessionRow(view, PLACE);
		view.nativeIds.push({ id: 'n2', reason: 'clear', since: 50 });
		expect(row.nativeIds).toHaveLength(1);
	});
});

function endedSession() {
	const view = createSessionView(sessionId.parse('s1'));
	const facts = [
		{ kind: 'session.start', data: { source: 'startup', model: 'big' } },
		{ kind: 'session.native', data: { agent: 'claude', native_id: 'n1', reason: 'startup' } },
		{ kind: 'user.prompt', data: { prompt: 'fix it', cwd: '/repo' } },
		{ kind: 'session.end', data: { reason: 'other' } },
	];
	for (const [index, fact] of facts.entries()) {
		const base = { event_id: `e${index}`, seq: index + 1, ts: 10 * (index + 1), session_id: 's1', run_id: 's1:R0' };
		foldSessionView(view, feedEvent.parse({ ...base, level: 'info', actor_id: 'system', title: '', ...fact }));
	}
	return view;
}
