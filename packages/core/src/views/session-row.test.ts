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
			openAsks: 0,
			tokens: 0,
			lastEvent: { kind: 'session.end', offset: 4, ts: 40 },
		});
	});

	it('counts pending asks, tasks, tokens and cost, and names the last event that a feed shows', () => {
		const view = viewOf([
			...STARTED,
			{ kind: 'todo.add', data: { todo_id: 't1', text: 'one' } },
			{ kind: 'todo.add', data: { todo_id: 't2', text: 'two' } },
			{ kind: 'usage.update', data: usageOf(1, 2, 3, 4) },
			{ kind: 'permission.request', data: { tool_name: 'Bash', tool_input: {}, ask_id: 'a1', risk: 'low' } },
			{ kind: 'todo.done', data: { todo_id: 't1' } },
		]);
		expect(toSessionRow(view, PLACE)).toMatchObject({
			openAsks: 1,
			tasks: { done: 1, total: 2 },
			tokens: 10,
			costUsdEstimate: 0.5,
			lastEvent: { kind: 'permission.request', offset: 7, ts: 70 },
			events: 8,
		});
	});

	it('is valid JSON for absurd amounts', () => {
		const most = Number.MAX_VALUE;
		const usage = { ...usageOf(most, most, most, most), cost_usd_estimate: most };
		const view = viewOf([{ kind: 'usage.update', data: usage }]);
		view.usage.costUsdEstimate = Number.POSITIVE_INFINITY;
		const row = sessionRow.parse(JSON.parse(JSON.stringify(toSessionRow(view, PLACE))));
		expect([row.tokens, row.costUsdEstimate]).toEqual([Number.MAX_SAFE_INTEGER, undefined]);
	});

	it('does not change when the view changes', () => {
		const view = endedSession();
		const row = toSessionRow(view, PLACE);
		view.nativeIds.push({ id: 'n2', reason: 'clear', since: 50 });
		expect(row.nativeIds).toHaveLength(1);
	});
});

const STARTED = [
	{ kind: 'session.start', data: { source: 'startup', model: 'big' } },
	{ kind: 'session.native', data: { agent: 'claude', native_id: 'n1', reason: 'startup' } },
	{ kind: 'user.prompt', data: { prompt: 'fix it', cwd: '/repo' } },
];

function endedSession() {
	return viewOf([...STARTED, { kind: 'session.end', data: { reason: 'other' } }]);
}

function usageOf(input_tokens: number, output_tokens: number, cache_read_tokens: number, cache_write_tokens: number) {
	return { total: { input_tokens, output_tokens, cache_read_tokens, cache_write_tokens }, by_model: {}, cost_usd_estimate: 0.5 };
}

function viewOf(facts: readonly object[]) {
	const view = createSessionView(sessionId.parse('s1'));
	for (const [index, fact] of facts.entries()) {
		const base = { event_id: `e${index}`, seq: index + 1, ts: 10 * (index + 1), session_id: 's1', run_id: 's1:R0' };
		foldSessionView(view, feedEvent.parse({ ...base, level: 'info', actor_id: 'system', title: '', ...fact }));
	}
	return view;
}
