import { sessionTile } from '@roost/protocol/session-row';
import { describe, expect, it } from 'vitest';
import { markAllSeen, markSeen, parseSeen, startSeen, stopOf, unseenOf } from './seen.ts';

const row = (id: string, lastEventAt: number, over: object = {}) =>
	sessionTile.parse({
		...{ id, agent: 'mock', status: 'idle', projectId: 'p', projectPath: '/p', nativeIds: [], title: 'Fix it' },
		...{ startedAt: 0, lastEventAt, events: 3 },
		...over,
	});

describe('sessions since the user looked', () => {
	it('are those that stopped after that time, newest first', () => {
		const rows = [
			row('old', 50),
			row('done', 200),
			row('works', 210, { status: 'working' }),
			row('waits', 220, { status: 'waiting' }),
			row('failed', 300, { lastRun: 'failed' }),
			row('gone', 310, { archived: true }),
			row('fresh', 320, { title: '' }),
		];
		expect(unseenOf(rows, startSeen(100)).map(({ id }) => id)).toEqual(['failed', 'done']);
	});

	it('are not those whose last event was looked at', () => {
		const seen = markSeen(startSeen(100), row('done', 200));
		expect(unseenOf([row('done', 200)], seen)).toEqual([]);
		expect(unseenOf([row('done', 201)], seen)).toHaveLength(1);
		expect(markSeen(seen, row('done', 200))).toBe(seen);
	});

	it('are none after all were dismissed, whatever the clock of the runner says', () => {
		const rows = [row('a', 200), row('ahead', 9_000)];
		expect(unseenOf(rows, markAllSeen(rows, 300))).toEqual([]);
	});

	it('say how they stopped', () => {
		expect(stopOf(row('a', 1))).toBe('finished');
		expect(stopOf(row('a', 1, { lastRun: 'failed' }))).toBe('failed');
		expect(stopOf(row('a', 1, { lastRun: 'aborted' }))).toBe('interrupted');
		expect(stopOf(row('a', 1, { status: 'ended' }))).toBe('ended');
		expect(stopOf(row('a', 1, { status: 'interrupted' }))).toBe('failed');
	});

	it('are read from storage only if it holds marks', () => {
		expect(parseSeen('{"since":1,"sessions":{"s1":2}}')).toEqual({ since: 1, sessions: { s1: 2 } });
		for (const text of [null, '', 'null', '{', '{"since":"x"}']) expect(parseSeen(text)).toBeUndefined();
	});
});
