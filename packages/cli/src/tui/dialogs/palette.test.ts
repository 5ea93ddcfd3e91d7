import { sampleSession } from '@roost/testkit/rigs/record/sample-append';
import { type HeadlessTui, openHeadlessTui } from '@roost/testkit/rigs/tui/headless-tui';
import { plainStyles, toText } from '@roost/testkit/rigs/tui/plain-styles';
import { sampleOpen, samplePast, samplePermission, sampleWorld } from '@roost/testkit/rigs/tui/sample-world';
import { describe, expect, it } from 'vitest';
import { focusOf } from '../shell/shell.ts';
import { COMMANDS } from './commands.ts';
import { complete, matches, meant, palettePane } from './palette.ts';

const ROOM = { width: 80, height: 14, styles: plainStyles() };

function run(tui: HeadlessTui, command: string): void {
	tui.press(':');
	tui.type(command);
	tui.press('enter');
}

function text(tui: HeadlessTui): string {
	return toText(palettePane.draw(tui.scene().shell.panes.palette, tui.world(), ROOM).rows, 80);
}

describe('the palette', () => {
	it.each(['feed', 'detail', 'tasks', 'actors', 'sessions', 'past', 'rules', 'stats'] as const)('goes to %s', (view) => {
		const tui = openHeadlessTui(sampleWorld());
		run(tui, view);
		expect(tui.scene().shell).toMatchObject({ view, dialogs: [] });
	});

	it.each(['help', 'search'] as const)('makes way for %s', (dialog) => {
		const tui = openHeadlessTui(sampleWorld());
		run(tui, dialog);
		expect(tui.scene().shell.dialogs).toEqual([dialog]);
	});

	it('opens what waits, or says that nothing does', () => {
		const tui = openHeadlessTui(sampleWorld());
		run(tui, 'ask');
		expect(text(tui)).toContain('No pending requests.');
		tui.press('esc');
		tui.tell({ asks: [samplePermission()] });
		tui.press('esc');
		run(tui, 'ask');
		expect(focusOf(tui.scene().shell)).toBe('permission');
	});

	it('looks for words, writes files, changes colours and quits', () => {
		const tui = openHeadlessTui(sampleWorld());
		run(tui, 'search two words');
		expect(tui.wishes()).toEqual([{ type: 'search', words: 'two words' }]);
		tui.press('esc');
		run(tui, 'export');
		run(tui, 'export my file.jsonl');
		expect(tui.wishes()).toEqual([{ type: 'export' }, { type: 'export', file: 'my file.jsonl' }]);
		expect(tui.scene().shell.dialogs).toEqual([]);
		run(tui, 'theme pink');
		expect(text(tui)).toContain('Themes: dark, light, high-contrast.');
	});

	it('ends a session that Roost drives, but not by one word', () => {
		const tui = openHeadlessTui(sampleWorld({ sessions: [sampleSession('k3f9', { driven: true })] }));
		run(tui, 'end');
		expect(text(tui)).toContain('Type "end now" to confirm');
		expect(tui.wishes()).toEqual([]);
		tui.press('esc');
		run(tui, 'end now');
		expect(tui.wishes()).toEqual([{ type: 'end-session', id: 'k3f9' }]);
		tui.tell({ sessions: [sampleSession('k3f9')] });
		run(tui, 'end now');
		expect(text(tui)).toContain('Roost only observes k3f9');
		expect(tui.wishes()).toEqual([]);
	});

	it('starts, stops, goes on with and branches off from sessions', () => {
		const tui = openHeadlessTui(sampleWorld());
		for (const command of ['new', 'new mock', 'new mock  fix the build', 'interrupt', 'resume', 'fork']) run(tui, command);
		expect(tui.wishes()).toEqual([
			{ type: 'new-session' },
			{ type: 'new-session', agent: 'mock' },
			{ type: 'new-session', agent: 'mock', prompt: 'fix the build' },
			{ type: 'interrupt', id: 'k3f9' },
			{ type: 'resume-session', id: 'k3f9' },
			{ type: 'fork-session', id: 'k3f9' },
		]);
		tui.tell({ open: null });
		run(tui, 'interrupt');
		expect(text(tui)).toContain('No session is open.');
	});

	it('moves the open session into a terminal and back', () => {
		const tui = openHeadlessTui(sampleWorld());
		run(tui, 'attach undo');
		expect(tui.wishes()).toEqual([{ type: 'take-back', id: 'k3f9' }]);
		run(tui, 'attach it');
		expect(text(tui)).toContain('Use "attach" or "attach undo".');
		expect(tui.wishes()).toEqual([]);
	});

	it('names the open session and puts it away', () => {
		const tui = openHeadlessTui(sampleWorld());
		for (const command of ['model opus', 'permissions plan', 'rename The slow login', 'archive', 'archive undo'])
			run(tui, command);
		expect(tui.wishes()).toEqual([
			{ type: 'adjust-session', id: 'k3f9', model: 'opus' },
			{ type: 'adjust-session', id: 'k3f9', permissionMode: 'plan' },
			{ type: 'rename-session', id: 'k3f9', title: 'The slow login' },
			{ type: 'archive-session', id: 'k3f9', archived: true },
			{ type: 'archive-session', id: 'k3f9', archived: false },
		]);
		for (const [command, sentence] of [
			['model', 'Name the one you want'],
			['rename', 'A title must have'],
			[`rename ${'x'.repeat(201)}`, 'A title must have'],
			['archive it', 'Use "archive" or "archive undo".'],
		] as const) {
			run(tui, command);
			expect(text(tui)).toContain(sentence);
			tui.press('esc');
		}
		expect(tui.wishes()).toEqual([]);
	});

	it('goes on with a past session that is read, and does nothing else to it', () => {
		const past = samplePast();
		const tui = openHeadlessTui(sampleWorld({ open: { ...sampleOpen([]), past } }));
		for (const command of ['interrupt', 'fork', 'attach undo', 'end now', 'rename it', 'archive']) {
			run(tui, command);
			expect(text(tui), command).toContain('is read-only. Use "resume" to continue it.');
			tui.press('esc');
		}
		run(tui, 'resume');
		expect(tui.wishes()).toEqual([{ type: 'resume-past', session: past }]);
	});

	it('says which agents there are where one is wanted that is not', () => {
		const tui = openHeadlessTui(sampleWorld());
		run(tui, 'new claude fix it');
		expect(text(tui)).toContain('This runner cannot start "claude": it has mock.');
		expect(tui.wishes()).toEqual([]);
		tui.tell({ agents: [] });
		tui.press('enter');
		expect(tui.wishes()).toEqual([{ type: 'new-session', agent: 'claude', prompt: 'fix it' }]);
	});

	it('lists and completes the models of the agent', () => {
		const tui = openHeadlessTui(sampleWorld({ open: sampleOpen([]), models: ['opus', 'sonnet'] }));
		tui.press(':');
		tui.type('model ');
		expect(text(tui)).toMatch(/ opus\n.* sonnet/);
		tui.type('s');
		tui.press('tab', 'enter');
		expect(tui.wishes()).toEqual([{ type: 'adjust-session', id: 'k3f9', model: 'sonnet' }]);
	});

	it('knows the agents that can be started, and says of each whether it is guarded', () => {
		const asleep = 'permission hook test failed: the guard was never asked';
		const agents = [
			{ id: 'claude', guard: asleep },
			{ id: 'mock', guard: 'guarded' },
		];
		const tui = openHeadlessTui(sampleWorld({ agents }));
		tui.press(':');
		tui.type('new ');
		expect(text(tui)).toMatch(/claude +permission hook test failed/);
		expect(text(tui)).toMatch(/mock +guarded/);
		tui.type('m');
		tui.press('tab', 'enter');
		expect(tui.wishes()).toEqual([{ type: 'new-session', agent: 'mock' }]);
	});

	it('opens a session by its id', () => {
		const tui = openHeadlessTui(sampleWorld());
		run(tui, 'open nope');
		expect(text(tui)).toContain('Session nope not found.');
		tui.press('ctrl+u');
		tui.type('open m');
		tui.press('tab', 'enter');
		expect(tui.wishes()).toEqual([{ type: 'open-session', id: 'm2x7' }]);
		expect(focusOf(tui.scene().shell)).toBe('feed');
	});

	it('runs what is clear, and says what it could be otherwise', () => {
		const tui = openHeadlessTui(sampleWorld());
		run(tui, 'st');
		expect(tui.scene().shell.view).toBe('stats');
		run(tui, 's');
		expect(text(tui)).toContain('"s" could be sessions, stats, search, show.');
		tui.press('esc');
		run(tui, 'flarb');
		for (const { name } of COMMANDS) expect.soft(text(tui)).toContain(name);
	});

	it('remembers what was run, each once, and walks through it', () => {
		const tui = openHeadlessTui(sampleWorld());
		for (const command of ['tasks', 'stats', 'tasks']) run(tui, command);
		expect(tui.scene().shell.panes.palette.history).toEqual(['stats', 'tasks']);
		tui.press(':', 'up');
		expect(text(tui)).toMatch(/^ :tasks$/m);
		tui.press('up');
		expect(text(tui)).toMatch(/^ :stats$/m);
		tui.press('up', 'down', 'down', 'down');
		expect(text(tui)).toMatch(/^ :$/m);
	});

	it('is left with Esc, with nothing typed, and by deleting further', () => {
		const tui = openHeadlessTui(sampleWorld());
		for (const key of ['esc', 'enter', 'backspace']) {
			tui.press(':', key);
			expect(tui.scene().shell.dialogs, key).toEqual([]);
		}
	});

	it('takes what is pasted as one line', () => {
		const tui = openHeadlessTui(sampleWorld());
		tui.press(':');
		tui.paste('search a\nb');
		tui.press('enter');
		expect(tui.wishes()).toEqual([{ type: 'search', words: 'a b' }]);
	});
});

describe('completing a command', () => {
	const world = sampleWorld();

	it.each([
		['t', 't'],
		['ta', 'tasks'],
		['th', 'theme '],
		['se', 'se'],
		['sea', 'search '],
		['theme l', 'theme light'],
		['theme ', 'theme '],
		['open k', 'open k3f9'],
		['xyz', 'xyz'],
		['tsk', 'tasks'],
	])('makes %j %j', (typed, expected) => {
		expect(complete(typed, world)).toBe(expected);
	});

	it('puts what starts so before what has these letters', () => {
		expect(matches('re').map(({ name }) => name)).toEqual(['resume', 'rename', 'refresh', 'rules', 'archive']);
		expect(matches('sr').map(({ name }) => name)).toEqual(['search']);
		expect(matches('')).toEqual(COMMANDS);
	});

	it('knows every command by its name, whatever its case, because none is the start of another', () => {
		for (const command of COMMANDS) expect.soft(meant(command.name.toUpperCase())).toBe(command);
	});
});
