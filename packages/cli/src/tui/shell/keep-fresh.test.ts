import { SAMPLE_NOW, sampleWorld } from '@roost/testkit/rigs/sample-world';
import { describe, expect, it } from 'vitest';
import { VIEWS } from '../pane.ts';
import { keepFresh } from './keep-fresh.ts';

const LATER = { now: SAMPLE_NOW + 3_000 };
const REFRESH = [{ type: 'refresh-sessions' }];

describe('lists that are looked at', () => {
	it('are read again after a while, and only while they are looked at', () => {
		const asked = VIEWS.filter((view) => keepFresh(view, sampleWorld(LATER)).length > 0);
		expect(asked).toEqual(['sessions', 'rules']);
		expect(keepFresh('sessions', sampleWorld())).toEqual([]);
		expect(keepFresh('sessions', sampleWorld(LATER))).toEqual(REFRESH);
	});

	it('are read for a session to open where there is none', () => {
		expect(keepFresh('feed', sampleWorld({ ...LATER, open: null }))).toEqual(REFRESH);
	});

	it('are left alone while the runner does not answer', () => {
		const connection = { state: 'reconnecting', since: SAMPLE_NOW } as const;
		expect(keepFresh('sessions', sampleWorld({ ...LATER, connection }))).toEqual([]);
	});
});
