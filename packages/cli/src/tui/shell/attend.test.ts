import type { AskRow } from '@roost/protocol/ask';
import { askId } from '@roost/protocol/ids';
import { openHeadlessTui } from '@roost/testkit/rigs/tui/headless-tui';
import { samplePermission, sampleWorld } from '@roost/testkit/rigs/tui/sample-world';
import { drawScene } from '@roost/testkit/rigs/tui/tui-scene';
import { describe, expect, it } from 'vitest';
import { LOOK_MS } from '../dialogs/ask-parts.ts';

describe('asks that come while somebody looks at something else', () => {
	it('open their dialog by themselves', () => {
		const tui = openHeadlessTui(sampleWorld());
		tui.tell({ asks: [ask(1)] });
		expect(tui.scene().shell.dialogs).toEqual(['permission']);
		tui.press('?');
		expect(tui.scene().shell.dialogs).toEqual(['permission', 'help']);
	});

	it('only say that they are there while somebody writes, once, and open when the writing is done', () => {
		const tui = openHeadlessTui(sampleWorld());
		tui.press('/');
		tui.tell({ asks: [ask(1)] });
		expect(tui.scene().shell.dialogs).toEqual([]);
		expect(tui.scene().notice).toContain('Bash "make 1" needs a decision');
		tui.press('y');
		tui.wait(1);
		expect(tui.scene()).toMatchObject({ notice: '', shell: { dialogs: [] } });
		tui.press('esc');
		expect(tui.scene().shell.dialogs).toEqual(['permission']);
		tui.press('y', 'enter');
		expect(tui.wishes()).toEqual([]);
	});

	it('let no key that was meant for them fall on what lies below when somebody else decides them', () => {
		const tui = openHeadlessTui(sampleWorld({ asks: [ask(1)] }));
		tui.decide(ask(1), { state: 'denied', decidedBy: 'bob@web' });
		tui.press('?');
		expect(tui.scene()).toMatchObject({ notice: expect.stringContaining('bob@web denied'), shell: { dialogs: [] } });
		tui.wait(LOOK_MS);
		tui.press('?');
		expect(tui.scene()).toMatchObject({ notice: '', shell: { dialogs: ['help'] } });
	});

	it('bring a question after a permission', () => {
		const [first, second] = [ask(1), ask(2, { kind: 'question', input: { questions: [] } })];
		const tui = openHeadlessTui(sampleWorld({ asks: [first, second] }));
		tui.decide(first, { state: 'denied', decidedBy: 'bob@web' });
		expect(tui.scene().shell.dialogs).toEqual(['question']);
	});

	it('leave those alone that were put aside, until they are wanted again', () => {
		const [first, second] = [ask(1), ask(2)];
		const tui = openHeadlessTui(sampleWorld({ asks: [first] }));
		tui.press('esc');
		tui.tell({ asks: [first, second] });
		expect(tui.scene().shell.panes.permission.ask).toBe(second.id);
		tui.decide(second, { state: 'allowed', decidedBy: 'bob@web' });
		expect(tui.scene().shell.dialogs).toEqual([]);
		tui.wait(LOOK_MS);
		tui.press('a');
		expect(tui.scene().shell.panes.permission.ask).toBe(first.id);
		expect(tui.scene().shell.dialogs).toEqual(['permission']);
	});

	it('follow each other again once one of them was wanted', () => {
		const [first, second] = [ask(1), ask(2)];
		const tui = openHeadlessTui(sampleWorld({ asks: [first, second] }));
		tui.press('esc', 'a');
		tui.decide(first, { state: 'allowed', decidedBy: 'bob@web' });
		expect(tui.scene().shell).toMatchObject({ dialogs: ['permission'], panes: { permission: { ask: second.id } } });
	});

	it('count as put aside when another view is chosen', () => {
		const tui = openHeadlessTui(sampleWorld({ asks: [ask(1)] }));
		tui.press('tab');
		expect(tui.scene().shell.dialogs).toEqual([]);
		tui.wait(1);
		expect(tui.scene().shell.dialogs).toEqual([]);
	});
});

describe('an ask that is over', () => {
	it.each([
		[{ state: 'denied', decidedBy: 'bob@web' }, 'bob@web denied Bash "make 1".'],
		[{ state: 'allowed', decidedBy: 'rule' }, 'A rule allowed Bash "make 1".'],
		[{ state: 'expired', decidedBy: 'timeout' }, 'Bash "make 1" expired.'],
		[{ state: 'cancelled', decidedBy: 'system' }, 'The agent cancelled Bash "make 1".'],
		[
			{ state: 'answered-elsewhere', decidedBy: 'terminal' },
			`Bash "make 1" was resolved in the agent's terminal (reported by the agent).`,
		],
	] as const)('closes its dialog and says so: %j', (over, sentence) => {
		const tui = openHeadlessTui(sampleWorld({ asks: [ask(1)] }));
		tui.decide(ask(1), over);
		expect(tui.scene()).toMatchObject({ notice: sentence, shell: { dialogs: [] } });
	});

	it('says nothing of our own answer', () => {
		const tui = openHeadlessTui(sampleWorld({ asks: [ask(1)] }));
		tui.wait(LOOK_MS);
		tui.press('m', 'x', 'enter');
		tui.decide(ask(1), { state: 'denied', decidedBy: 'owner@cli' });
		expect(tui.scene()).toMatchObject({ notice: '', shell: { dialogs: [] } });
	});

	it('stays on the screen while somebody writes to it, so that nothing typed falls on the next one', async () => {
		const [first, second] = [ask(1), ask(2)];
		const tui = openHeadlessTui(sampleWorld({ asks: [first, second] }));
		tui.wait(LOOK_MS);
		tui.press('m');
		tui.type('wh');
		tui.decide(first, { state: 'allowed', decidedBy: 'bob@web' });
		tui.wait(LOOK_MS);
		tui.type('y not');
		expect(tui.scene().shell.panes.permission.ask).toBe(first.id);
		using terminal = await drawScene(tui.scene());
		expect(terminal.text()).toContain('bob@web allowed Bash "make 1". Press Esc to continue.');
		tui.press('enter');
		expect(tui.wishes()).toEqual([]);
		expect(tui.scene().shell.panes.permission.ask).toBe(second.id);
		tui.press('y');
		expect(tui.wishes()).toEqual([]);
	});

	it('is taken away from beneath what covers it', () => {
		const tui = openHeadlessTui(sampleWorld({ asks: [ask(1)] }));
		tui.press(':');
		tui.decide(ask(1), { state: 'expired' });
		expect(tui.scene().shell.dialogs).toEqual(['palette']);
	});

	it('that nobody remembers closes its dialog too', () => {
		const tui = openHeadlessTui(sampleWorld({ asks: [ask(1)] }));
		tui.tell({ asks: [] });
		expect(tui.scene().shell.dialogs).toEqual([]);
	});
});

function ask(number: number, over: Partial<AskRow> = {}): AskRow {
	return samplePermission({ id: askId.parse(`k3f9.${number}`), input: { command: `make ${number}` }, risk: 'low', ...over });
}
