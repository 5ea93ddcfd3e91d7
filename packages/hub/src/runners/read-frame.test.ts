import type { RunnerFrame } from '@roost/protocol/hub/link-frames';
import { runnerId, streamId } from '@roost/protocol/ids';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { placeLines, readRunnerFrame } from './read-frame.ts';

const LOG = { runnerId: runnerId.parse('r1'), epoch: 1 };
const HEAD = {
	type: 'event',
	first: 7,
	streams: [streamId.parse('a'), streamId.parse('b')],
	places: [
		[0, 3],
		[1, 1],
	],
	heads: ['0'.repeat(64), '1'.repeat(64)],
	rows: { sessions: [], asks: [], queues: [], usage: [] },
} satisfies Extract<RunnerFrame, { type: 'event' }>;
const LINES = ['{"line":"a \\n"}', '{"line":2}'];

describe('frame of a runner', () => {
	it('gives each line of a batch its place, with the bytes as they arrived', () => {
		const frame = unwrap(readRunnerFrame([JSON.stringify(HEAD), ...LINES].join('\n')));
		const batch = unwrap(placeLines(LOG, HEAD, frame?.lines ?? []));
		expect(batch.lines).toEqual([
			{ seqNo: 7, stream: 'a', offset: 3, line: LINES[0] },
			{ seqNo: 8, stream: 'b', offset: 1, line: LINES[1] },
		]);
		expect([...batch.heads]).toEqual([
			['a', '0'.repeat(64)],
			['b', '1'.repeat(64)],
		]);
	});

	it('is ignored where its type is unknown, and refused where it is damaged', () => {
		expect(readRunnerFrame('{"type":"runner.dance","with":1}')).toEqual({ ok: true, value: undefined });
		for (const text of ['', '{', '[]', '{"type":1}', '{"type":"event","first":"x"}', 'null\nx']) {
			expect(readRunnerFrame(text), text).toMatchObject({ ok: false, error: { code: 'bad_request' } });
		}
	});

	it.each([
		['has fewer lines than places', HEAD, LINES.slice(1)],
		['has more lines than places', HEAD, [...LINES, '{}']],
		['names a stream that it does not list', { ...HEAD, places: [HEAD.places[0], [2, 1]] }, LINES],
		['has a stream without a head', { ...HEAD, heads: HEAD.heads.slice(1) }, LINES],
		['lists a stream twice', { ...HEAD, streams: [HEAD.streams[0], HEAD.streams[0]] }, LINES],
	])('is refused when its batch %s', (_what, head, lines) => {
		expect(placeLines(LOG, head as typeof HEAD, lines)).toMatchObject({ ok: false, error: { code: 'bad_request' } });
	});
});
