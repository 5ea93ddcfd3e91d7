import type { AskRow } from '@roost/protocol/ask';
import { actorId, askId } from '@roost/protocol/ids';
import { type DeskRig, openDesk } from '@roost/testkit/rigs/desk-rig';
import { samplePermission, sampleWorld } from '@roost/testkit/rigs/sample-world';
import { drawScene } from '@roost/testkit/rigs/tui-scene';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LOOK_MS } from './when-ready.ts';

const ASK = samplePermission({ input: { command: 'npm test --watch' }, risk: 'medium' });

describe('the permission dialog', () => {
	it.each([
		[['y'], { decision: 'allow' }],
		[['enter'], { decision: 'allow' }],
		[['n'], { decision: 'deny' }],
		[['x'], { decision: 'deny', interrupt: true }],
		[['down', 'down', 'j', 'enter'], { decision: 'deny' }],
		[['right', 'enter'], { decision: 'deny' }],
		[['right', 'l', 'enter'], { decision: 'deny' }],
		[['left', 'enter'], { decision: 'allow' }],
		[['right', 'down', 'down', 'h', 'l', 'enter'], { decision: 'deny', interrupt: true }],
		[['G', 'k', 'up', 'end', 'home', 'enter'], { decision: 'allow' }],
	])('says with %j what was chosen', (keys, answer) => {
		const desk = openAsked();
		desk.press(...keys);
		expect(desk.wishes()).toEqual([{ type: 'approve', ask: ASK, answer }]);
	});

	it('begins with deny where the risk is high', () => {
		const ask = samplePermission();
		const desk = openAsked(ask);
		desk.press('enter');
		expect(desk.wishes()).toEqual([{ type: 'approve', ask, answer: { decision: 'deny' } }]);
	});

	it('denies with a message, and letters of a message are no keys', () => {
		const desk = openAsked();
		desk.press('m');
		desk.type('why? n, y: ask me');
		desk.press('enter');
		expect(desk.wishes()).toEqual([
			{ type: 'approve', ask: ASK, answer: { decision: 'deny', denyMessage: 'why? n, y: ask me' } },
		]);
	});

	it('denies without a message where none was written', () => {
		const desk = openAsked();
		desk.press('m', 'space', 'enter');
		expect(desk.wishes()).toEqual([{ type: 'approve', ask: ASK, answer: { decision: 'deny' } }]);
	});

	it('takes a message of several lines', () => {
		const desk = openAsked();
		desk.press('m', 'a', 'alt+enter', 'b', 'ctrl+j');
		desk.paste('c\r\nd');
		desk.press('enter');
		expect(desk.wishes()).toMatchObject([{ answer: { denyMessage: 'a\nb\nc\nd' } }]);
	});

	it('answers once: while the answer is under way it says so and takes no second one', async () => {
		const desk = openAsked();
		desk.press('y', 'n', 'y', 'enter', 'm');
		expect(desk.wishes()).toHaveLength(1);
		expect(await textOf(desk)).toContain('Your answer is on its way');
	});

	it('can be answered again where the runner did not take the answer', () => {
		const desk = openAsked();
		desk.press('y');
		desk.wishes();
		desk.tell({ answered: new Set() });
		desk.press('n');
		expect(desk.wishes()).toMatchObject([{ answer: { decision: 'deny' } }]);
	});

	it('takes no decision before it could be seen', () => {
		const desk = openDesk(sampleWorld());
		desk.tell({ asks: [ASK] });
		for (const key of ['y', 'enter', 'n', 'x', 'a', 'e', 'm']) desk.press(key);
		desk.wait(LOOK_MS - 1);
		desk.press('y');
		expect(desk.wishes()).toEqual([]);
		expect(desk.scene().notice).toContain('press the key again');
		desk.wait(1);
		desk.press('y');
		expect(desk.wishes()).toHaveLength(1);
	});

	it('has to be looked at anew after something covered it', () => {
		const desk = openAsked();
		desk.press(':', 'esc', 'y');
		expect(desk.wishes()).toEqual([]);
		desk.wait(LOOK_MS);
		desk.press('y');
		expect(desk.wishes()).toHaveLength(1);
	});

	it('shows who asks, where, why and how long there is', async () => {
		const ask = samplePermission({ actorId: actorId.parse('subagent:a7'), reason: 'rule 7kq (Bash rm *) says ask' });
		const desk = openAsked(ask);
		const before = await textOf(desk);
		expect(before).toContain('high risk');
		expect(before).toContain('subagent a7 of claude in /project');
		expect(before).toContain('Asked because rule 7kq (Bash rm *) says ask.');
		expect(before).toContain('4:50 left');
		desk.wait(60_000);
		expect(await textOf(desk)).toContain('3:50 left');
		desk.wait(600_000);
		expect(await textOf(desk)).toContain('time is up');
	});

	it('names the session where it is another than the one looked at', async () => {
		const other = sampleWorld().sessions[1];
		const desk = openAsked(samplePermission({ sessionId: other?.id ?? ASK.sessionId }));
		expect(await textOf(desk)).toContain('in session m2x7 "Why is the login slow?"');
	});

	it('scrolls through a long command, and every line of it can be read', async () => {
		const lines = Array.from({ length: 40 }, (_, index) => `echo line-${index}-end`);
		const desk = openAsked(samplePermission({ input: { command: lines.join('\n') } }));
		const seen = new Set<string>();
		for (let page = 0; page < 40; page += 1) {
			for (const found of (await dialogText(desk)).matchAll(/line-\d+-end/g)) seen.add(found[0]);
			desk.press('pgdn');
		}
		expect(seen.size).toBe(40);
		expect(await dialogText(desk)).toContain('more above: PgUp');
		desk.press('g');
		expect(await dialogText(desk)).toContain('line-0-end');
		expect(await dialogText(desk)).toContain('more below: PgDn');
	});

	it('shows the end of a command that was scrolled in a narrower window', async () => {
		const desk = openAsked(samplePermission({ input: { command: `echo ${'word '.repeat(1_500)}` } }));
		desk.press('G');
		using terminal = await drawScene(desk.scene(), { columns: 200, rows: 24, ascii: true });
		expect(terminal.text()).toMatch(/word word[\s\S]*more above/);
	});

	it('shows an edit as a diff', async () => {
		const input = { file_path: '/project/a.ts', old_string: 'let a = 1;', new_string: 'const a = 1;' };
		const text = await dialogText(openAsked(samplePermission({ tool: 'Edit', input })));
		expect(text).toContain('- let a = 1;');
		expect(text).toContain('+ const a = 1;');
	});

	it('follows the order in which they came, the next one at once', async () => {
		const asks = [1, 2, 3].map((number) =>
			samplePermission({ id: askId.parse(`k3f9.${number}`), input: { command: `make ${number}` }, risk: 'low' }),
		);
		const desk = openDesk(sampleWorld({ asks }));
		const [first = ASK, second = ASK] = asks;
		expect(await dialogText(desk)).toContain('1 of 3');
		desk.wait(LOOK_MS);
		desk.press('y');
		desk.decide(first, { state: 'allowed', decidedBy: 'owner@cli' });
		expect(await dialogText(desk)).toMatch(/1 of 2[\s\S]*make 2/);
		desk.press('y');
		expect(desk.wishes().flatMap((wish) => (wish.type === 'approve' ? [wish.ask.id] : []))).toEqual(['k3f9.1']);
		desk.decide(second, { state: 'denied', decidedBy: 'bob@web' });
		expect(await dialogText(desk)).toContain('make 3');
	});
});

