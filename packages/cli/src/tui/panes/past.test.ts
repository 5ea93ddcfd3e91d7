import type { World } from '@roost/client/world/world';
import { openDesk } from '@roost/testkit/rigs/desk-rig';
import { plainLook, toText } from '@roost/testkit/rigs/plain-look';
import { sampleSession } from '@roost/testkit/rigs/sample-append';
import { SAMPLE_NOW, samplePast, sampleWorld } from '@roost/testkit/rigs/sample-world';
import { describe, expect, it } from 'vitest';
import { pastPane } from './past.ts';

const ROOM = { width: 80, height: 12, look: plainLook() };
const RETRY = samplePast();
const CACHE = samplePast({ nativeId: '7a1d3c52-0000-4000-8000-000000000002', title: 'Warm the cache', resumable: false });

function openPast(over: Partial<World> = {}) {
	const past = { sessions: [RETRY, CACHE], looking: false, readAt: SAMPLE_NOW };
	const desk = openDesk(sampleWorld({ past, ...over }));
	desk.press(':', ...'sessions', 'enter', 'P');
	return { desk, text: () => toText(pastPane.draw(desk.scene().shell.panes.past, desk.world(), ROOM).rows, 80) };
}

describe('past sessions', () => {
	it('are looked for when somebody looks at them, and shown with title, messages and age', () => {
		const { desk, text } = openPast({ past: null });
		expect(desk.wishes()).toEqual([{ type: 'read-past' }]);
		expect(text()).toContain('Looking for past sessions');
		desk.tell({ past: { sessions: [RETRY], looking: false, readAt: SAMPLE_NOW } });
		expect(text()).toMatch(/1 past session of project that Roost does not drive/);
		expect(text()).toMatch(/5f0c8f7e 22h +12 {2}Explain the retry loop/);
	});

	it('are those that Roost does not drive, also where it observed them', () => {
		const seen = sampleSession('s1', { nativeIds: [{ id: RETRY.nativeId, reason: 'startup', since: 0 }] });
		const { desk, text } = openPast({ sessions: [seen] });
		expect(text()).toContain('Explain the retry loop');
		desk.tell({ sessions: [{ ...seen, driven: true }] });
		expect(text()).not.toContain('Explain the retry loop');
		expect(text()).toContain('Warm the cache');
		desk.tell({ past: { sessions: [RETRY], looking: false, readAt: SAMPLE_NOW } });
		expect(text()).toContain('No past sessions');
	});

	it('are read with Enter, and gone on with where that is possible', () => {
		const { desk } = openPast();
		desk.wishes();
		desk.press('down', 'R');
		expect(desk.scene().notice).toContain('It cannot go on');
		expect(desk.scene().shell.view).toBe('past');
		desk.press('enter');
		expect(desk.wishes()).toEqual([{ type: 'open-past', session: CACHE }]);
		expect(desk.scene().shell.view).toBe('feed');
		desk.press(':', ...'past', 'enter', 'R');
		expect(desk.wishes()).toEqual([{ type: 'resume-past', session: RETRY }]);
		expect(desk.scene().shell.view).toBe('feed');
	});

	it('are filtered as one types, and lead back to the sessions', () => {
		const { desk, text } = openPast();
		desk.press('/');
		desk.type('WARM x');
		expect(text()).toContain('No past session has these words.');
		desk.press('backspace');
		expect(text()).toContain('1 past session');
		desk.press('esc');
		expect(text()).toContain('2 past sessions');
		desk.press('esc');
		expect(desk.scene().shell.view).toBe('sessions');
	});
});
