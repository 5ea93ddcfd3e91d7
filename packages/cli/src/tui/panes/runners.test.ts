import { openHeadlessTui } from '@roost/testkit/rigs/tui/headless-tui';
import { plainStyles, toText } from '@roost/testkit/rigs/tui/plain-styles';
import { sampleHub, sampleWorld } from '@roost/testkit/rigs/tui/sample-world';
import { describe, expect, it } from 'vitest';
import { VIEWS } from '../pane.ts';
import { runnersPane } from './runners.ts';

function openRunners() {
	const tui = openHeadlessTui(sampleWorld(sampleHub()));
	tui.press('H');
	const room = { width: 80, height: 12, styles: plainStyles() };
	return { tui, text: () => toText(runnersPane.draw(tui.scene().shell.panes.runners, tui.world(), room).rows, 80) };
}

describe('runners of a hub', () => {
	it('are listed with presence, work, requests and version', () => {
		const { tui, text } = openRunners();
		expect(tui.scene().shell.view).toBe('runners');
		expect(
			text()
				.split('\n')
				.map((line) => line.trimEnd()),
		).toEqual([
			'  4 runners of this hub, 2 offline',
			'    RUNNER              STATUS                        WORKING REQUESTS  VERSION',
			'  ■ build-server        offline since 10:31                 -        1  0.1.0',
			'  ◐ desktop             online                              0        1  0.1.0',
			'❯ ◐ laptop              online                              1        1  0.1.0',
			'  ■ old-mac             offline since 2026-05-03 12:01      -        0  0.0.9',
		]);
	});

	it('can be switched to; the shown one is selected first and only left for its feed', () => {
		const { tui } = openRunners();
		tui.press('enter');
		expect([tui.left(), tui.scene().shell.view]).toEqual([undefined, 'feed']);
		tui.press('H', 'up', 'enter');
		expect(tui.left()).toEqual({ to: 'runner', runner: 'id-of-desktop' });
		tui.press('esc');
		expect(tui.scene().shell.view).toBe('feed');
	});

	it('are there only at a hub, by key and by Tab', () => {
		const tui = openHeadlessTui(sampleWorld());
		tui.press('H');
		expect(tui.scene().shell.view).toBe('feed');
		tui.press('shift+tab');
		expect(tui.scene().shell.view).toBe('stats');
		const atHub = openHeadlessTui(sampleWorld(sampleHub()));
		const seen = VIEWS.map(() => {
			atHub.press('tab');
			return atHub.scene().shell.view;
		});
		expect(seen.toSorted()).toEqual(VIEWS.toSorted());
	});

	it('may all be gone', () => {
		const { tui, text } = openRunners();
		tui.report({ runners: { shown: tui.world().runners?.shown ?? expect.fail('no hub'), rows: [] } });
		tui.press('down', 'enter');
		expect(text()).toContain('0 runners of this hub');
	});
});
