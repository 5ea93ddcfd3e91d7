import type { World } from '@roost/client/world/world';
import { sampleRule } from '@roost/testkit/rigs/record/sample-append';
import { type HeadlessTui, openHeadlessTui } from '@roost/testkit/rigs/tui/headless-tui';
import { plainStyles, toText } from '@roost/testkit/rigs/tui/plain-styles';
import { sampleWorld } from '@roost/testkit/rigs/tui/sample-world';
import { describe, expect, it } from 'vitest';
import { rulesPane } from './rules.ts';

const ROOM = { width: 80, height: 16, styles: plainStyles() };

function openRules(over: Partial<World> = {}): HeadlessTui {
	const tui = openHeadlessTui(
		sampleWorld({ rules: [sampleRule('r1'), sampleRule('r2', { tool: 'Edit', argsPattern: undefined })], ...over }),
	);
	tui.press(':', ...'rules', 'enter');
	tui.wishes();
	return tui;
}

function text(tui: HeadlessTui): string {
	return toText(rulesPane.draw(tui.scene().shell.panes.rules, tui.world(), ROOM).rows, 80);
}

describe('the rules', () => {
	it('say what they do, where, to what, and whose they are', () => {
		expect(text(openRules())).toMatch(/allow user +Bash +hammer \* +owner@cli/);
		expect(text(openRules())).toMatch(/allow user +Edit +any/);
		expect(text(openRules({ rules: [] }))).toContain('Press + to add one');
	});

	it('of other projects and sessions are listed last, grey, with where they belong', () => {
		const other = sampleRule('other', { scope: 'project', scopeId: 'p2', projectPath: '/code/shop' });
		const ended = sampleRule('ended', { scope: 'session', scopeId: 'gone' });
		const here = sampleRule('here', {
			scope: 'project',
			scopeId: 'p1',
			projectPath: sampleWorld().project.path,
			argsPattern: 'nail *',
		});
		const tui = openRules({ rules: [other, ended, here] });
		expect(text(tui)).toMatch(/allow project +Bash +nail .*\n allow project shop +Bash +hammer .*\n allow session gone +Bash/);
		const rows = rulesPane.draw(tui.scene().shell.panes.rules, tui.world(), ROOM).rows;
		const tones = rows.slice(1).map((row) => [...new Set(row.filter(({ text: own }) => own.trim()).map(({ tone }) => tone))]);
		expect(tones).toEqual([expect.arrayContaining(['good', 'tool', 'code']), ['faint'], ['faint']]);
		tui.press('down', 'x', 'y');
		expect(tui.wishes()).toEqual([{ type: 'remove-rule', id: 'other' }]);
	});

	it('that expire say when, and are grey afterwards', () => {
		const tui = openRules({ rules: [sampleRule('r', { expiresAt: sampleWorld().now + 29 * 60_000 })] });
		expect(text(tui)).toMatch(/hammer \* +in 29m/);
		tui.tell({ now: sampleWorld().now + 30 * 60_000 });
		expect(text(tui)).toMatch(/hammer \* +expired/);
	});

	it('tell what they say to each part of a line', () => {
		const tui = openRules();
		tui.press('t');
		tui.type('touch a && echo b');
		tui.press('enter');
		const [wish] = tui.wishes();
		const touch = sampleRule('r', { argsPattern: 'touch *' });
		const parts = [
			{ text: 'touch a', decision: 'allow' as const, rule: touch },
			{ text: 'echo b', decision: 'none' as const },
		];
		if (wish?.type !== 'test-rule') throw new Error('no test');
		tui.tell({ ruleTest: { body: wish.body, result: { decision: 'none', parts } } });
		expect(text(tui)).toContain('No rule decides: you would be asked.');
		expect(text(tui)).toContain('allow touch a: by allow Bash touch * (user)');
		expect(text(tui)).toContain('none  echo b: no rule');
	});

	it('are removed after a yes, and only then', () => {
		const tui = openRules();
		tui.press('down', 'x');
		expect(text(tui)).toContain('Remove the rule: allow Edit (user)? [y/N]');
		for (const no of ['n', 'enter', 'esc', 'q']) {
			tui.press(no);
			expect(text(tui), no).not.toContain('[y/N]');
			tui.press('x');
		}
		expect(tui.wishes()).toEqual([]);
		tui.press('y');
		expect(tui.wishes()).toEqual([{ type: 'remove-rule', id: 'r2' }]);
		expect(text(tui)).not.toContain('[y/N]');
	});

	it('are not removed by anything else', () => {
		const tui = openRules();
		tui.press('x');
		const { rules } = tui.scene().shell.panes;
		for (const action of ['down', 'send', 'remove', 'edit:left']) {
			expect.soft(rulesPane.act(rules, action, tui.world(), ROOM)).toEqual({ state: rules });
		}
	});

	it('remove what was asked about, whatever the list became meanwhile', () => {
		const tui = openRules();
		tui.press('x');
		tui.tell({ rules: [sampleRule('r0'), ...tui.world().rules] });
		tui.press('y');
		expect(tui.wishes()).toEqual([{ type: 'remove-rule', id: 'r1' }]);
	});

	it('are added line by line', () => {
		const tui = openRules();
		tui.press('+', 'right', 'down', 'ctrl+u');
		tui.type('mcp__github__*');
		tui.press('tab');
		tui.paste('git\r\npush *');
		tui.press('down', 'right', 'enter');
		expect(tui.wishes()).toEqual([
			{
				type: 'add-rule',
				rule: { decision: 'ask', tool: 'mcp__github__*', argsPattern: 'git push *', scope: 'session', scopeId: 'k3f9' },
			},
		]);
		expect(tui.scene().shell.panes.rules.step.at).toBe('list');
	});

	it('are for this project and deny unless told otherwise', () => {
		const tui = openRules();
		tui.press('+', 'enter');
		const rule = { decision: 'deny', tool: 'Bash', scope: 'project', scopeId: '/project' };
		expect(tui.wishes()).toEqual([{ type: 'add-rule', rule }]);
	});

	it('are not added without a tool, nor for a session that is not open', () => {
		const tui = openRules({ open: null });
		tui.press('+', 'down', 'ctrl+u', 'enter');
		expect(text(tui)).toContain('Name a tool');
		tui.type('Bash');
		tui.press('up', 'up', 'right', 'enter');
		expect(text(tui)).toContain('No session is open');
		tui.press('right', 'enter');
		expect(tui.wishes()).toEqual([{ type: 'add-rule', rule: { decision: 'deny', tool: 'Bash', scope: 'user' } }]);
	});

	it('are left without adding anything', () => {
		const tui = openRules();
		tui.press('+', 'down');
		tui.type(' rm');
		tui.press('esc');
		expect(tui.wishes()).toEqual([]);
		expect(tui.scene().shell.view).toBe('rules');
	});

	it('are tried on a call, and say which of them decided', () => {
		const tui = openRules();
		tui.press('t');
		tui.type('hammer --nails 3');
		tui.press('enter');
		const body = { tool: 'Bash', input: { command: 'hammer --nails 3' }, projectId: '/project', sessionId: 'k3f9' };
		const [wish] = tui.wishes();
		expect(wish).toEqual({ type: 'test-rule', body });
		expect(text(tui)).toContain('Asking the runner.');
		if (wish?.type !== 'test-rule') return;
		tui.tell({ ruleTest: { body: wish.body, result: { decision: 'allow', rule: sampleRule('r1') } } });
		expect(text(tui)).toContain('by the rule: allow Bash hammer * (user), from owner@cli');
		tui.tell({ ruleTest: { body: wish.body, result: { decision: 'none' } } });
		expect(text(tui)).toContain('No rule decides: you would be asked.');
	});

	it('do not show the answer to another call', () => {
		const tui = openRules();
		tui.tell({ ruleTest: { body: { tool: 'Bash', input: {} }, result: { decision: 'deny' } } });
		tui.press('t');
		tui.type('ls');
		tui.press('enter');
		expect(text(tui)).toContain('Asking the runner.');
	});

	it('want the input of other tools as JSON', () => {
		const tui = openRules();
		tui.press('t', 'up', 'ctrl+u');
		tui.type('Edit');
		tui.press('down');
		tui.type('src/main.ts');
		tui.press('enter');
		expect(text(tui)).toContain('Write the input as a JSON object');
		tui.press('ctrl+u');
		tui.paste('{"file_path":\n"src/main.ts"}');
		tui.press('enter');
		expect(tui.wishes()).toMatchObject([{ type: 'test-rule', body: { tool: 'Edit', input: { file_path: 'src/main.ts' } } }]);
	});

	it('keep the form in sight where there is no room for the list', () => {
		const tui = openRules();
		tui.press('+');
		const { rows, cursor } = rulesPane.draw(tui.scene().shell.panes.rules, tui.world(), { ...ROOM, height: 8 });
		expect(rows.length).toBeLessThanOrEqual(8);
		expect(toText(rows, 80)).toMatch(/^\n New rule\n/);
		expect(toText(rows, 80)).toContain('Without a pattern');
		expect(cursor).toBeUndefined();
	});
});
