import { openHeadlessTui } from '@roost/testkit/rigs/tui/headless-tui';
import { plainStyles, toText } from '@roost/testkit/rigs/tui/plain-styles';
import { sampleHub, sampleWorld } from '@roost/testkit/rigs/tui/sample-world';
import { describe, expect, it } from 'vitest';
import { GLOBAL, globalKeys } from '../keys/keymap.ts';
import { VIEWS } from '../pane.ts';
import { paneFor } from '../shell/panes.ts';
import { helpPane } from './help.ts';

const ROOM = { width: 80, height: 60, styles: plainStyles() };

function helpIn(...keys: string[]) {
	const tui = openHeadlessTui(sampleWorld(sampleHub()));
	tui.press(...keys, '?');
	const text = (room = ROOM) => toText(helpPane.draw(tui.scene().shell.panes.help, tui.world(), room).rows, room.width);
	return { tui, text };
}

describe('help', () => {
	it.each(VIEWS)('lists every key of %s and the global keys', (view) => {
		const { tui, text } = helpIn(':', ...view, 'enter');
		const { title, keys } = paneFor(view, tui.scene().shell.panes);
		expect(text()).toContain(title);
		const wide = text({ ...ROOM, width: 200 });
		for (const { help } of [...keys, ...globalKeys(tui.world())]) if (help) expect.soft(wide).toContain(help);
	});

	it('describes the view below when opened from the palette', () => {
		const tui = openHeadlessTui(sampleWorld());
		tui.press(':', ...'rules', 'enter', ':', ...'help', 'enter');
		expect(tui.scene().shell.panes.help.title).toBe('Rules');
	});

	it('scrolls when it does not fit and closes with q', () => {
		const { tui } = helpIn();
		const small = { ...ROOM, height: 4 };
		const text = () => toText(helpPane.draw(tui.scene().shell.panes.help, tui.world(), small).rows, 80);
		const top = text();
		expect(top.split('\n').at(-1)).toContain('more below: PgDn');
		const end = helpPane.act(tui.scene().shell.panes.help, 'bottom', tui.world(), small).state;
		expect(toText(helpPane.draw(end, tui.world(), small).rows, 80)).toContain('to the end');
		expect(text()).toBe(top);
		tui.press('q');
		expect(tui.scene().shell.dialogs).toEqual([]);
	});

	it('has the key of the runners only at a hub', () => {
		const tui = openHeadlessTui(sampleWorld());
		tui.press('?');
		expect(tui.scene().shell.panes.help.everywhere).toEqual(GLOBAL);
		expect(helpIn().tui.scene().shell.panes.help.everywhere).toContainEqual(expect.objectContaining({ keys: ['H'] }));
	});

	it('uses one column when two do not fit', () => {
		const { text } = helpIn();
		const narrow = text({ ...ROOM, width: 60 });
		expect(narrow.split('\n')[0]).toBe(' Feed');
		expect(narrow).toMatch(/to the end\n\n Everywhere\n/);
	});
});
