import type { AskRow } from '@roost/protocol/ask';
import type { Question } from '@roost/protocol/feed/decisions';
import { type DeskRig, openDesk } from '@roost/testkit/rigs/desk-rig';
import { samplePermission, sampleWorld } from '@roost/testkit/rigs/sample-world';
import { drawScene } from '@roost/testkit/rigs/tui-scene';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LOOK_MS } from './when-ready.ts';

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

describe('one question', () => {
	it.each([
		[['enter'], 'SQLite'],
		[['down', 'enter'], 'Postgres'],
		[['2'], 'Postgres'],
		[['j', 'k', 'k', 'space'], 'SQLite'],
	])('is answered by %j', (keys, answer) => {
		const desk = openQuestion([ONE]);
		desk.press(...keys);
		expect(answers(desk)).toEqual([{ 'Which database?': answer }]);
	});

	it('is answered in own words', () => {
		const desk = openQuestion([ONE]);
		desk.press('3');
		desk.type('Not 2: y, n or j ');
		desk.press('enter');
		expect(answers(desk)).toEqual([{ 'Which database?': 'Not 2: y, n or j' }]);
	});

	it('is not answered by words that were taken back', () => {
		const desk = openQuestion([ONE]);
		desk.press('3', 'x', 'backspace', 'enter', 'esc');
		expect(answers(desk)).toEqual([]);
		expect(desk.scene().shell.dialogs).toEqual([]);
	});

	it('can be left without an answer, which is said', () => {
		const desk = openQuestion([ONE]);
		desk.press('down', 'down', 'down', 'enter');
		expect(answers(desk)).toEqual([{}]);
	});

	it.each([
		[['space', 'j', 'j', 'space', 'enter'], 'Terminal, Editor'],
		[['1', '2', '3', '2', 'enter'], 'Terminal, Editor'],
		[['j', 'enter'], 'Web'],
		[['5', '2', 'enter'], 'Web'],
	])('takes several options where it may, with %j', (keys, answer) => {
		const desk = openQuestion([SEVERAL]);
		desk.press(...keys);
		expect(answers(desk)).toEqual([{ 'Which faces?': answer }]);
	});

	it('takes own words beside the options', () => {
		const desk = openQuestion([SEVERAL]);
		desk.press('3', '4');
		desk.type('a watch');
		desk.press('enter', 'enter');
		expect(answers(desk)).toEqual([{ 'Which faces?': 'Editor, a watch' }]);
	});

	it('has an answer again where one is chosen after no answer', async () => {
		const desk = openQuestion([SEVERAL]);
		desk.press('5', '2');
		expect(await textOf(desk)).toMatch(/2 \[x\] Web[\s\S]*5 \[ \] No answer/);
	});

	it('says no answer where that was chosen after all', () => {
		const desk = openQuestion([SEVERAL]);
		desk.press('1', '5', 'enter');
		expect(answers(desk)).toEqual([{}]);
	});

	it('is answered once, and not before it could be seen', () => {
		const desk = openDesk(sampleWorld());
		desk.tell({ asks: [asked([ONE])] });
		desk.press('enter', '1', 'space', '4');
		expect(answers(desk)).toEqual([]);
		desk.wait(LOOK_MS);
		desk.press('enter', 'enter', '2');
		expect(answers(desk)).toEqual([{ 'Which database?': 'SQLite' }]);
	});
});

