import type { World } from '@roost/client/world/world';
import { promptId, sessionId } from '@roost/protocol/ids';
import { hostileStrings } from '@roost/testkit/fakes/hostile-strings';
import { openDesk } from '@roost/testkit/rigs/desk-rig';
import { plainLook } from '@roost/testkit/rigs/plain-look';
import { sampleEvent } from '@roost/testkit/rigs/sample-append';
import { sampleOpen, samplePermission, sampleWorld } from '@roost/testkit/rigs/sample-world';
import { drawScene } from '@roost/testkit/rigs/tui-scene';
import { describe, expect, it } from 'vitest';
import { drawFrame } from '../frame.ts';
import { widthOf } from '../screen/text.ts';

const SIZE = { columns: 80, rows: 24 };
/** Colours are left out, so every control byte that is left came from the text. */
const LOOK = plainLook();
const EACH = process.env.ROOST_SOAK === '1' ? 1 : 7;
const ID = sessionId.parse('k3f9');
const QUEUED = ['mend it', 'then test it'].map((text, at) => ({ id: promptId.parse(`p${at + 1}`), text, queuedAt: at }));

/** A run is open there. */
function busyWorld(over: Partial<World> = {}): World {
	const run = sampleEvent('k3f9', 1, { kind: 'run.start', title: 'run', data: { trigger: { type: 'other' } } });
	return sampleWorld({ open: sampleOpen([run]), queues: new Map([[ID, QUEUED]]), ...over });
}

async function screenOf(desk: ReturnType<typeof openDesk>): Promise<string> {
	using terminal = await drawScene(desk.scene(), { ascii: true });
	return terminal.text();
}

describe('writing a prompt', () => {
	it('sends it with Enter and makes way for what comes of it', () => {
		const desk = openDesk(sampleWorld());
		desk.press('i');
		desk.type('mend it');
		desk.press('enter');
		expect(desk.wishes()).toEqual([{ type: 'prompt', id: ID, text: 'mend it' }]);
		expect(desk.scene().shell.dialogs).toEqual([]);
	});

	it('takes several lines, typed and pasted', () => {
		const desk = openDesk(sampleWorld());
		desk.press('i', 'a', 'alt+enter', 'b', 'ctrl+j');
		desk.paste('c\r\nd\re');
		desk.press('enter');
		expect(desk.wishes()).toEqual([{ type: 'prompt', id: ID, text: 'a\nb\nc\nd\ne' }]);
	});

	it('sends nothing that says nothing', async () => {
		const desk = openDesk(sampleWorld());
		desk.press('i', 'space', 'enter');
		expect(desk.wishes()).toEqual([]);
		expect(await screenOf(desk)).toContain('Write something first.');
	});

	it('keeps what was written while it is closed', () => {
		const desk = openDesk(sampleWorld());
		desk.press('i');
		desk.type('half');
		desk.press('esc', 'i');
		desk.type(' done');
		desk.press('enter');
		expect(desk.wishes()).toEqual([{ type: 'prompt', id: ID, text: 'half done' }]);
	});

	it('has an end', async () => {
		const desk = openDesk(sampleWorld());
		desk.press('i');
		desk.paste('x'.repeat(20_001));
		expect(desk.scene().shell.panes.composer.field.text).toBe('');
		expect(await screenOf(desk)).toContain('at most 20000 characters');
	});

	it('comes before what the agent asks, which comes when it is sent', () => {
		const desk = openDesk(sampleWorld());
		desk.press('i', 'y');
		desk.tell({ asks: [samplePermission()] });
		expect(desk.scene().shell.dialogs).toEqual(['composer']);
		desk.press('enter');
		expect(desk.scene().shell.dialogs).toEqual(['permission']);
	});
});

