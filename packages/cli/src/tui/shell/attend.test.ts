import { LOOK_MS } from '@roost/core/answers/when-ready';
import type { AskRow } from '@roost/protocol/ask';
import { askId } from '@roost/protocol/ids';
import { openHeadlessTui } from '@roost/testkit/rigs/tui/headless-tui';
import { samplePermission, sampleWorld } from '@roost/testkit/rigs/tui/sample-world';
import { drawScene } from '@roost/testkit/rigs/tui/tui-scene';
import { describe, expect, it } from 'vitest';

describe('incoming requests', () => {
	it('open their dialog automatically', () => {
		const tui = openHeadlessTui(sampleWorld());
		tui.report({ asks: [ask(1)] });
		expect(tui.scene().shell.dialogs).toEqual(['permission']);
		tui.press('?');
		expect(tui.scene().shell.dialogs).toEqual(['permission', 'help']);
	});

	it('show one notice while the user types, and open when typing ends', () => {
		const tui = openHeadlessTui(sampleWorld());
		tui.press('/');
		tui.report({ asks: [ask(1)] });
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

	it('block keys from the view below for a moment when decided by another user', () => {
		const tui = openHeadlessTui(sampleWorld({ asks: [ask(1)] }));
		tui.decide(ask(1), { state: 'denied', decidedBy: 'bob@web' });
		tui.press('?');
		expect(tui.scene()).toMatchObject({ notice: expect.stringContaining('bob@web denied'), shell: { dialogs: [] } });
		tui.wait(LOOK_MS);
		tui.press('?');
		expect(tui.scene()).toMatchObject({ notice: '', shell: { dialogs: ['help'] } });
	});

	it('show a question after a permission', () => {
		const [first, second] = [ask(1), ask(2, { kind: 'question', input: { questions: [] } })];
		const tui = openHeadlessTui(sampleWorld({ asks: [first, second] }));
		tui.decide(first, { state: 'denied', decidedBy: 'bob@web' });
		expect(tui.scene().shell.dialogs).toEqual(['question']);
	});

	it('stay closed once dismissed, until reopened', () => {
		const [first, second] = [ask(1), ask(2)];
		const tui = openHeadlessTui(sampleWorld({ asks: [first] }));
		tui.press('esc');
		tui.report({ asks: [first, second] });
		expect(tui.scene().shell.panes.permission.ask).toBe(second.id);
		tui.decide(second, { state: 'allowed', decidedBy: 'bob@web' });
		expect(tui.scene().shell.dialogs).toEqual([]);
		tui.wait(LOOK_MS);
		tui.press('a');
		expect(tui.scene().shell.panes.permission.ask).toBe(first.id);
		expect(tui.scene().shell.dialogs).toEqual(['permission']);
	});

	it('follow each other again once one is reopened', () => {
		const [first, second] = [ask(1), ask(2)];
		const tui = openHeadlessTui(sampleWorld({ asks: [first, second] }));
		tui.press('esc', 'a');
		tui.decide(first, { state: 'allowed', decidedBy: 'bob@web' });
		expect(tui.scene().shell).toMatchObject({ dialogs: ['permission'], panes: { permission: { ask: second.id } } });
	});

	it('count as dismissed when another view is chosen', () => {
		const tui = openHeadlessTui(sampleWorld({ asks: [ask(1)] }));
		tui.press('tab');
		expect(tui.scene().shell.dialogs).toEqual([]);
		tui.wait(1);
		expect(tui.scene().shell.dialogs).toEqual([]);
	});
});

describe('resolved request', () => {
	it.each([
		[{ state: 'denied', decidedBy: 'bob@web' }, 'bob@web denied Bash "make 1".'],
		[{ state: 'allowed', decidedBy: 'rule' }, 'A rule allowed Bash "make 1".'],
		[{ state: 'expired', decidedBy: 'timeout' }, 'Bash "make 1" expired.'],
		[{ state: 'cancelled', decidedBy: 'system' }, 'The agent cancelled Bash "make 1".'],
		[
			{ state: 'answered-elsewhere', decidedBy: 'terminal' },
			`Bash "make 1" was resolved in the agent's terminal (reported by the agent).`,
		],
	] as const)('closes its dialog and shows a notice: %j', (over, sentence) => {
		const tui = openHeadlessTui(sampleWorld({ asks: [ask(1)] }));
		tui.decide(ask(1), over);
		expect(tui.scene()).toMatchObject({ notice: sentence, shell: { dialogs: [] } });
	});

	it('shows no notice if the user decided it here', () => {
		const tui = openHeadlessTui(sampleWorld({ asks: [ask(1)] }));
		tui.wait(LOOK_MS);
		tui.press('m', 'x', 'enter');
		tui.decide(ask(1), { state: 'denied', decidedBy: 'owner@cli' });
		expect(tui.scene()).toMatchObject({ notice: '', shell: { dialogs: [] } });
	});

	it('stays open while the user types a message, so that no key reaches the next request', async () => {
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

	it('closes its dialog beneath a covering one', () => {
		const tui = openHeadlessTui(sampleWorld({ asks: [ask(1)] }));
		tui.press(':');
		tui.decide(ask(1), { state: 'expired' });
		expect(tui.scene().shell.dialogs).toEqual(['palette']);
	});

	it('closes its dialog even if the outcome is unknown', () => {
		const tui = openHeadlessTui(sampleWorld({ asks: [ask(1)] }));
		tui.report({ asks: [] });
		expect(tui.scene().shell.dialogs).toEqual([]);
	});
});

function ask(number: number, over: Partial<AskRow> = {}): AskRow {
	return samplePermission({ id: askId.parse(`k3f9.${number}`), input: { command: `make ${number}` }, risk: 'low', ...over });
}
