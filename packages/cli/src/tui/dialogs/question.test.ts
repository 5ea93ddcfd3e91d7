import { LOOK_MS } from '@roost/core/answers/when-ready';
import type { AskRow } from '@roost/protocol/ask';
import type { Question } from '@roost/protocol/feed/decisions';
import { type HeadlessTui, openHeadlessTui } from '@roost/testkit/rigs/tui/headless-tui';
import { samplePermission, sampleWorld } from '@roost/testkit/rigs/tui/sample-world';
import { drawScene } from '@roost/testkit/rigs/tui/tui-scene';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const ONE: Question = {
	question: 'Which database?',
	header: 'Store',
	multi_select: false,
	options: [{ label: 'SQLite', description: 'one file' }, { label: 'Postgres' }],
};
const SEVERAL: Question = {
	question: 'Which faces?',
	multi_select: true,
	options: [{ label: 'Terminal' }, { label: 'Web' }, { label: 'Editor' }],
};

describe('single question', () => {
	it.each([
		[['enter'], 'SQLite'],
		[['down', 'enter'], 'Postgres'],
		[['2'], 'Postgres'],
		[['j', 'k', 'k', 'space'], 'SQLite'],
	])('is answered with the keys %j', (keys, answer) => {
		const tui = openQuestion([ONE]);
		tui.press(...keys);
		expect(answers(tui)).toEqual([{ 'Which database?': answer }]);
	});

	it('accepts a free-text answer', () => {
		const tui = openQuestion([ONE]);
		tui.press('3');
		tui.type('Not 2: y, n or j ');
		tui.press('enter');
		expect(answers(tui)).toEqual([{ 'Which database?': 'Not 2: y, n or j' }]);
	});

	it('sends nothing for a free-text answer that was deleted', () => {
		const tui = openQuestion([ONE]);
		tui.press('3', 'x', 'backspace', 'enter', 'esc');
		expect(answers(tui)).toEqual([]);
		expect(tui.scene().shell.dialogs).toEqual([]);
	});

	it('sends an empty answer when "No answer" is chosen', () => {
		const tui = openQuestion([ONE]);
		tui.press('down', 'down', 'down', 'enter');
		expect(answers(tui)).toEqual([{}]);
	});

	it.each([
		[['space', 'j', 'j', 'space', 'enter'], 'Terminal, Editor'],
		[['1', '2', '3', '2', 'enter'], 'Terminal, Editor'],
		[['j', 'enter'], 'Web'],
		[['5', '2', 'enter'], 'Web'],
	])('accepts a multi-select answer with the keys %j', (keys, answer) => {
		const tui = openQuestion([SEVERAL]);
		tui.press(...keys);
		expect(answers(tui)).toEqual([{ 'Which faces?': answer }]);
	});

	it('accepts free text in addition to options', () => {
		const tui = openQuestion([SEVERAL]);
		tui.press('3', '4');
		tui.type('a watch');
		tui.press('enter', 'enter');
		expect(answers(tui)).toEqual([{ 'Which faces?': 'Editor, a watch' }]);
	});

	it('clears "No answer" when an option is chosen', async () => {
		const tui = openQuestion([SEVERAL]);
		tui.press('5', '2');
		expect(await textOf(tui)).toMatch(/2 \[x\] Web[\s\S]*5 \[ \] No answer/);
	});

	it('drops the chosen options when "No answer" is chosen', () => {
		const tui = openQuestion([SEVERAL]);
		tui.press('1', '5', 'enter');
		expect(answers(tui)).toEqual([{}]);
	});

	it('is answered only once, and not before it has been visible long enough', () => {
		const tui = openHeadlessTui(sampleWorld());
		tui.report({ asks: [asked([ONE])] });
		tui.press('enter', '1', 'space', '4');
		expect(answers(tui)).toEqual([]);
		tui.wait(LOOK_MS);
		tui.press('enter', 'enter', '2');
		expect(answers(tui)).toEqual([{ 'Which database?': 'SQLite' }]);
	});
});

