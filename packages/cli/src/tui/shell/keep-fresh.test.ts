import { SAMPLE_NOW, sampleWorld } from '@roost/testkit/rigs/tui/sample-world';
import { describe, expect, it } from 'vitest';
import { VIEWS } from '../pane.ts';
import { keepFresh } from './model.ts';

const LATER = { now: SAMPLE_NOW + 3_000 };
const REFRESH = [{ type: 'refresh-sessions' }];

describe('lists that are looked at', () => {
	it('are read again after a while, and only while they are looked at', () => {
		const asked = VIEWS.filter((view) => keepFresh(view, sampleWorld(LATER)).length > 0);
		expect(asked).toEqual(['sessions', 'past', 'rules']);
		expect(keepFresh('sessions', sampleWorld())).toEqual([]);
		expect(keepFresh('sessions', sampleWorld(LATER))).toEqual(REFRESH);
	});

	it('are looked for on the machine only where past ones are looked at, and less often', () => {
		const past = { sessions: [], looking: false, readAt: SAMPLE_NOW };
		const READ = [{ type: 'read-past' }];
		expect(keepFresh('past', sampleWorld())).toEqual(READ);
		expect(keepFresh('past', sampleWorld({ past }))).toEqual([]);
		expect(keepFresh('past', sampleWorld({ past: { ...past, readAt: SAMPLE_NOW - 15_000 } }))).toEqual(READ);
		expect(keepFresh('past', sampleWorld({ past: { ...past, readAt: 0, looking: true } }))).toEqual([]);
		expect(keepFresh('sessions', sampleWorld())).toEqual([]);
	});

	it('are read for a session to open where there is none', () => {
		expect(keepFresh('feed', sampleWorld({ ...LATER, open: null }))).toEqual(REFRESH);
	});

	it('are left alone while the runner does not answer', () => {
		const connection = { state: 'reconnecting', since: SAMPLE_NOW } as const;
		expect(keepFresh('sessions', sampleWorld({ ...LATER, connection }))).toEqual([]);
	});
});