describe('what was sent before', () => {
	function wrote(...texts: string[]) {
		const desk = openDesk(sampleWorld());
		for (const text of texts) {
			desk.press('i');
			desk.type(text);
			desk.press('enter');
		}
		desk.press('i');
		desk.wishes();
		const shown = () => desk.scene().shell.panes.composer.field.text;
		return { desk, shown };
	}

	it('is walked with the arrows, and what was being written comes back', () => {
		const { desk, shown } = wrote('one', 'two', 'one');
		desk.type('new');
		const seen = ['up', 'up', 'up', 'down', 'down', 'down'].map((key) => {
			desk.press(key);
			return shown();
		});
		expect(seen).toEqual(['one', 'two', 'two', 'one', 'new', 'new']);
	});

	it('is walked only from the first and the last line', () => {
		const { desk, shown } = wrote('one');
		desk.type('a');
		desk.press('ctrl+j', 'b', 'up');
		expect(shown()).toBe('a\nb');
		desk.press('up');
		expect(shown()).toBe('one');
		desk.press('down');
		expect(shown()).toBe('a\nb');
	});
});

describe('a session that takes no prompts', () => {
	it.each([
		[{ driving: { takesPrompts: false, why: 'This session is only observed: write in its terminal.' } }, 'only observed'],
		[{ open: null }, 'No session is open'],
	] as const)('says why, and nothing can be typed', async (over, words) => {
		const desk = openDesk(sampleWorld(over));
		desk.press('i');
		expect(await screenOf(desk)).toContain(words);
		desk.paste('hello');
		desk.press('enter');
		expect(desk.wishes()).toEqual([]);
		expect(desk.scene().shell.panes.composer.field.text).toBe('');
		desk.press('esc');
		expect(desk.scene().shell.dialogs).toEqual([]);
	});
});

describe('a session of which nobody knows yet whether it takes prompts', () => {
	it('lets one write, and sends nothing before the runner has said so', async () => {
		const desk = openDesk(sampleWorld({ driving: null }));
		desk.press('i', 'a', 'enter');
		expect(await screenOf(desk)).toContain('has not said yet');
		desk.tell({ driving: { takesPrompts: true } });
		desk.press('enter');
		expect(desk.wishes()).toEqual([{ type: 'prompt', id: ID, text: 'a' }]);
	});

	it('keeps what was written where it turns out to take none', async () => {
		const desk = openDesk(sampleWorld({ driving: null }));
		desk.press('i', 'a');
		desk.tell({ driving: { takesPrompts: false, why: 'It is only observed.' } });
		desk.press('enter');
		expect(desk.wishes()).toEqual([]);
		expect(await screenOf(desk)).toContain('It is only observed.');
		expect(desk.scene().shell.panes.composer.field.text).toBe('a');
	});
});

