import { type FeedEvent, feedEvent } from '@roost/protocol/feed/event';
import { describe, expect, it } from 'vitest';
import { createProgressFilter } from './run-output.ts';

function fact(kind: string, data: object, ts = 0): FeedEvent {
	const place = { event_id: 's1:R1:E1', seq: 1, session_id: 's1', run_id: 's1:R1', actor_id: 'system' };
	return feedEvent.parse({ ...place, ts, level: 'info', title: '', kind, data });
}

const retryAt = (seconds: number) => fact('notification', { message: 'again', notification_type: 'api_retry' }, seconds * 1_000);

describe('progress of a run', () => {
	it('includes tool calls but no agent messages', () => {
		const isProgress = createProgressFilter();
		expect(isProgress(fact('tool.pre', { tool_name: 'Read', tool_input: {} }))).toBe(true);
		expect(isProgress(fact('agent.message', { text: 'hello' }))).toBe(false);
	});

	it('includes retries at most every 10 seconds', () => {
		const isProgress = createProgressFilter();
		expect([0, 1, 3, 9.9, 10, 11, 25].map(retryAt).map(isProgress)).toEqual([true, false, false, false, true, false, true]);
	});
});
