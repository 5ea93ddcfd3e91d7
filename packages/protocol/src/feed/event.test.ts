import { describe, expect, it } from 'vitest';
import { storedLine } from '../stored-line.ts';
import { feedEvent } from './event.ts';

const EVENT = {
	event_id: 's:R1:E1',
	seq: 1,
	ts: 5,
	session_id: 's',
	run_id: 's:R1',
	kind: 'notification',
	level: 'info',
	actor_id: 'system',
	title: 'ready',
	data: { message: 'ready' },
};

describe('the feed', () => {
	it('has every published kind', () => {
		const kinds = feedEvent.options.map((option) => option.shape.kind.value).sort();
		expect(kinds).toMatchSnapshot();
	});

	it('rejects unknown kinds, and data of another kind', () => {
		expect(feedEvent.safeParse(EVENT).success).toBe(true);
		expect(feedEvent.safeParse({ ...EVENT, kind: 'made.up' }).success).toBe(false);
		expect(feedEvent.safeParse({ ...EVENT, data: { text: 'ready' } }).success).toBe(false);
	});
});

describe('stored line', () => {
	const line = {
		seqNo: 1,
		stream: 's',
		offset: 1,
		sessionId: 's',
		runnerId: 'r',
		projectId: 'p',
		ts: 5,
		receivedAt: 6,
		v: 1,
		event: EVENT,
	};

	it('requires an offset and a seqNo, both from 1', () => {
		expect(storedLine.safeParse(line).success).toBe(true);
		expect(storedLine.safeParse({ ...line, offset: 0 }).success).toBe(false);
		expect(storedLine.safeParse({ ...line, seqNo: 1.5 }).success).toBe(false);
	});

	it('is rejected with another version', () => {
		expect(storedLine.safeParse({ ...line, v: 2 }).success).toBe(false);
	});
});
