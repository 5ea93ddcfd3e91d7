import type { World } from '@roost/client/world/world';
import { sampleSession } from '@roost/testkit/rigs/record/sample-append';
import { openHeadlessTui } from '@roost/testkit/rigs/tui/headless-tui';
import { plainStyles, toText } from '@roost/testkit/rigs/tui/plain-styles';
import { SAMPLE_NOW, samplePast, sampleWorld } from '@roost/testkit/rigs/tui/sample-world';
import { describe, expect, it } from 'vitest';
import { pastPane } from './past.ts';

const ROOM = { width: 80, height: 12, styles: plainStyles() };
const RETRY = samplePast();
const CACHE = samplePast({ nativeId: '7a1d3c52-0000-4000-8000-000000000002', title: 'Warm the cache', resumable: false });

function openPast(over: Partial<World> = {}) {
	const past = { sessions: [RETRY, CACHE], looking: false, readAt: SAMPLE_NOW };
	const tui = openHeadlessTui(sampleWorld({ past, ...over }));
	tui.press(':', ...'sessions', 'enter', 'P');
	return { tui, text: () => toText(pastPane.draw(tui.scene().shell.panes.past, tui.world(), ROOM).rows, 80) };
}

describe('past sessions', () => {
	it('are loaded when the pane opens and listed with title, message count and age', () => {
		const { tui, text } = openPast({ past: null });
		expect(tui.wishes()).toEqual([{ type: 'read-past' }]);
		expect(text()).toContain('Searching for past sessions');
		tui.report({ past: { sessions: [RETRY], looking: false, readAt: SAMPLE_NOW } });
		expect(text()).toMatch(/1 past session of project that Roost does not drive/);
		expect(text()).toMatch(/5f0c8f7e 22h +12 {2}Explain the retry loop/);
	});

	it('include observed sessions but not driven ones', () => {
		const seen = sampleSession('s1', { nativeIds: [{ id: RETRY.nativeId, reason: 'startup', since: 0 }] });
		const { tui, text } = openPast({ sessions: [seen] });
		expect(text()).toContain('Explain the retry loop');
		tui.report({ sessions: [{ ...seen, driven: true }] });
		expect(text()).not.toContain('Explain the retry loop');
		expect(text()).toContain('Warm the cache');
		tui.report({ past: { sessions: [RETRY], looking: false, readAt: SAMPLE_NOW } });
		expect(text()).toContain('No past sessions');
	});

	it('open with Enter, and resume with R if possible', () => {
		const { tui } = openPast();
		tui.wishes();
		tui.press('down', 'R');
		expect(tui.scene().notice).toContain('This session cannot be resumed');
		expect(tui.scene().shell.view).toBe('past');
		tui.press('enter');
		expect(tui.wishes()).toEqual([{ type: 'open-past', session: CACHE }]);
		expect(tui.scene().shell.view).toBe('feed');
		tui.press(':', ...'past', 'enter', 'R');
		expect(tui.wishes()).toEqual([{ type: 'resume-past', session: RETRY }]);
		expect(tui.scene().shell.view).toBe('feed');
	});

	it('are filtered while typing, and Esc leads back to the sessions', () => {
		const { tui, text } = openPast();
		tui.press('/');
		tui.type('WARM x');
		expect(text()).toContain('No past session matches.');
		tui.press('backspace');
		expect(text()).toContain('1 past session');
		tui.press('esc');
		expect(text()).toContain('2 past sessions');
		tui.press('esc');
		expect(tui.scene().shell.view).toBe('sessions');
	});
});
