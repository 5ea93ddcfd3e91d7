import type { World } from '@roost/client/world/world';
import { promptId, sessionId } from '@roost/protocol/ids';
import { hostileStrings } from '@roost/testkit/fakes/hostile-strings';
import { sampleEvent } from '@roost/testkit/rigs/record/sample-append';
import { openHeadlessTui } from '@roost/testkit/rigs/tui/headless-tui';
import { plainStyles } from '@roost/testkit/rigs/tui/plain-styles';
import { sampleOpen, samplePermission, sampleWorld } from '@roost/testkit/rigs/tui/sample-world';
import { drawScene } from '@roost/testkit/rigs/tui/tui-scene';
import { describe, expect, it } from 'vitest';
import { drawFrame } from '../frame.ts';
import { widthOf } from '../screen/text.ts';

const SIZE = { columns: 80, rows: 24 };
/** Without colours, so that every control byte comes from the text. */
const STYLES = plainStyles();
const EACH = process.env.ROOST_SOAK === '1' ? 1 : 7;
const ID = sessionId.parse('k3f9');
const QUEUED = ['mend it', 'then test it'].map((text, at) => ({ id: promptId.parse(`p${at + 1}`), text, queuedAt: at }));

/** A world with an open run. */
function busyWorld(over: Partial<World> = {}): World {
	const run = sampleEvent('k3f9', 1, { kind: 'run.start', data: { trigger: { type: 'other' } } });
	return sampleWorld({ open: sampleOpen([run]), queues: new Map([[ID, QUEUED]]), ...over });
}

async function screenOf(tui: ReturnType<typeof openHeadlessTui>): Promise<string> {
	using terminal = await drawScene(tui.scene(), { ascii: true });
	return terminal.text();
}

describe('composer', () => {
	it('sends the prompt with Enter and closes', () => {
		const tui = openHeadlessTui(sampleWorld());
		tui.press('i');
		tui.type('mend it');
		tui.press('enter');
		expect(tui.wishes()).toEqual([{ type: 'prompt', id: ID, text: 'mend it' }]);
		expect(tui.scene().shell.dialogs).toEqual([]);
	});

	it('accepts several lines, typed and pasted', () => {
		const tui = openHeadlessTui(sampleWorld());
		tui.press('i', 'a', 'alt+enter', 'b', 'ctrl+j');
		tui.paste('c\r\nd\re');
		tui.press('enter');
		expect(tui.wishes()).toEqual([{ type: 'prompt', id: ID, text: 'a\nb\nc\nd\ne' }]);
	});

	it('asks for text instead of sending a blank prompt', async () => {
		const tui = openHeadlessTui(sampleWorld());
		tui.press('i', 'space', 'enter');
		expect(tui.wishes()).toEqual([]);
		expect(await screenOf(tui)).toContain('Write something first.');
	});

	it('keeps the draft when closed and reopened', () => {
		const tui = openHeadlessTui(sampleWorld());
		tui.press('i');
		tui.type('half');
		tui.press('esc', 'i');
		tui.type(' done');
		tui.press('enter');
		expect(tui.wishes()).toEqual([{ type: 'prompt', id: ID, text: 'half done' }]);
	});

	it('rejects text over 20000 characters', async () => {
		const tui = openHeadlessTui(sampleWorld());
		tui.press('i');
		tui.paste('x'.repeat(20_001));
		expect(tui.scene().shell.panes.composer.field.text).toBe('');
		expect(await screenOf(tui)).toContain('at most 20000 characters');
	});

	it('delays a permission dialog until the prompt is sent', () => {
		const tui = openHeadlessTui(sampleWorld());
		tui.press('i', 'y');
		tui.report({ asks: [samplePermission()] });
		expect(tui.scene().shell.dialogs).toEqual(['composer']);
		tui.press('enter');
		expect(tui.scene().shell.dialogs).toEqual(['permission']);
	});
});