describe('editing an input', () => {
	it('sends the command as it was changed, with everything else as it was', () => {
		const ask = samplePermission({ input: { command: 'rm -rf dist', timeout: 5 } });
		const desk = openAsked(ask);
		desk.press('e', 'ctrl+w');
		desk.type('build');
		desk.press('enter');
		expect(desk.wishes()).toEqual([
			{ type: 'approve', ask, answer: { decision: 'allow', modifiedInput: { command: 'rm -rf build', timeout: 5 } } },
		]);
	});

	it('is a plain allow where nothing was changed', () => {
		const desk = openAsked();
		desk.press('e', 'enter');
		expect(desk.wishes()).toEqual([{ type: 'approve', ask: ASK, answer: { decision: 'allow' } }]);
	});

	it('edits other inputs as JSON, and stays with a word where it is none', async () => {
		const ask = samplePermission({ tool: 'WebFetch', input: { url: 'https://example.org' } });
		const desk = openAsked(ask);
		desk.press('e', 'backspace', 'enter');
		expect(desk.wishes()).toEqual([]);
		expect(await dialogText(desk)).toContain('This is not valid JSON yet');
		desk.type('}');
		expect(await dialogText(desk)).not.toContain('not valid JSON');
		desk.press('ctrl+u', 'backspace', 'ctrl+u', 'backspace', 'ctrl+u');
		desk.paste('{"url": "https://example.com"}');
		desk.press('enter');
		expect(desk.wishes()).toMatchObject([{ answer: { modifiedInput: { url: 'https://example.com' } } }]);
	});

	it.each(['[1]', 'null', '"x"'])('does not take %s for an input', async (text) => {
		const desk = openAsked(samplePermission({ tool: 'WebFetch', input: {} }));
		desk.press('e', 'ctrl+u');
		desk.type(text);
		desk.press('enter');
		expect(desk.wishes()).toEqual([]);
		expect(await dialogText(desk)).toContain('The input must be a JSON object');
	});

	it('asks for a command where none is left', async () => {
		const desk = openAsked();
		desk.press('e', 'ctrl+u', 'enter');
		expect(desk.wishes()).toEqual([]);
		expect(await dialogText(desk)).toContain('Write a command, or deny it');
	});

	it('is not possible with a redacted secret, and the dialog says so', async () => {
		const desk = openAsked(samplePermission({ input: { command: 'curl -H [redacted:bearer:1a2b3c4d]' } }));
		expect(await dialogText(desk)).toContain('Cannot be edited');
		desk.press('e');
		expect(desk.scene().notice).toBe('This cannot be edited: it holds a redacted secret.');
		desk.type('x');
		expect(desk.wishes()).toMatchObject([{ answer: { decision: 'deny', interrupt: true } }]);
	});

	it('is not possible where the input is huge, which is drawn and scrolled all the same', async () => {
		const desk = openAsked(samplePermission({ input: { command: `echo ${'x'.repeat(1_000_000)}` } }));
		expect(await dialogText(desk)).toContain('Cannot be edited');
		desk.press('pgdn', 'G', 'g', 'e');
		expect(await dialogText(desk)).toMatch(/\$ echo\n +x{70}/);
		desk.press('m');
		desk.paste('y'.repeat(1_000_000));
		expect(await dialogText(desk)).toContain('too long to be written here');
	});
});

