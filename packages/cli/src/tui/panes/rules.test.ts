import type { World } from '@roost/client/world/world';
import { type DeskRig, openDesk } from '@roost/testkit/rigs/desk-rig';
import { plainLook, toText } from '@roost/testkit/rigs/plain-look';
import { sampleRule } from '@roost/testkit/rigs/sample-append';
import { sampleWorld } from '@roost/testkit/rigs/sample-world';
import { describe, expect, it } from 'vitest';
import { rulesPane } from './rules.ts';

const ROOM = { width: 80, height: 16, look: plainLook() };

function openRules(over: Partial<World> = {}): DeskRig {
	const desk = openDesk(
		sampleWorld({ rules: [sampleRule('r1'), sampleRule('r2', { tool: 'Edit', argsPattern: undefined })], ...over }),
	);
	desk.press(':', ...'rules', 'enter');
	desk.wishes();
	return desk;
}

function text(desk: DeskRig): string {
	return toText(rulesPane.draw(desk.scene().shell.panes.rules, desk.world(), ROOM).rows, 80);
}

describe('the rules', () => {
	it('say what they do, where, to what, and whose they are', () => {
		expect(text(openRules())).toMatch(/allow user +Bash +hammer \* +owner@cli/);
		expect(text(openRules())).toMatch(/allow user +Edit +any/);
		expect(text(openRules({ rules: [] }))).toContain('Press + to add one');
	});

	it('of other projects and sessions are listed last, grey, with where they belong', () => {
		const other = sampleRule('other', { scope: 'project', scopeId: '/code/shop' });
		const ended = sampleRule('ended', { scope: 'session', scopeId: 'gone' });
		const here = sampleRule('here', { scope: 'project', scopeId: sampleWorld().project.id, argsPattern: 'nail *' });
		const desk = openRules({ rules: [other, ended, here] });
		expect(text(desk)).toMatch(/allow project +Bash +nail .*\n allow project shop +Bash +hammer .*\n allow session gone +Bash/);
		const rows = rulesPane.draw(desk.scene().shell.panes.rules, desk.world(), ROOM).rows;
		const tones = rows.slice(1).map((row) => [...new Set(row.filter(({ text: own }) => own.trim()).map(({ tone }) => tone))]);
		expect(tones).toEqual([expect.arrayContaining(['good', 'tool', 'code']), ['faint'], ['faint']]);
		desk.press('down', 'x', 'y');
		expect(desk.wishes()).toEqual([{ type: 'remove-rule', id: 'other' }]);
	});

	it('that expire say when, and are grey afterwards', () => {
		const desk = openRules({ rules: [sampleRule('r', { expiresAt: sampleWorld().now + 29 * 60_000 })] });
		expect(text(desk)).toMatch(/hammer \* +in 29m/);
		desk.tell({ now: sampleWorld().now + 30 * 60_000 });
		expect(text(desk)).toMatch(/hammer \* +expired/);
	});

	it('tell what they say to each part of a line', () => {
		const desk = openRules();
		desk.press('t');
		desk.type('touch a && echo b');
		desk.press('enter');
		const [wish] = desk.wishes();
		const touch = sampleRule('r', { argsPattern: 'touch *' });
		const parts = [
			{ text: 'touch a', decision: 'allow' as const, rule: touch },
			{ text: 'echo b', decision: 'none' as const },
		];
		if (wish?.type !== 'test-rule') throw new Error('no test');
		desk.tell({ ruleTest: { body: wish.body, result: { decision: 'none', parts } } });
		expect(text(desk)).toContain('No rule decides: you would be asked.');
		expect(text(desk)).toContain('allow touch a: by allow Bash touch * (user)');
		expect(text(desk)).toContain('none  echo b: no rule');
	});

	it('are removed after a yes, and only then', () => {
		const desk = openRules();
		desk.press('down', 'x');
		expect(text(desk)).toContain('Remove the rule: allow Edit (user)? [y/N]');
		for (const no of ['n', 'enter', 'esc', 'q']) {
			desk.press(no);
			expect(text(desk), no).not.toContain('[y/N]');
			desk.press('x');
		}
		expect(desk.wishes()).toEqual([]);
		desk.press('y');
		expect(desk.wishes()).toEqual([{ type: 'remove-rule', id: 'r2' }]);
		expect(text(desk)).not.toContain('[y/N]');
	});

	it('are not removed by anything else', () => {
		const desk = openRules();
		desk.press('x');
		const { rules } = desk.scene().shell.panes;
		for (const action of ['down', 'send', 'remove', 'edit:left']) {
			expect.soft(rulesPane.act(rules, action, desk.world(), ROOM)).toEqual({ state: rules });
		}
	});

	it('remove what was asked about, whatever the list became meanwhile', () => {
		const desk = openRules();
		desk.press('x');
		desk.tell({ rules: [sampleRule('r0'), ...desk.world().rules] });
		desk.press('y');
		expect(desk.wishes()).toEqual([{ type: 'remove-rule', id: 'r1' }]);
	});

	it('are added line by line', () => {
		const desk = openRules();
		desk.press('+', 'right', 'down', 'ctrl+u');
		desk.type('mcp__github__*');
		desk.press('tab');
		desk.paste('git\r\npush *');
		desk.press('down', 'right', 'enter');
		expect(desk.wishes()).toEqual([
			{
				type: 'add-rule',
				rule: { decision: 'ask', tool: 'mcp__github__*', argsPattern: 'git push *', scope: 'session', scopeId: 'k3f9' },
			},
		]);
		expect(desk.scene().shell.panes.rules.step.at).toBe('list');
	});

	it('are for this project and deny unless told otherwise', () => {
		const desk = openRules();
		desk.press('+', 'enter');
		const rule = { decision: 'deny', tool: 'Bash', scope: 'project', scopeId: '/project' };
		expect(desk.wishes()).toEqual([{ type: 'add-rule', rule }]);
	});

	it('are not added without a tool, nor for a session that is not open', () => {
		const desk = openRules({ open: null });
		desk.press('+', 'down', 'ctrl+u', 'enter');
		expect(text(desk)).toContain('Name a tool');
		desk.type('Bash');
		desk.press('up', 'up', 'right', 'enter');
		expect(text(desk)).toContain('No session is open');
		desk.press('right', 'enter');
		expect(desk.wishes()).toEqual([{ type: 'add-rule', rule: { decision: 'deny', tool: 'Bash', scope: 'user' } }]);
	});

	it('are left without adding anything', () => {
		const desk = openRules();
		desk.press('+', 'down');
		desk.type(' rm');
		desk.press('esc');
		expect(desk.wishes()).toEqual([]);
		expect(desk.scene().shell.view).toBe('rules');
	});

	it('are tried on a call, and say which of them decided', () => {
		const desk = openRules();
		desk.press('t');
		desk.type('hammer --nails 3');
		desk.press('enter');
		const body = { tool: 'Bash', input: { command: 'hammer --nails 3' }, projectId: '/project', sessionId: 'k3f9' };
		const [wish] = desk.wishes();
		expect(wish).toEqual({ type: 'test-rule', body });
		expect(text(desk)).toContain('Asking the runner.');
		if (wish?.type !== 'test-rule') return;
		desk.tell({ ruleTest: { body: wish.body, result: { decision: 'allow', rule: sampleRule('r1') } } });
		expect(text(desk)).toContain('by the rule: allow Bash hammer * (user), from owner@cli');
		desk.tell({ ruleTest: { body: wish.body, result: { decision: 'none' } } });
		expect(text(desk)).toContain('No rule decides: you would be asked.');
	});

	it('do not show the answer to another call', () => {
		const desk = openRules();
		desk.tell({ ruleTest: { body: { tool: 'Bash', input: {} }, result: { decision: 'deny' } } });
		desk.press('t');
		desk.type('ls');
		desk.press('enter');
		expect(text(desk)).toContain('Asking the runner.');
	});

	it('want the input of other tools as JSON', () => {
		const desk = openRules();
		desk.press('t', 'up', 'ctrl+u');
		desk.type('Edit');
		desk.press('down');
		desk.type('src/main.ts');
		desk.press('enter');
		expect(text(desk)).toContain('Write the input as a JSON object');
		desk.press('ctrl+u');
		desk.paste('{"file_path":\n"src/main.ts"}');
		desk.press('enter');
		expect(desk.wishes()).toMatchObject([{ type: 'test-rule', body: { tool: 'Edit', input: { file_path: 'src/main.ts' } } }]);
	});

	it('keep the form in sight where there is no room for the list', () => {
		const desk = openRules();
		desk.press('+');
		const { rows, cursor } = rulesPane.draw(desk.scene().shell.panes.rules, desk.world(), { ...ROOM, height: 8 });
		expect(rows.length).toBeLessThanOrEqual(8);
		expect(toText(rows, 80)).toMatch(/^\n New rule\n/);
		expect(toText(rows, 80)).toContain('Without a pattern');
		expect(cursor).toBeUndefined();
	});
});
