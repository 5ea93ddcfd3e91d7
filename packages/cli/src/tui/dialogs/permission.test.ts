import { LOOK_MS } from '@roost/core/answers/when-ready';
import type { AskRow } from '@roost/protocol/ask';
import { actorId, askId } from '@roost/protocol/ids';
import { type HeadlessTui, openHeadlessTui } from '@roost/testkit/rigs/tui/headless-tui';
import { samplePermission, sampleWorld } from '@roost/testkit/rigs/tui/sample-world';
import { drawScene } from '@roost/testkit/rigs/tui/tui-scene';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const ASK = samplePermission({ input: { command: 'npm test --watch' }, risk: 'medium' });

describe('permission dialog', () => {
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
	])('sends the decision chosen with %j', (keys, answer) => {
		const tui = openAsked();
		tui.press(...keys);
		expect(tui.wishes()).toEqual([{ type: 'approve', ask: ASK, answer }]);
	});

	it('preselects deny when the risk is high', () => {
		const ask = samplePermission();
		const tui = openAsked(ask);
		tui.press('enter');
		expect(tui.wishes()).toEqual([{ type: 'approve', ask, answer: { decision: 'deny' } }]);
	});

	it('denies with a message, in which letters do not act as keys', () => {
		const tui = openAsked();
		tui.press('m');
		tui.type('why? n, y: ask me');
		tui.press('enter');
		expect(tui.wishes()).toEqual([{ type: 'approve', ask: ASK, answer: { decision: 'deny', denyMessage: 'why? n, y: ask me' } }]);
	});

	it('denies without a message when it is blank', () => {
		const tui = openAsked();
		tui.press('m', 'space', 'enter');
		expect(tui.wishes()).toEqual([{ type: 'approve', ask: ASK, answer: { decision: 'deny' } }]);
	});

	it('accepts a deny message of several lines', () => {
		const tui = openAsked();
		tui.press('m', 'a', 'alt+enter', 'b', 'ctrl+j');
		tui.paste('c\r\nd');
		tui.press('enter');
		expect(tui.wishes()).toMatchObject([{ answer: { denyMessage: 'a\nb\nc\nd' } }]);
	});

	it('sends only one answer and shows that it was sent', async () => {
		const tui = openAsked();
		tui.press('y', 'n', 'y', 'enter', 'm');
		expect(tui.wishes()).toHaveLength(1);
		expect(await textOf(tui)).toContain('Your answer was sent');
	});

	it('can be answered again if the runner did not accept the answer', () => {
		const tui = openAsked();
		tui.press('y');
		tui.wishes();
		tui.report({ answered: new Set() });
		tui.press('n');
		expect(tui.wishes()).toMatchObject([{ answer: { decision: 'deny' } }]);
	});

	it('ignores decision keys until it has been visible long enough', () => {
		const tui = openHeadlessTui(sampleWorld());
		tui.report({ asks: [ASK] });
		for (const key of ['y', 'enter', 'n', 'x', 'a', 'e', 'm']) tui.press(key);
		tui.wait(LOOK_MS - 1);
		tui.press('y');
		expect(tui.wishes()).toEqual([]);
		expect(tui.scene().notice).toContain('press the key again');
		tui.wait(1);
		tui.press('y');
		expect(tui.wishes()).toHaveLength(1);
	});

	it('ignores decision keys for a moment again after it was covered', () => {
		const tui = openAsked();
		tui.press(':', 'esc', 'y');
		expect(tui.wishes()).toEqual([]);
		tui.wait(LOOK_MS);
		tui.press('y');
		expect(tui.wishes()).toHaveLength(1);
	});

	it('shows risk, requester, directory, reason and remaining time', async () => {
		const ask = samplePermission({ actorId: actorId.parse('subagent:a7'), reason: 'rule 7kq (Bash rm *) says ask' });
		const tui = openAsked(ask);
		const before = await textOf(tui);
		expect(before).toContain('high risk');
		expect(before).toContain('subagent a7 of claude in /project');
		expect(before).toContain('Asked because rule 7kq (Bash rm *) says ask.');
		expect(before).toContain('4:50 left');
		tui.wait(60_000);
		expect(await textOf(tui)).toContain('3:50 left');
		tui.wait(600_000);
		expect(await textOf(tui)).toContain('expired');
	});

	it('names the session if it is not the open one', async () => {
		const other = sampleWorld().sessions[1];
		const tui = openAsked(samplePermission({ sessionId: other?.id ?? ASK.sessionId }));
		expect(await textOf(tui)).toContain('in session m2x7 "Why is the login slow?"');
	});

	it('scrolls through every line of a long command', async () => {
		const lines = Array.from({ length: 40 }, (_, index) => `echo line-${index}-end`);
		const tui = openAsked(samplePermission({ input: { command: lines.join('\n') } }));
		const seen = new Set<string>();
		for (let page = 0; page < 40; page += 1) {
			for (const found of (await dialogText(tui)).matchAll(/line-\d+-end/g)) seen.add(found[0]);
			tui.press('pgdn');
		}
		expect(seen.size).toBe(40);
		expect(await dialogText(tui)).toContain('more above: PgUp');
		tui.press('g');
		expect(await dialogText(tui)).toContain('line-0-end');
		expect(await dialogText(tui)).toContain('more below: PgDn');
	});

	it('shows the end of a scrolled command after the window gets wider', async () => {
		const tui = openAsked(samplePermission({ input: { command: `echo ${'word '.repeat(1_500)}` } }));
		tui.press('G');
		using terminal = await drawScene(tui.scene(), { columns: 200, rows: 24, ascii: true });
		expect(terminal.text()).toMatch(/word word[\s\S]*more above/);
	});

	it('shows an edit as a diff', async () => {
		const input = { file_path: '/project/a.ts', old_string: 'let a = 1;', new_string: 'const a = 1;' };
		const text = await dialogText(openAsked(samplePermission({ tool: 'Edit', input })));
		expect(text).toContain('- let a = 1;');
		expect(text).toContain('+ const a = 1;');
	});

	it('shows requests in order of arrival, the next one immediately', async () => {
		const asks = [1, 2, 3].map((number) =>
			samplePermission({ id: askId.parse(`k3f9.${number}`), input: { command: `make ${number}` }, risk: 'low' }),
		);
		const tui = openHeadlessTui(sampleWorld({ asks }));
		const [first = ASK, second = ASK] = asks;
		expect(await dialogText(tui)).toContain('1 of 3');
		tui.wait(LOOK_MS);
		tui.press('y');
		tui.decide(first, { state: 'allowed', decidedBy: 'owner@cli' });
		expect(await dialogText(tui)).toMatch(/1 of 2[\s\S]*make 2/);
		tui.press('y');
		expect(tui.wishes().flatMap((wish) => (wish.type === 'approve' ? [wish.ask.id] : []))).toEqual(['k3f9.1']);
		tui.decide(second, { state: 'denied', decidedBy: 'bob@web' });
		expect(await dialogText(tui)).toContain('make 3');
	});
});