describe('prompts that wait', () => {
	it('are seen while one writes', async () => {
		const desk = openDesk(busyWorld());
		desk.press('i');
		expect(await screenOf(desk)).toMatch(/2 prompts wait.*mend it.*then test it/s);
		desk.tell({ queues: new Map() });
		expect(await screenOf(desk)).toContain('The agent is busy');
	});

	it('are chosen, changed and saved; what was being written stays', () => {
		const desk = openDesk(busyWorld());
		desk.press('i');
		desk.type('draft');
		desk.press('tab', 'down', 'enter');
		desk.type(' twice');
		desk.press('enter');
		expect(desk.wishes()).toEqual([{ type: 'edit-queued', id: ID, prompt: 'p2', text: 'then test it twice' }]);
		expect(desk.scene().shell.panes.composer.field.text).toBe('draft');
		expect(desk.scene().shell.dialogs).toEqual(['composer']);
	});

	it('are left as they are with Escape', () => {
		const desk = openDesk(busyWorld());
		desk.press('i', 'tab', 'enter', 'x', 'esc');
		expect(desk.scene().shell.panes.composer).toMatchObject({ changing: null, field: { text: '' } });
		expect(desk.wishes()).toEqual([]);
	});

	it('are sent now, or put before and after each other', () => {
		const desk = openDesk(busyWorld());
		desk.press('i', 'tab', 'down', 'n');
		expect(desk.wishes()).toEqual([{ type: 'send-now', id: ID, prompt: 'p2' }]);
		desk.press('K');
		expect(desk.wishes()).toEqual([{ type: 'move-queued', id: ID, prompt: 'p2', to: 0 }]);
		desk.press('K');
		expect(desk.wishes()).toEqual([]);
		desk.press('J');
		expect(desk.wishes()).toEqual([{ type: 'move-queued', id: ID, prompt: 'p1', to: 1 }]);
	});

	it('are cancelled', () => {
		const desk = openDesk(busyWorld());
		desk.press('i', 'tab', 'down', 'x');
		expect(desk.wishes()).toEqual([{ type: 'cancel-queued', id: ID, prompt: 'p2' }]);
		desk.tell({ queues: new Map() });
		desk.press('x');
		expect(desk.wishes()).toEqual([]);
		expect(desk.scene().shell.panes.composer.choosing).toBeNull();
	});

	it('say so when one is sent while it is being changed', async () => {
		const desk = openDesk(busyWorld());
		desk.press('i', 'tab', 'enter');
		desk.tell({ queues: new Map() });
		expect(await screenOf(desk)).toContain('It no longer waits');
	});

	it('are not changed here where they are too long to be drawn', async () => {
		const long = QUEUED.map((prompt) => ({ ...prompt, text: 'x'.repeat(20_001) }));
		const desk = openDesk(busyWorld({ queues: new Map([[ID, long]]) }));
		desk.press('i', 'tab', 'enter');
		expect(desk.scene().shell.panes.composer.changing).toBeNull();
		expect(await screenOf(desk)).toContain('at most 20000 characters');
	});

	it('show no control byte, whoever wrote them', () => {
		for (const text of hostileStrings().filter((_, at) => at % EACH === 0)) {
			const queues = new Map([[ID, QUEUED.map((prompt) => ({ ...prompt, text }))]]);
			const desk = openDesk(busyWorld({ queues }));
			for (const key of ['i', 'tab', 'enter', 'enter', 'up']) {
				desk.press(key);
				const { lines } = drawFrame(desk.scene(), SIZE, LOOK);
				const harmful = lines.filter((line) => /[\p{Cc}\p{Bidi_Control}\p{Cs}]/u.test(line) || widthOf(line) !== SIZE.columns);
				expect(harmful, JSON.stringify(text)).toEqual([]);
			}
		}
	});

	it('are looked for in vain where there are none', async () => {
		const desk = openDesk(sampleWorld());
		desk.press('i', 'tab');
		expect(await screenOf(desk)).toContain('Nothing waits for the agent.');
	});
});

describe('Escape twice', () => {
	const INTERRUPT = [{ type: 'interrupt', id: ID }];

	it('interrupts the agent, from the feed', () => {
		const desk = openDesk(busyWorld());
		desk.press('esc');
		expect(desk.scene().notice).toBe('Press Esc again to interrupt the agent.');
		expect(desk.wishes()).toEqual([]);
		desk.wait(900);
		desk.press('esc');
		expect(desk.wishes()).toEqual(INTERRUPT);
		expect(desk.scene().notice).toBe('');
	});

	it('interrupts it from the composer, which the first one closes', () => {
		const desk = openDesk(busyWorld());
		desk.press('i', 'esc', 'esc');
		expect(desk.wishes()).toEqual(INTERRUPT);
	});

	it.each([
		['too slowly', ['esc', 'wait', 'esc']],
		['with something in between', ['esc', 'j', 'esc']],
		['from another dialog', ['?', 'esc', 'esc']],
	])('does nothing %s', (_why, keys) => {
		const desk = openDesk(busyWorld());
		for (const key of keys) key === 'wait' ? desk.wait(1_001) : desk.press(key);
		expect(desk.wishes()).toEqual([]);
	});

	it.each([
		['idle', { open: sampleOpen([]) }],
		['only observed', { driving: { takesPrompts: false, why: 'no' } }],
	] as const)('does nothing where the agent is %s', (_what, over) => {
		const desk = openDesk(busyWorld(over));
		desk.press('esc', 'esc');
		expect(desk.wishes()).toEqual([]);
		expect(desk.scene().notice).toBe('');
	});
});
