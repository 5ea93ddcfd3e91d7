import { SAMPLE_NOW, sampleWorld } from '@roost/testkit/rigs/tui/sample-world';
import { describe, expect, it } from 'vitest';
import { VIEWS } from '../pane.ts';
import { keepFresh } from './model.ts';

const LATER = { now: SAMPLE_NOW + 3_000 };
const REFRESH = [{ type: 'refresh-sessions' }];

describe('list refresh', () => {
	it('reloads lists after a while, only in views that show them', () => {
		const asked = VIEWS.filter((view) => keepFresh(view, sampleWorld(LATER)).length > 0);
		expect(asked).toEqual(['sessions', 'past', 'rules']);
		expect(keepFresh('sessions', sampleWorld())).toEqual([]);
		expect(keepFresh('sessions', sampleWorld(LATER))).toEqual(REFRESH);
	});

	it('scans for past sessions only in the past view, and less often', () => {
		const past = { sessions: [], looking: false, readAt: SAMPLE_NOW };
		const READ = [{ type: 'read-past' }];
		expect(keepFresh('past', sampleWorld())).toEqual(READ);
		expect(keepFresh('past', sampleWorld({ past }))).toEqual([]);
		expect(keepFresh('past', sampleWorld({ past: { ...past, readAt: SAMPLE_NOW - 15_000 } }))).toEqual(READ);
		expect(keepFresh('past', sampleWorld({ past: { ...past, readAt: 0, looking: true } }))).toEqual([]);
		expect(keepFresh('sessions', sampleWorld())).toEqual([]);
	});

	it('reloads the sessions in the feed when none is open', () => {
		expect(keepFresh('feed', sampleWorld({ ...LATER, open: null }))).toEqual(REFRESH);
	});

	it('reloads nothing while the runner is disconnected', () => {
		const connection = { state: 'reconnecting', since: SAMPLE_NOW } as const;
		expect(keepFresh('sessions', sampleWorld({ ...LATER, connection }))).toEqual([]);
	});
});