describe('editing an input', () => {
	it('sends the edited command with all other fields unchanged', () => {
		const ask = samplePermission({ input: { command: 'rm -rf dist', timeout: 5 } });
		const tui = openAsked(ask);
		tui.press('e', 'ctrl+w');
		tui.type('build');
		tui.press('enter');
		expect(tui.wishes()).toEqual([
			{ type: 'approve', ask, answer: { decision: 'allow', modifiedInput: { command: 'rm -rf build', timeout: 5 } } },
		]);
	});

	it('sends a plain allow if nothing changed', () => {
		const tui = openAsked();
		tui.press('e', 'enter');
		expect(tui.wishes()).toEqual([{ type: 'approve', ask: ASK, answer: { decision: 'allow' } }]);
	});

	it('edits other inputs as JSON and rejects invalid JSON', async () => {
		const ask = samplePermission({ tool: 'WebFetch', input: { url: 'https://example.org' } });
		const tui = openAsked(ask);
		tui.press('e', 'backspace', 'enter');
		expect(tui.wishes()).toEqual([]);
		expect(await dialogText(tui)).toContain('This is not valid JSON yet');
		tui.type('}');
		expect(await dialogText(tui)).not.toContain('not valid JSON');
		tui.press('ctrl+u', 'backspace', 'ctrl+u', 'backspace', 'ctrl+u');
		tui.paste('{"url": "https://example.com"}');
		tui.press('enter');
		expect(tui.wishes()).toMatchObject([{ answer: { modifiedInput: { url: 'https://example.com' } } }]);
	});

	it.each(['[1]', 'null', '"x"'])('rejects %s as an input', async (text) => {
		const tui = openAsked(samplePermission({ tool: 'WebFetch', input: {} }));
		tui.press('e', 'ctrl+u');
		tui.type(text);
		tui.press('enter');
		expect(tui.wishes()).toEqual([]);
		expect(await dialogText(tui)).toContain('The input must be a JSON object');
	});

	it('asks for a command instead of sending an empty one', async () => {
		const tui = openAsked();
		tui.press('e', 'ctrl+u', 'enter');
		expect(tui.wishes()).toEqual([]);
		expect(await dialogText(tui)).toContain('Write a command, or deny it');
	});

	it('is disabled for an input with a redacted secret, and the dialog explains why', async () => {
		const tui = openAsked(samplePermission({ input: { command: 'curl -H [redacted:bearer:1a2b3c4d]' } }));
		expect(await dialogText(tui)).toContain('Cannot be edited');
		tui.press('e');
		expect(tui.scene().notice).toBe('This cannot be edited: it holds a redacted secret.');
		tui.type('x');
		expect(tui.wishes()).toMatchObject([{ answer: { decision: 'deny', interrupt: true } }]);
	});

	it('is disabled for a huge input, which can still be drawn and scrolled', async () => {
		const tui = openAsked(samplePermission({ input: { command: `echo ${'x'.repeat(1_000_000)}` } }));
		expect(await dialogText(tui)).toContain('Cannot be edited');
		tui.press('pgdn', 'G', 'g', 'e');
		expect(await dialogText(tui)).toMatch(/\$ echo\n +x{70}/);
		tui.press('m');
		tui.paste('y'.repeat(1_000_000));
		expect(await dialogText(tui)).toContain('This text is too long');
	});
});

