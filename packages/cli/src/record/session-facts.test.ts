import { runnerId, sessionStream } from '@roost/protocol/ids';
import { ok } from '@roost/protocol/result';
import { sampleAppend, sampleEvent, sampleSession } from '@roost/testkit/rigs/record/sample-append';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import type { RecordedLine, RecordReader } from './reader.ts';
import { readLastUsage, readLaunchNotices } from './session-facts.ts';

type Part = Parameters<typeof sampleEvent>[2];

const usage = (tokens: number) => {
	const total = { input_tokens: tokens, output_tokens: 0, cache_read_tokens: 0, cache_write_tokens: 0 };
	return { kind: 'usage.update', data: { total, by_model: {} } } as const;
};
const words = { kind: 'agent.message', data: { text: 'about "usage.update"' } } as const;

describe('usage of a session', () => {
	it('is the last report, however many events follow it', async () => {
		const parts = [usage(1), usage(2), ...Array.from({ length: 1_500 }, () => words)];
		const session = sampleSession('a', { events: parts.length });
		expect(unwrap(await readLastUsage(recordOf([]), session))).toBeNull();
		expect(unwrap(await readLastUsage(recordOf(parts), session))).toMatchObject({ input_tokens: 2 });
	});
});

describe('notices of a launch', () => {
	it('are those among the first events', async () => {
		const notice = { kind: 'notification', data: { notification_type: 'launch_notice', message: 'added a setting' } } as const;
		expect(unwrap(await readLaunchNotices(recordOf([words, notice]), sampleSession('a')))).toEqual(['added a setting']);
	});
});

function recordOf(parts: readonly Part[]): Pick<RecordReader, 'read'> {
	const place = sampleAppend('a', []);
	const lines = parts.map((part, at): RecordedLine => {
		const event = sampleEvent('a', at + 1, part);
		const head = { seqNo: at + 1, stream: sessionStream(event.session_id), offset: at + 1, sessionId: event.session_id };
		const line = { ...head, runnerId: runnerId.parse('r1'), projectId: place.projectId, ts: 1, receivedAt: 1, v: 1, event };
		return { offset: at + 1, line: JSON.stringify(line) };
	});
	return { read: async (_, { after, limit }) => ok(lines.slice(after, after + limit)) };
}
