import type { AskRow } from '@roost/protocol/ask';
import type { Rule } from '@roost/protocol/rule';
import { type DeskRig, openDesk } from '@roost/testkit/rigs/desk-rig';
import { sampleRule } from '@roost/testkit/rigs/sample-append';
import { samplePermission, sampleWorld } from '@roost/testkit/rigs/sample-world';
import { drawScene } from '@roost/testkit/rigs/tui-scene';
import { describe, expect, it } from 'vitest';
import { LOOK_MS } from './when-ready.ts';

const SHELL = samplePermission({ input: { command: 'npm test --watch' }, risk: 'medium' });
const MCP = samplePermission({ tool: 'mcp__github__create_issue', input: { title: 'x' } });

describe('always', () => {
	it('makes a rule for commands like this one in this session, unless told otherwise', () => {
		const desk = openAlways(SHELL);
		desk.press('enter');
		expect(answers(desk)).toEqual([
			{ decision: 'allow', persist: true, scope: 'session', rule: { tool: 'Bash', argsPattern: 'npm test *' } },
		]);
	});

	it.each([
		[['down', 'right'], 'project'],
		[['tab', 'right', 'right'], 'user'],
		[['down', 'left'], 'user'],
		[['down', 'space', 'h'], 'session'],
	])('counts where %j says', (keys, scope) => {
		const desk = openAlways(SHELL);
		desk.press(...keys, 'enter');
		expect(answers(desk)).toMatchObject([{ scope }]);
	});

	it('is about the pattern as it was edited', () => {
		const desk = openAlways(SHELL);
		desk.press('ctrl+u');
		desk.type('npm * --watch');
		desk.press('enter');
		expect(answers(desk)).toMatchObject([{ rule: { tool: 'Bash', argsPattern: 'npm * --watch' } }]);
	});

	it('keeps a pasted pattern on one line', () => {
		const desk = openAlways(SHELL);
		desk.press('ctrl+u');
		desk.paste('npm\ntest');
		desk.press('enter');
		expect(answers(desk)).toMatchObject([{ rule: { argsPattern: 'npm test' } }]);
	});

	it('wants a pattern where it is about one', async () => {
		const desk = openAlways(SHELL);
		desk.press('ctrl+u', 'enter');
		expect(answers(desk)).toEqual([]);
		expect(await textOf(desk)).toContain('Write a pattern');
	});

	it('is about the whole tool where that is wanted', () => {
		const desk = openAlways(SHELL);
		desk.press('up', 'right', 'enter');
		expect(answers(desk)).toMatchObject([{ rule: { tool: 'Bash' } }]);
		expect(answers(desk)).toEqual([]);
	});

	it('denies always as well', async () => {
		const desk = openAlways(SHELL);
		desk.press('up', 'up', 'right');
		expect(await textOf(desk)).toContain('The rule: deny Bash npm test * in this session, and deny this one.');
		desk.press('enter');
		expect(answers(desk)).toMatchObject([{ decision: 'deny', persist: true }]);
	});

	it('offers the tool and the server of an MCP call', async () => {
		const desk = openAlways(MCP);
		expect(await textOf(desk)).toContain('The rule: allow github/create_issue in this session');
		desk.press('left', 'enter');
		expect(answers(desk)).toEqual([{ decision: 'allow', persist: true, scope: 'session', rule: { tool: 'mcp__github__*' } }]);
	});

	it('says what a rule would not cover', async () => {
		const desk = openAlways(SHELL);
		desk.press('ctrl+u');
		desk.type('npm run *');
		expect(await textOf(desk)).toContain('does not cover all of this call');
		desk.press('up', 'right');
		expect(await textOf(desk)).not.toContain('does not cover');
	});

	it('offers a rule for each part of a line that no rule allows yet', async () => {
		const line = samplePermission({ input: { command: 'touch a && echo b | wc -l' }, risk: 'medium' });
		const desk = openAlways(line, [sampleRule('r', { argsPattern: 'touch *' })]);
		expect(await textOf(desk)).toContain('2 rules: allow Bash in this session, and allow this one.');
		expect(await textOf(desk)).not.toContain('does not cover');
		desk.press('down', 'down', 'right', 'enter');
		const rules = [
			{ tool: 'Bash', argsPattern: 'echo *' },
			{ tool: 'Bash', argsPattern: 'wc *' },
		];
		expect(answers(desk)).toEqual([{ decision: 'allow', persist: true, scope: 'project', rules }]);
	});

	it('makes no rule of a pattern that was emptied, and says what is left uncovered', async () => {
		const desk = openAlways(samplePermission({ input: { command: 'touch a && echo b' }, risk: 'medium' }));
		desk.press('down', 'ctrl+u');
		expect(await textOf(desk)).toContain('does not cover all of this call');
		desk.press('enter');
		expect(answers(desk)).toMatchObject([{ rule: { tool: 'Bash', argsPattern: 'touch *' } }]);
	});

	it('denies a line of several commands as it stands', async () => {
		const desk = openAlways(samplePermission({ input: { command: 'cd sub && git push --force' }, risk: 'medium' }));
		desk.press('up', 'up', 'right');
		expect(await textOf(desk)).toContain('The rule: deny Bash cd sub && git push --force in this session');
	});

	it('says so where a stronger rule keeps asking', async () => {
		const desk = openAlways(SHELL, [sampleRule('r', { argsPattern: 'npm *', decision: 'ask' })]);
		expect(await textOf(desk)).not.toContain('does not cover');
		desk.press('down', 'left');
		expect(await textOf(desk)).toContain('does not cover all of this call');
	});

	it('sends nothing when it is left', () => {
		const desk = openAlways(SHELL);
		desk.press('esc', 'esc');
		expect(answers(desk)).toEqual([]);
	});
});

function openAlways(ask: AskRow, rules: readonly Rule[] = []): DeskRig {
	const desk = openDesk(sampleWorld({ asks: [ask], rules }));
	desk.wait(LOOK_MS);
	desk.press('a');
	return desk;
}

function answers(desk: DeskRig): unknown[] {
	return desk.wishes().flatMap((wish) => (wish.type === 'approve' ? [wish.answer] : []));
}

async function textOf(desk: DeskRig): Promise<string> {
	using terminal = await drawScene(desk.scene(), { columns: 120, rows: 30, ascii: true });
	return terminal.text();
}
