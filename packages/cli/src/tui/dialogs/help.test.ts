import { openDesk } from '@roost/testkit/rigs/desk-rig';
import { plainLook, toText } from '@roost/testkit/rigs/plain-look';
import { sampleWorld } from '@roost/testkit/rigs/sample-world';
import { describe, expect, it } from 'vitest';
import { GLOBAL } from '../keys/keymap.ts';
import { VIEWS } from '../pane.ts';
import { paneFor } from '../shell/panes.ts';
import { helpPane } from './help.ts';

const ROOM = { width: 80, height: 60, look: plainLook() };

function helpIn(...keys: string[]) {
	const desk = openDesk(sampleWorld());
	desk.press(...keys, '?');
	const text = (room = ROOM) => toText(helpPane.draw(desk.scene().shell.panes.help, desk.world(), room).rows, room.width);
	return { desk, text };
}

describe('help', () => {
	it.each(VIEWS)('names every key of %s and those that work everywhere', (view) => {
		const { desk, text } = helpIn(':', ...view, 'enter');
		const { title, keys } = paneFor(view, desk.scene().shell.panes);
		expect(text()).toContain(title);
		const wide = text({ ...ROOM, width: 200 });
		for (const { help } of [...keys, ...GLOBAL]) if (help) expect.soft(wide).toContain(help);
	});

	it('is for what is below the palette it was asked for in', () => {
		const desk = openDesk(sampleWorld());
		desk.press(':', ...'rules', 'enter', ':', ...'help', 'enter');
		expect(desk.scene().shell.panes.help.title).toBe('Rules');
	});

	it('scrolls where it does not fit, and closes', () => {
		const { desk } = helpIn();
		const small = { ...ROOM, height: 4 };
		const text = () => toText(helpPane.draw(desk.scene().shell.panes.help, desk.world(), small).rows, 80);
		const top = text();
		expect(top.split('\n').at(-1)).toContain('more below: PgDn');
		const end = helpPane.act(desk.scene().shell.panes.help, 'bottom', desk.world(), small).state;
		expect(toText(helpPane.draw(end, desk.world(), small).rows, 80)).toContain('to the end');
		expect(text()).toBe(top);
		desk.press('q');
		expect(desk.scene().shell.dialogs).toEqual([]);
	});

	it('stands in one column where two do not fit', () => {
		const { text } = helpIn();
		const narrow = text({ ...ROOM, width: 60 });
		expect(narrow.split('\n')[0]).toBe(' Feed');
		expect(narrow).toMatch(/to the end\n\n Everywhere\n/);
	});
});