describe('leaving the permission dialog', () => {
	it('puts the ask aside: it still waits, and comes back when it is wanted', async () => {
		const desk = openAsked();
		desk.press('esc');
		expect(desk.scene().shell.dialogs).toEqual([]);
		desk.wait(5_000);
		expect(desk.scene().shell.dialogs).toEqual([]);
		expect(desk.wishes()).toEqual([]);
		expect(await textOf(desk)).toContain('1 to decide');
		desk.press('a');
		expect(desk.scene().shell.dialogs).toEqual(['permission']);
	});

	it('goes back to the choices from a text first', () => {
		for (const key of ['e', 'm', 'a']) {
			const desk = openAsked();
			desk.press(key, 'esc', 'n');
			expect(desk.wishes()).toMatchObject([{ answer: { decision: 'deny' } }]);
		}
	});

	it('never allows, whatever is pressed but the keys that allow', () => {
		fc.assert(
			fc.property(fc.array(fc.constantFrom(...HARMLESS), { maxLength: 40 }), (keys) => {
				const desk = openAsked();
				for (const key of keys) {
					desk.wait(LOOK_MS);
					desk.press(key);
				}
				expect(desk.wishes().filter(allows)).toEqual([]);
			}),
			{ numRuns: process.env.ROOST_SOAK === '1' ? 5_000 : 200 },
		);
	});

	it('with Esc leaves the ask waiting, whatever is pressed then', () => {
		fc.assert(
			fc.property(
				fc.array(fc.constantFrom('esc', 'j', 'k', 'enter', 'y', 'n', 'x', 'e', 'm', 'G', 'tab'), { maxLength: 20 }),
				(keys) => {
					const desk = openAsked();
					desk.press('esc');
					for (const key of keys) {
						desk.wait(LOOK_MS);
						desk.press(key);
					}
					expect(desk.wishes().filter(({ type }) => type === 'approve')).toEqual([]);
					expect(desk.world().asks).toEqual([ASK]);
				},
			),
			{ numRuns: process.env.ROOST_SOAK === '1' ? 5_000 : 200 },
		);
	});
});

const HARMLESS = [
	'esc',
	'up',
	'down',
	'left',
	'right',
	'j',
	'k',
	'h',
	'l',
	'g',
	'G',
	'pgdn',
	'pgup',
	'space',
	'tab',
	'shift+tab',
].concat([
	'n',
	'x',
	'e',
	'm',
	'a',
	'q',
	'?',
	':',
	'/',
	'Y',
	'backspace',
	'ctrl+c',
	'ctrl+j',
	'alt+enter',
	'wheel-down',
	'1',
	'f',
	'o',
]);

function allows(wish: ReturnType<DeskRig['wishes']>[number]): boolean {
	return wish.type === 'approve' && wish.answer.decision === 'allow';
}

/** On the screen long enough. */
function openAsked(ask: AskRow = ASK): DeskRig {
	const desk = openDesk(sampleWorld({ asks: [ask] }));
	desk.wait(LOOK_MS);
	return desk;
}

async function textOf(desk: DeskRig): Promise<string> {
	using terminal = await drawScene(desk.scene(), { columns: 100, rows: 30, ascii: true });
	return terminal.text();
}

/** Without the view above it. */
async function dialogText(desk: DeskRig): Promise<string> {
	using terminal = await drawScene(desk.scene(), { ascii: true });
	return /-- (?:Permission|Question) -[\s\S]*/.exec(terminal.text())?.[0] ?? '';
}