describe('several questions', () => {
	it('are answered one after the other, shown together and sent', async () => {
		const desk = openQuestion([ONE, SEVERAL]);
		expect(await textOf(desk)).toContain('Store, question 1 of 2');
		desk.press('2', '1', '2', 'enter');
		const summary = await textOf(desk);
		expect(summary).toContain('your answers');
		expect(summary).toMatch(/Store\n +Postgres\n +Which faces\?\n +Terminal, Web/);
		expect(answers(desk)).toEqual([]);
		desk.press('enter');
		expect(answers(desk)).toEqual([{ 'Which database?': 'Postgres', 'Which faces?': 'Terminal, Web' }]);
	});

	it('can be gone through back and forth, and changed', () => {
		const desk = openQuestion([ONE, SEVERAL]);
		desk.press('2', '1', 'tab', 'left', 'shift+tab', '1', 'right', 'enter');
		expect(answers(desk)).toEqual([{ 'Which database?': 'SQLite', 'Which faces?': 'Terminal' }]);
	});

	it('can be changed from the summary', () => {
		const desk = openQuestion([ONE, SEVERAL]);
		desk.press('2', 'right', 'down', 'enter', '1', 'right', 'enter');
		expect(answers(desk)).toEqual([{ 'Which database?': 'SQLite', 'Which faces?': '' }]);
	});

	it('can be left without any answer', async () => {
		const desk = openQuestion([ONE, SEVERAL]);
		desk.press('1', '5');
		desk.press('right');
		expect(await textOf(desk)).toContain('no answer');
		desk.press('3');
		expect(answers(desk)).toEqual([{}]);
	});
});

describe('the question dialog', () => {
	it('shows what cannot be read as a question, and can only say nothing to it', async () => {
		const desk = openDesk(sampleWorld({ asks: [samplePermission({ kind: 'question', input: { questions: ['what?'] } })] }));
		desk.wait(LOOK_MS);
		expect(await textOf(desk)).toContain('what?');
		desk.press('enter');
		expect(answers(desk)).toEqual([{}]);
	});

	it('shows an option before it can be chosen', async () => {
		const long = { ...ONE, question: Array.from({ length: 60 }, (_, line) => `line ${line}`).join('\n') };
		const desk = openQuestion([long]);
		desk.press('enter');
		expect(answers(desk)).toEqual([]);
		expect(await textOf(desk)).toContain('SQLite');
		desk.press('enter');
		expect(answers(desk)).toHaveLength(1);
	});

	it('can be read to its end and back', async () => {
		const long = { ...ONE, question: Array.from({ length: 60 }, (_, line) => `line-${line}.`).join('\n') };
		const desk = openQuestion([long]);
		expect(await textOf(desk)).toContain('more below: PgDn');
		desk.press(...Array.from({ length: 20 }, () => 'pgdn'));
		expect(await textOf(desk)).toContain('No answer');
		desk.press(...Array.from({ length: 90 }, () => 'wheel-up'));
		expect(await textOf(desk)).toContain('line-0.');
	});

	it('leaves the question waiting when it is left, and never answers by Esc', () => {
		const keys = ['esc', 'up', 'down', 'tab', 'shift+tab', 'pgdn', 'a', 'j', 'k', 'x'];
		fc.assert(
			fc.property(fc.array(fc.constantFrom(...keys), { maxLength: 30 }), (pressed) => {
				const desk = openQuestion([ONE, SEVERAL]);
				for (const key of pressed) {
					desk.wait(LOOK_MS);
					desk.press(key);
				}
				expect(answers(desk)).toEqual([]);
				expect(desk.world().asks).toHaveLength(1);
			}),
			{ numRuns: process.env.ROOST_SOAK === '1' ? 5_000 : 100 },
		);
	});
});

function asked(questions: readonly Question[]): AskRow {
	return samplePermission({ kind: 'question', tool: 'AskUserQuestion', input: { questions }, risk: 'low' });
}

function openQuestion(questions: readonly Question[]): DeskRig {
	const desk = openDesk(sampleWorld({ asks: [asked(questions)] }));
	desk.wait(LOOK_MS);
	return desk;
}

function answers(desk: DeskRig): unknown[] {
	return desk.wishes().flatMap((wish) => (wish.type === 'answer' ? [wish.answers] : []));
}

async function textOf(desk: DeskRig): Promise<string> {
	using terminal = await drawScene(desk.scene(), { ascii: true });
	return terminal.text();
}
