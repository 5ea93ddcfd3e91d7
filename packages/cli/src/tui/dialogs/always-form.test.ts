import { LOOK_MS } from '@roost/core/answers/when-ready';
import type { AskRow } from '@roost/protocol/ask';
import type { Rule } from '@roost/protocol/rule';
import { sampleRule } from '@roost/testkit/rigs/record/sample-append';
import { type HeadlessTui, openHeadlessTui } from '@roost/testkit/rigs/tui/headless-tui';
import { samplePermission, sampleWorld } from '@roost/testkit/rigs/tui/sample-world';
import { drawScene } from '@roost/testkit/rigs/tui/tui-scene';
import { describe, expect, it } from 'vitest';

const SHELL = samplePermission({ input: { command: 'npm test --watch' }, risk: 'medium' });
const MCP = samplePermission({ tool: 'mcp__github__create_issue', input: { title: 'x' } });

describe('always form', () => {
	it('defaults to an allow rule for similar commands in this session', () => {
		const tui = openAlways(SHELL);
		tui.press('enter');
		expect(answers(tui)).toEqual([
			{ decision: 'allow', persist: true, scope: 'session', rule: { tool: 'Bash', argsPattern: 'npm test *' } },
		]);
	});

	it.each([
		[['down', 'right'], 'project'],
		[['tab', 'right', 'right'], 'user'],
		[['down', 'left'], 'user'],
		[['down', 'space', 'h'], 'session'],
	])('sets the scope of the rule with %j', (keys, scope) => {
		const tui = openAlways(SHELL);
		tui.press(...keys, 'enter');
		expect(answers(tui)).toMatchObject([{ scope }]);
	});

	it('uses the edited pattern', () => {
		const tui = openAlways(SHELL);
		tui.press('ctrl+u');
		tui.type('npm * --watch');
		tui.press('enter');
		expect(answers(tui)).toMatchObject([{ rule: { tool: 'Bash', argsPattern: 'npm * --watch' } }]);
	});

	it('keeps a pasted pattern on one line', () => {
		const tui = openAlways(SHELL);
		tui.press('ctrl+u');
		tui.paste('npm\ntest');
		tui.press('enter');
		expect(answers(tui)).toMatchObject([{ rule: { argsPattern: 'npm test' } }]);
	});

	it('asks for a pattern instead of sending an empty one', async () => {
		const tui = openAlways(SHELL);
		tui.press('ctrl+u', 'enter');
		expect(answers(tui)).toEqual([]);
		expect(await textOf(tui)).toContain('Enter a pattern');
	});

	it('makes a rule for the tool when that is selected', () => {
		const tui = openAlways(SHELL);
		tui.press('up', 'right', 'enter');
		expect(answers(tui)).toMatchObject([{ rule: { tool: 'Bash' } }]);
		expect(answers(tui)).toEqual([]);
	});

	it('makes a deny rule and denies the current call', async () => {
		const tui = openAlways(SHELL);
		tui.press('up', 'up', 'right');
		expect(await textOf(tui)).toContain('The rule: deny Bash npm test * in this session, and deny this one.');
		tui.press('enter');
		expect(answers(tui)).toMatchObject([{ decision: 'deny', persist: true }]);
	});

	it('offers a rule for the tool or the whole server of an MCP call', async () => {
		const tui = openAlways(MCP);
		expect(await textOf(tui)).toContain('The rule: allow github/create_issue in this session');
		tui.press('left', 'enter');
		expect(answers(tui)).toEqual([{ decision: 'allow', persist: true, scope: 'session', rule: { tool: 'mcp__github__*' } }]);
	});

	it('warns when the rule does not cover the whole call', async () => {
		const tui = openAlways(SHELL);
		tui.press('ctrl+u');
		tui.type('npm run *');
		expect(await textOf(tui)).toContain('does not cover all of this call');
		tui.press('up', 'right');
		expect(await textOf(tui)).not.toContain('does not cover');
	});

	it('offers a rule for each command of a line that no rule allows yet', async () => {
		const line = samplePermission({ input: { command: 'touch a && echo b | wc -l' }, risk: 'medium' });
		const tui = openAlways(line, [sampleRule('r', { argsPattern: 'touch *' })]);
		expect(await textOf(tui)).toContain('2 rules: allow Bash in this session, and allow this one.');
		expect(await textOf(tui)).not.toContain('does not cover');
		tui.press('down', 'down', 'right', 'enter');
		const rules = [
			{ tool: 'Bash', argsPattern: 'echo *' },
			{ tool: 'Bash', argsPattern: 'wc *' },
		];
		expect(answers(tui)).toEqual([{ decision: 'allow', persist: true, scope: 'project', rules }]);
	});

	it('makes no rule from an emptied pattern and warns that the call is not fully covered', async () => {
		const tui = openAlways(samplePermission({ input: { command: 'touch a && echo b' }, risk: 'medium' }));
		tui.press('down', 'ctrl+u');
		expect(await textOf(tui)).toContain('does not cover all of this call');
		tui.press('enter');
		expect(answers(tui)).toMatchObject([{ rule: { tool: 'Bash', argsPattern: 'touch *' } }]);
	});

	it('uses the whole line as the pattern when denying several commands', async () => {
		const tui = openAlways(samplePermission({ input: { command: 'cd sub && git push --force' }, risk: 'medium' }));
		tui.press('up', 'up', 'right');
		expect(await textOf(tui)).toContain('The rule: deny Bash cd sub && git push --force in this session');
	});

	it('warns when an ask rule of the same scope would still apply', async () => {
		const tui = openAlways(SHELL, [sampleRule('r', { argsPattern: 'npm *', decision: 'ask' })]);
		expect(await textOf(tui)).not.toContain('does not cover');
		tui.press('down', 'left');
		expect(await textOf(tui)).toContain('does not cover all of this call');
	});

	it('sends nothing when closed with Esc', () => {
		const tui = openAlways(SHELL);
		tui.press('esc', 'esc');
		expect(answers(tui)).toEqual([]);
	});
});

function openAlways(ask: AskRow, rules: readonly Rule[] = []): HeadlessTui {
	const tui = openHeadlessTui(sampleWorld({ asks: [ask], rules }));
	tui.wait(LOOK_MS);
	tui.press('a');
	return tui;
}

function answers(tui: HeadlessTui): unknown[] {
	return tui.wishes().flatMap((wish) => (wish.type === 'approve' ? [wish.answer] : []));
}

async function textOf(tui: HeadlessTui): Promise<string> {
	using terminal = await drawScene(tui.scene(), { columns: 120, rows: 30, ascii: true });
	return terminal.text();
}