describe('several questions', () => {
	it('are answered one by one, summarised and then sent', async () => {
		const tui = openQuestion([ONE, SEVERAL]);
		expect(await textOf(tui)).toContain('Store, question 1 of 2');
		tui.press('2', '1', '2', 'enter');
		const summary = await textOf(tui);
		expect(summary).toContain('your answers');
		expect(summary).toMatch(/Store\n +Postgres\n +Which faces\?\n +Terminal, Web/);
		expect(answers(tui)).toEqual([]);
		tui.press('enter');
		expect(answers(tui)).toEqual([{ 'Which database?': 'Postgres', 'Which faces?': 'Terminal, Web' }]);
	});

	it('can be navigated back and forth to change answers', () => {
		const tui = openQuestion([ONE, SEVERAL]);
		tui.press('2', '1', 'tab', 'left', 'shift+tab', '1', 'right', 'enter');
		expect(answers(tui)).toEqual([{ 'Which database?': 'SQLite', 'Which faces?': 'Terminal' }]);
	});

	it('can be changed from the summary', () => {
		const tui = openQuestion([ONE, SEVERAL]);
		tui.press('2', 'right', 'down', 'enter', '1', 'right', 'enter');
		expect(answers(tui)).toEqual([{ 'Which database?': 'SQLite', 'Which faces?': '' }]);
	});

	it('can be sent without any answer from the summary', async () => {
		const tui = openQuestion([ONE, SEVERAL]);
		tui.press('1', '5');
		tui.press('right');
		expect(await textOf(tui)).toContain('no answer');
		tui.press('3');
		expect(answers(tui)).toEqual([{}]);
	});
});

describe('question dialog', () => {
	it('shows malformed questions and sends an empty answer for them', async () => {
		const tui = openHeadlessTui(sampleWorld({ asks: [samplePermission({ kind: 'question', input: { questions: ['what?'] } })] }));
		tui.wait(LOOK_MS);
		expect(await textOf(tui)).toContain('what?');
		tui.press('enter');
		expect(answers(tui)).toEqual([{}]);
	});

	it('scrolls an option into view before it can be chosen', async () => {
		const long = { ...ONE, question: Array.from({ length: 60 }, (_, line) => `line ${line}`).join('\n') };
		const tui = openQuestion([long]);
		tui.press('enter');
		expect(answers(tui)).toEqual([]);
		expect(await textOf(tui)).toContain('SQLite');
		tui.press('enter');
		expect(answers(tui)).toHaveLength(1);
	});

	it('scrolls through a long question to its end and back', async () => {
		const long = { ...ONE, question: Array.from({ length: 60 }, (_, line) => `line-${line}.`).join('\n') };
		const tui = openQuestion([long]);
		expect(await textOf(tui)).toContain('more below: PgDn');
		tui.press(...Array.from({ length: 20 }, () => 'pgdn'));
		expect(await textOf(tui)).toContain('No answer');
		tui.press(...Array.from({ length: 90 }, () => 'wheel-up'));
		expect(await textOf(tui)).toContain('line-0.');
	});

	it('keeps the question pending on Esc and navigation keys', () => {
		const keys = ['esc', 'up', 'down', 'tab', 'shift+tab', 'pgdn', 'a', 'j', 'k', 'x'];
		fc.assert(
			fc.property(fc.array(fc.constantFrom(...keys), { maxLength: 30 }), (pressed) => {
				const tui = openQuestion([ONE, SEVERAL]);
				for (const key of pressed) {
					tui.wait(LOOK_MS);
					tui.press(key);
				}
				expect(answers(tui)).toEqual([]);
				expect(tui.world().asks).toHaveLength(1);
			}),
			{ numRuns: process.env.ROOST_SOAK === '1' ? 5_000 : 100 },
		);
	});
});

function asked(questions: readonly Question[]): AskRow {
	return samplePermission({ kind: 'question', tool: 'AskUserQuestion', input: { questions }, risk: 'low' });
}

function openQuestion(questions: readonly Question[]): HeadlessTui {
	const tui = openHeadlessTui(sampleWorld({ asks: [asked(questions)] }));
	tui.wait(LOOK_MS);
	return tui;
}

function answers(tui: HeadlessTui): unknown[] {
	return tui.wishes().flatMap((wish) => (wish.type === 'answer' ? [wish.answers] : []));
}

async function textOf(tui: HeadlessTui): Promise<string> {
	using terminal = await drawScene(tui.scene(), { ascii: true });
	return terminal.text();
}