describe('prompt history', () => {
	function wrote(...texts: string[]) {
		const tui = openHeadlessTui(sampleWorld());
		for (const text of texts) {
			tui.press('i');
			tui.type(text);
			tui.press('enter');
		}
		tui.press('i');
		tui.wishes();
		const shown = () => tui.scene().shell.panes.composer.field.text;
		return { tui, shown };
	}

	it('is browsed with Up and Down, which also brings back the draft', () => {
		const { tui, shown } = wrote('one', 'two', 'one');
		tui.type('new');
		const seen = ['up', 'up', 'up', 'down', 'down', 'down'].map((key) => {
			tui.press(key);
			return shown();
		});
		expect(seen).toEqual(['one', 'two', 'two', 'one', 'new', 'new']);
	});

	it('is reached only from the first and the last line of the draft', () => {
		const { tui, shown } = wrote('one');
		tui.type('a');
		tui.press('ctrl+j', 'b', 'up');
		expect(shown()).toBe('a\nb');
		tui.press('up');
		expect(shown()).toBe('one');
		tui.press('down');
		expect(shown()).toBe('a\nb');
	});
});

describe('session that accepts no prompts', () => {
	it.each([
		[{ driving: { takesPrompts: false, why: 'This session is only observed: write in its terminal.' } }, 'only observed'],
		[{ open: null }, 'No session is open'],
	] as const)('explains why and ignores typed text', async (over, words) => {
		const tui = openHeadlessTui(sampleWorld(over));
		tui.press('i');
		expect(await screenOf(tui)).toContain(words);
		tui.paste('hello');
		tui.press('enter');
		expect(tui.wishes()).toEqual([]);
		expect(tui.scene().shell.panes.composer.field.text).toBe('');
		tui.press('esc');
		expect(tui.scene().shell.dialogs).toEqual([]);
	});
});

describe('session not yet known to accept prompts', () => {
	it('accepts a draft but does not send it before the runner confirms', async () => {
		const tui = openHeadlessTui(sampleWorld({ driving: null }));
		tui.press('i', 'a', 'enter');
		expect(await screenOf(tui)).toContain('It is not known yet');
		tui.report({ driving: { takesPrompts: true } });
		tui.press('enter');
		expect(tui.wishes()).toEqual([{ type: 'prompt', id: ID, text: 'a' }]);
	});

	it('keeps the draft if the session turns out to accept no prompts', async () => {
		const tui = openHeadlessTui(sampleWorld({ driving: null }));
		tui.press('i', 'a');
		tui.report({ driving: { takesPrompts: false, why: 'It is only observed.' } });
		tui.press('enter');
		expect(tui.wishes()).toEqual([]);
		expect(await screenOf(tui)).toContain('It is only observed.');
		expect(tui.scene().shell.panes.composer.field.text).toBe('a');
	});
});

