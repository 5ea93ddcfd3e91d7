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

describe('rules pane', () => {
	it('lists rules with decision, scope, tool, pattern and author', () => {
		expect(text(openRules())).toMatch(/allow user +Bash +hammer \* +owner@cli/);
		expect(text(openRules())).toMatch(/allow user +Edit +any/);
		expect(text(openRules({ rules: [] }))).toContain('Press + to add one');
	});

	it('lists rules of other projects and sessions last, greyed out, with their scope', () => {
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

	it('shows when a rule expires and marks it as expired afterwards', () => {
		const tui = openRules({ rules: [sampleRule('r', { expiresAt: sampleWorld().now + 29 * 60_000 })] });
		expect(text(tui)).toMatch(/hammer \* +in 29m/);
		tui.report({ now: sampleWorld().now + 30 * 60_000 });
		expect(text(tui)).toMatch(/hammer \* +expired/);
	});

	it('shows the test result for each command of a line', () => {
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
		tui.report({ ruleTest: { body: wish.body, result: { decision: 'none', parts } } });
		expect(text(tui)).toContain('No rule decides: you would be asked.');
		expect(text(tui)).toContain('allow touch a: by allow Bash touch * (user)');
		expect(text(tui)).toContain('none  echo b: no rule');
	});

	it('removes a rule only after confirmation with y', () => {
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

	it('ignores other actions while asking for confirmation', () => {
		const tui = openRules();
		tui.press('x');
		const { rules } = tui.scene().shell.panes;
		for (const action of ['down', 'send', 'remove', 'edit:left']) {
			expect.soft(rulesPane.act(rules, action, tui.world(), ROOM)).toEqual({ state: rules });
		}
	});

	it('removes the rule it asked about even if the list has changed since', () => {
		const tui = openRules();
		tui.press('x');
		tui.report({ rules: [sampleRule('r0'), ...tui.world().rules] });
		tui.press('y');
		expect(tui.wishes()).toEqual([{ type: 'remove-rule', id: 'r1' }]);
	});

	it('adds a rule from the values of the form', () => {
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

	it('defaults to a deny rule for this project', () => {
		const tui = openRules();
		tui.press('+', 'enter');
		const rule = { decision: 'deny', tool: 'Bash', scope: 'project', scopeId: '/project' };
		expect(tui.wishes()).toEqual([{ type: 'add-rule', rule }]);
	});

	it('requires a tool, and an open session for a session rule', () => {
		const tui = openRules({ open: null });
		tui.press('+', 'down', 'ctrl+u', 'enter');
		expect(text(tui)).toContain('Name a tool');
		tui.type('Bash');
		tui.press('up', 'up', 'right', 'enter');
		expect(text(tui)).toContain('No session is open');
		tui.press('right', 'enter');
		expect(tui.wishes()).toEqual([{ type: 'add-rule', rule: { decision: 'deny', tool: 'Bash', scope: 'user' } }]);
	});

	it('adds nothing when the form is closed with Esc', () => {
		const tui = openRules();
		tui.press('+', 'down');
		tui.type(' rm');
		tui.press('esc');
		expect(tui.wishes()).toEqual([]);
		expect(tui.scene().shell.view).toBe('rules');
	});

	it('tests a call and shows the rule that decided', () => {
		const tui = openRules();
		tui.press('t');
		tui.type('hammer --nails 3');
		tui.press('enter');
		const body = { tool: 'Bash', input: { command: 'hammer --nails 3' }, projectId: '/project', sessionId: 'k3f9' };
		const [wish] = tui.wishes();
		expect(wish).toEqual({ type: 'test-rule', body });
		expect(text(tui)).toContain('Asking the runner.');
		if (wish?.type !== 'test-rule') return;
		tui.report({ ruleTest: { body: wish.body, result: { decision: 'allow', rule: sampleRule('r1') } } });
		expect(text(tui)).toContain('by the rule: allow Bash hammer * (user), from owner@cli');
		tui.report({ ruleTest: { body: wish.body, result: { decision: 'none' } } });
		expect(text(tui)).toContain('No rule decides: you would be asked.');
	});

	it('does not show the result for a different call', () => {
		const tui = openRules();
		tui.report({ ruleTest: { body: { tool: 'Bash', input: {} }, result: { decision: 'deny' } } });
		tui.press('t');
		tui.type('ls');
		tui.press('enter');
		expect(text(tui)).toContain('Asking the runner.');
	});

	it('requires the input of other tools as JSON', () => {
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

	it('keeps the form visible when there is no room for the list', () => {
		const tui = openRules();
		tui.press('+');
		const { rows, cursor } = rulesPane.draw(tui.scene().shell.panes.rules, tui.world(), { ...ROOM, height: 8 });
		expect(rows.length).toBeLessThanOrEqual(8);
		expect(toText(rows, 80)).toMatch(/^\n New rule\n/);
		expect(toText(rows, 80)).toContain('Without a pattern');
		expect(cursor).toBeUndefined();
	});
});
