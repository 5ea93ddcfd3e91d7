import type { AskRow } from '@roost/protocol/ask';
import { askId } from '@roost/protocol/ids';
import { openDesk } from '@roost/testkit/rigs/desk-rig';
import { samplePermission, sampleWorld } from '@roost/testkit/rigs/sample-world';
import { drawScene } from '@roost/testkit/rigs/tui-scene';
import { describe, expect, it } from 'vitest';
import { LOOK_MS } from '../dialogs/when-ready.ts';

describe('asks that come while somebody looks at something else', () => {
	it('open their dialog by themselves', () => {
		const desk = openDesk(sampleWorld());
		desk.tell({ asks: [ask(1)] });
		expect(desk.scene().shell.dialogs).toEqual(['permission']);
		desk.press('?');
		expect(desk.scene().shell.dialogs).toEqual(['permission', 'help']);
	});

	it('only say that they are there while somebody writes, once, and open when the writing is done', () => {
		const desk = openDesk(sampleWorld());
		desk.press('/');
		desk.tell({ asks: [ask(1)] });
		expect(desk.scene().shell.dialogs).toEqual([]);
		expect(desk.scene().notice).toContain('Bash "make 1" waits for you');
		desk.press('y');
		desk.wait(1);
		expect(desk.scene()).toMatchObject({ notice: '', shell: { dialogs: [] } });
		desk.press('esc');
		expect(desk.scene().shell.dialogs).toEqual(['permission']);
		desk.press('y', 'enter');
		expect(desk.wishes()).toEqual([]);
	});

	it('let no key that was meant for them fall on what lies below when somebody else decides them', () => {
		const desk = openDesk(sampleWorld({ asks: [ask(1)] }));
		desk.decide(ask(1), { state: 'denied', decidedBy: 'bob@web' });
		desk.press('?');
		expect(desk.scene()).toMatchObject({ notice: expect.stringContaining('bob@web denied'), shell: { dialogs: [] } });
		desk.wait(LOOK_MS);
		desk.press('?');
		expect(desk.scene()).toMatchObject({ notice: '', shell: { dialogs: ['help'] } });
	});

	it('bring a question after a permission', () => {
		const [first, second] = [ask(1), ask(2, { kind: 'question', input: { questions: [] } })];
		const desk = openDesk(sampleWorld({ asks: [first, second] }));
		desk.decide(first, { state: 'denied', decidedBy: 'bob@web' });
		expect(desk.scene().shell.dialogs).toEqual(['question']);
	});

	it('leave those alone that were put aside, until they are wanted again', () => {
		const [first, second] = [ask(1), ask(2)];
		const desk = openDesk(sampleWorld({ asks: [first] }));
		desk.press('esc');
		desk.tell({ asks: [first, second] });
		expect(desk.scene().shell.panes.permission.ask).toBe(second.id);
		desk.decide(second, { state: 'allowed', decidedBy: 'bob@web' });
		expect(desk.scene().shell.dialogs).toEqual([]);
		desk.wait(LOOK_MS);
		desk.press('a');
		expect(desk.scene().shell.panes.permission.ask).toBe(first.id);
		expect(desk.scene().shell.dialogs).toEqual(['permission']);
	});

	it('follow each other again once one of them was wanted', () => {
		const [first, second] = [ask(1), ask(2)];
		const desk = openDesk(sampleWorld({ asks: [first, second] }));
		desk.press('esc', 'a');
		desk.decide(first, { state: 'allowed', decidedBy: 'bob@web' });
		expect(desk.scene().shell).toMatchObject({ dialogs: ['permission'], panes: { permission: { ask: second.id } } });
	});

	it('count as put aside when another view is chosen', () => {
		const desk = openDesk(sampleWorld({ asks: [ask(1)] }));
		desk.press('tab');
		expect(desk.scene().shell.dialogs).toEqual([]);
		desk.wait(1);
		expect(desk.scene().shell.dialogs).toEqual([]);
	});
});

describe('an ask that is over', () => {
	it.each([
		[{ state: 'denied', decidedBy: 'bob@web' }, 'bob@web denied Bash "make 1".'],
		[{ state: 'allowed', decidedBy: 'rule' }, 'A rule allowed Bash "make 1".'],
		[{ state: 'expired', decidedBy: 'timeout' }, 'Time ran out for Bash "make 1".'],
		[{ state: 'cancelled', decidedBy: 'system' }, 'The agent no longer waits for Bash "make 1".'],
		[
			{ state: 'answered-elsewhere', decidedBy: 'terminal' },
			`Bash "make 1" was resolved in the agent's terminal (reported by the agent).`,
		],
	] as const)('closes its dialog and says so: %j', (over, sentence) => {
		const desk = openDesk(sampleWorld({ asks: [ask(1)] }));
		desk.decide(ask(1), over);
		expect(desk.scene()).toMatchObject({ notice: sentence, shell: { dialogs: [] } });
	});

	it('says nothing of our own answer', () => {
		const desk = openDesk(sampleWorld({ asks: [ask(1)] }));
		desk.wait(LOOK_MS);
		desk.press('m', 'x', 'enter');
		desk.decide(ask(1), { state: 'denied', decidedBy: 'owner@cli' });
		expect(desk.scene()).toMatchObject({ notice: '', shell: { dialogs: [] } });
	});

	it('stays on the screen while somebody writes to it, so that nothing typed falls on the next one', async () => {
		const [first, second] = [ask(1), ask(2)];
		const desk = openDesk(sampleWorld({ asks: [first, second] }));
		desk.wait(LOOK_MS);
		desk.press('m');
		desk.type('wh');
		desk.decide(first, { state: 'allowed', decidedBy: 'bob@web' });
		desk.wait(LOOK_MS);
		desk.type('y not');
		expect(desk.scene().shell.panes.permission.ask).toBe(first.id);
		using terminal = await drawScene(desk.scene());
		expect(terminal.text()).toContain('bob@web allowed Bash "make 1". Press Esc to go on.');
		desk.press('enter');
		expect(desk.wishes()).toEqual([]);
		expect(desk.scene().shell.panes.permission.ask).toBe(second.id);
		desk.press('y');
		expect(desk.wishes()).toEqual([]);
	});

	it('is taken away from beneath what covers it', () => {
		const desk = openDesk(sampleWorld({ asks: [ask(1)] }));
		desk.press(':');
		desk.decide(ask(1), { state: 'expired' });
		expect(desk.scene().shell.dialogs).toEqual(['palette']);
	});

	it('that nobody remembers closes its dialog too', () => {
		const desk = openDesk(sampleWorld({ asks: [ask(1)] }));
		desk.tell({ asks: [] });
		expect(desk.scene().shell.dialogs).toEqual([]);
	});
});

function ask(number: number, over: Partial<AskRow> = {}): AskRow {
	return samplePermission({ id: askId.parse(`k3f9.${number}`), input: { command: `make ${number}` }, risk: 'low', ...over });
}