describe('queued prompts', () => {
	it('are shown in the composer', async () => {
		const tui = openHeadlessTui(busyWorld());
		tui.press('i');
		expect(await screenOf(tui)).toMatch(/2 queued prompts.*mend it.*then test it/s);
		tui.report({ queues: new Map() });
		expect(await screenOf(tui)).toContain('The agent is busy');
	});

	it('can be selected, edited and saved without losing the draft', () => {
		const tui = openHeadlessTui(busyWorld());
		tui.press('i');
		tui.type('draft');
		tui.press('tab', 'down', 'enter');
		tui.type(' twice');
		tui.press('enter');
		expect(tui.wishes()).toEqual([{ type: 'edit-queued', id: ID, prompt: 'p2', text: 'then test it twice' }]);
		expect(tui.scene().shell.panes.composer.field.text).toBe('draft');
		expect(tui.scene().shell.dialogs).toEqual(['composer']);
	});

	it('stay unchanged when editing is cancelled with Esc', () => {
		const tui = openHeadlessTui(busyWorld());
		tui.press('i', 'tab', 'enter', 'x', 'esc');
		expect(tui.scene().shell.panes.composer).toMatchObject({ changing: null, field: { text: '' } });
		expect(tui.wishes()).toEqual([]);
	});

	it('can be sent immediately or reordered', () => {
		const tui = openHeadlessTui(busyWorld());
		tui.press('i', 'tab', 'down', 'n');
		expect(tui.wishes()).toEqual([{ type: 'send-now', id: ID, prompt: 'p2' }]);
		tui.press('K');
		expect(tui.wishes()).toEqual([{ type: 'move-queued', id: ID, prompt: 'p2', to: 0 }]);
		tui.press('K');
		expect(tui.wishes()).toEqual([]);
		tui.press('J');
		expect(tui.wishes()).toEqual([{ type: 'move-queued', id: ID, prompt: 'p1', to: 1 }]);
	});

	it('can be cancelled', () => {
		const tui = openHeadlessTui(busyWorld());
		tui.press('i', 'tab', 'down', 'x');
		expect(tui.wishes()).toEqual([{ type: 'cancel-queued', id: ID, prompt: 'p2' }]);
		tui.report({ queues: new Map() });
		tui.press('x');
		expect(tui.wishes()).toEqual([]);
		expect(tui.scene().shell.panes.composer.choosing).toBeNull();
	});

	it('show a warning if one leaves the queue while being edited', async () => {
		const tui = openHeadlessTui(busyWorld());
		tui.press('i', 'tab', 'enter');
		tui.report({ queues: new Map() });
		expect(await screenOf(tui)).toContain('Already sent or cancelled');
	});

	it('cannot be edited when longer than 20000 characters', async () => {
		const long = QUEUED.map((prompt) => ({ ...prompt, text: 'x'.repeat(20_001) }));
		const tui = openHeadlessTui(busyWorld({ queues: new Map([[ID, long]]) }));
		tui.press('i', 'tab', 'enter');
		expect(tui.scene().shell.panes.composer.changing).toBeNull();
		expect(await screenOf(tui)).toContain('at most 20000 characters');
	});

	it('never put control bytes on the screen or break its width', () => {
		for (const text of hostileStrings().filter((_, at) => at % EACH === 0)) {
			const queues = new Map([[ID, QUEUED.map((prompt) => ({ ...prompt, text }))]]);
			const tui = openHeadlessTui(busyWorld({ queues }));
			for (const key of ['i', 'tab', 'enter', 'enter', 'up']) {
				tui.press(key);
				const { lines } = drawFrame(tui.scene(), SIZE, STYLES);
				const harmful = lines.filter((line) => /[\p{Cc}\p{Bidi_Control}\p{Cs}]/u.test(line) || widthOf(line) !== SIZE.columns);
				expect(harmful, JSON.stringify(text)).toEqual([]);
			}
		}
	});

	it('are reported as missing if the queue is empty', async () => {
		const tui = openHeadlessTui(sampleWorld());
		tui.press('i', 'tab');
		expect(await screenOf(tui)).toContain('No queued prompts.');
	});
});

describe('pressing Esc twice', () => {
	const INTERRUPT = [{ type: 'interrupt', id: ID }];

	it('interrupts the agent from the feed, with a hint after the first Esc', () => {
		const tui = openHeadlessTui(busyWorld());
		tui.press('esc');
		expect(tui.scene().notice).toBe('Press Esc again to interrupt the agent.');
		expect(tui.wishes()).toEqual([]);
		tui.wait(900);
		tui.press('esc');
		expect(tui.wishes()).toEqual(INTERRUPT);
		expect(tui.scene().notice).toBe('');
	});

	it('interrupts the agent from the composer', () => {
		const tui = openHeadlessTui(busyWorld());
		tui.press('i', 'esc', 'esc');
		expect(tui.wishes()).toEqual(INTERRUPT);
	});

	it.each([
		['too slowly', ['esc', 'wait', 'esc']],
		['with another key in between', ['esc', 'j', 'esc']],
		['from another dialog', ['?', 'esc', 'esc']],
	])('does not interrupt when done %s', (_why, keys) => {
		const tui = openHeadlessTui(busyWorld());
		for (const key of keys) key === 'wait' ? tui.wait(1_001) : tui.press(key);
		expect(tui.wishes()).toEqual([]);
	});

	it.each([
		['idle', { open: sampleOpen([]) }],
		['only observed', { driving: { takesPrompts: false, why: 'no' } }],
	] as const)('does nothing when the agent is %s', (_what, over) => {
		const tui = openHeadlessTui(busyWorld(over));
		tui.press('esc', 'esc');
		expect(tui.wishes()).toEqual([]);
		expect(tui.scene().notice).toBe('');
	});
});