describe('closing the permission dialog', () => {
	it('keeps the request pending and reopens it on demand', async () => {
		const tui = openAsked();
		tui.press('esc');
		expect(tui.scene().shell.dialogs).toEqual([]);
		tui.wait(5_000);
		expect(tui.scene().shell.dialogs).toEqual([]);
		expect(tui.wishes()).toEqual([]);
		expect(await textOf(tui)).toContain('1 to decide');
		tui.press('a');
		expect(tui.scene().shell.dialogs).toEqual(['permission']);
	});

	it('returns from an input form to the choices first', () => {
		for (const key of ['e', 'm', 'a']) {
			const tui = openAsked();
			tui.press(key, 'esc', 'n');
			expect(tui.wishes()).toMatchObject([{ answer: { decision: 'deny' } }]);
		}
	});

	it('never allows the call unless an allow key is pressed', () => {
		fc.assert(
			fc.property(fc.array(fc.constantFrom(...HARMLESS), { maxLength: 40 }), (keys) => {
				const tui = openAsked();
				for (const key of keys) {
					tui.wait(LOOK_MS);
					tui.press(key);
				}
				expect(tui.wishes().filter(allows)).toEqual([]);
			}),
			{ numRuns: process.env.ROOST_SOAK === '1' ? 5_000 : 200 },
		);
	});

	it('keeps the request pending after Esc, whichever keys follow', () => {
		fc.assert(
			fc.property(
				fc.array(fc.constantFrom('esc', 'j', 'k', 'enter', 'y', 'n', 'x', 'e', 'm', 'G', 'tab'), { maxLength: 20 }),
				(keys) => {
					const tui = openAsked();
					tui.press('esc');
					for (const key of keys) {
						tui.wait(LOOK_MS);
						tui.press(key);
					}
					expect(tui.wishes().filter(({ type }) => type === 'approve')).toEqual([]);
					expect(tui.world().asks).toEqual([ASK]);
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

function allows(wish: ReturnType<HeadlessTui['wishes']>[number]): boolean {
	return wish.type === 'approve' && wish.answer.decision === 'allow';
}

/** Waits until the dialog accepts keys. */
function openAsked(ask: AskRow = ASK): HeadlessTui {
	const tui = openHeadlessTui(sampleWorld({ asks: [ask] }));
	tui.wait(LOOK_MS);
	return tui;
}

async function textOf(tui: HeadlessTui): Promise<string> {
	using terminal = await drawScene(tui.scene(), { columns: 100, rows: 30, ascii: true });
	return terminal.text();
}

/** Only the dialog, without the view above it. */
async function dialogText(tui: HeadlessTui): Promise<string> {
	using terminal = await drawScene(tui.scene(), { ascii: true });
	return /-- (?:Permission|Question) -[\s\S]*/.exec(terminal.text())?.[0] ?? '';
}
