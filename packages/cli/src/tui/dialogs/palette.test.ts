import { sampleSession } from '@roost/testkit/rigs/record/sample-append';
import { type HeadlessTui, openHeadlessTui } from '@roost/testkit/rigs/tui/headless-tui';
import { plainStyles, toText } from '@roost/testkit/rigs/tui/plain-styles';
import { sampleHub, sampleOpen, samplePast, samplePermission, sampleWorld } from '@roost/testkit/rigs/tui/sample-world';
import { describe, expect, it } from 'vitest';
import { focusOf } from '../shell/shell.ts';
import { commandsIn } from './commands.ts';
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

describe('command palette', () => {
	it.each(['feed', 'detail', 'tasks', 'actors', 'sessions', 'past', 'rules', 'stats'] as const)('opens the %s view', (view) => {
		const tui = openHeadlessTui(sampleWorld());
		run(tui, view);
		expect(tui.scene().shell).toMatchObject({ view, dialogs: [] });
	});

	it.each(['help', 'search'] as const)('closes and opens the %s dialog', (dialog) => {
		const tui = openHeadlessTui(sampleWorld());
		run(tui, dialog);
		expect(tui.scene().shell.dialogs).toEqual([dialog]);
	});

	it('opens the pending request or reports that there is none', () => {
		const tui = openHeadlessTui(sampleWorld());
		run(tui, 'ask');
		expect(text(tui)).toContain('No pending requests.');
		tui.press('esc');
		tui.report({ asks: [samplePermission()] });
		tui.press('esc');
		run(tui, 'ask');
		expect(focusOf(tui.scene().shell)).toBe('permission');
	});

	it('searches, exports, and lists the themes for an unknown one', () => {
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

	it('ends only driven sessions, and only with "end now"', () => {
		const tui = openHeadlessTui(sampleWorld({ sessions: [sampleSession('k3f9', { driven: true })] }));
		run(tui, 'end');
		expect(text(tui)).toContain('Type "end now" to confirm');
		expect(tui.wishes()).toEqual([]);
		tui.press('esc');
		run(tui, 'end now');
		expect(tui.wishes()).toEqual([{ type: 'end-session', id: 'k3f9' }]);
		tui.report({ sessions: [sampleSession('k3f9')] });
		run(tui, 'end now');
		expect(text(tui)).toContain('Roost only observes k3f9');
		expect(tui.wishes()).toEqual([]);
	});

	it('starts, interrupts, resumes and forks sessions', () => {
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
		tui.report({ open: null });
		run(tui, 'interrupt');
		expect(text(tui)).toContain('No session is open.');
	});

	it('moves the open session back from a terminal and rejects unknown attach arguments', () => {
		const tui = openHeadlessTui(sampleWorld());
		run(tui, 'attach undo');
		expect(tui.wishes()).toEqual([{ type: 'take-back', id: 'k3f9' }]);
		run(tui, 'attach it');
		expect(text(tui)).toContain('Use "attach" or "attach undo".');
		expect(tui.wishes()).toEqual([]);
	});

	it('adjusts, renames and archives the open session and rejects invalid arguments', () => {
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

	it('resumes a past session and rejects all other commands on it', () => {
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

	it('rejects an unknown agent and lists the known ones, unless none are known', () => {
		const tui = openHeadlessTui(sampleWorld());
		run(tui, 'new claude fix it');
		expect(text(tui)).toContain('This runner cannot start "claude": it has mock.');
		expect(tui.wishes()).toEqual([]);
		tui.report({ agents: [] });
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

	it('lists and completes the available agents with their guard status', () => {
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

	it('runs an unambiguous prefix and otherwise lists the candidates', () => {
		const tui = openHeadlessTui(sampleWorld());
		run(tui, 'st');
		expect(tui.scene().shell.view).toBe('stats');
		run(tui, 's');
		expect(text(tui)).toContain('"s" could be sessions, stats, search, show.');
		tui.press('esc');
		run(tui, 'flarb');
		for (const { name } of commandsIn(tui.world())) expect.soft(text(tui)).toContain(name);
	});

	it('keeps a history without duplicates, browsed with Up and Down', () => {
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

	it('closes on Esc, and on Enter or Backspace when empty', () => {
		const tui = openHeadlessTui(sampleWorld());
		for (const key of ['esc', 'enter', 'backspace']) {
			tui.press(':', key);
			expect(tui.scene().shell.dialogs, key).toEqual([]);
		}
	});

	it('turns pasted text into one line', () => {
		const tui = openHeadlessTui(sampleWorld());
		tui.press(':');
		tui.paste('search a\nb');
		tui.press('enter');
		expect(tui.wishes()).toEqual([{ type: 'search', words: 'a b' }]);
	});
});

describe('command completion', () => {
	const world = sampleWorld();
	const atHub = sampleWorld(sampleHub());

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
	])('completes %j to %j', (typed, expected) => {
		expect(complete(typed, world)).toBe(expected);
	});

	it('ranks prefix matches before other matches', () => {
		expect(matches('re', sampleWorld()).map(({ name }) => name)).toEqual(['resume', 'rename', 'refresh', 'rules', 'archive']);
		expect(matches('sr', sampleWorld()).map(({ name }) => name)).toEqual(['search']);
		expect(matches('', sampleWorld())).toEqual(commandsIn(sampleWorld()));
	});

	it('has the runners only at a hub', () => {
		expect(matches('runners', world)).toEqual([]);
		const tui = openHeadlessTui(atHub);
		run(tui, 'runners');
		expect(tui.scene().shell.view).toBe('runners');
	});

	it('resolves every full command name in upper case', () => {
		for (const command of commandsIn(atHub)) expect.soft(meant(command.name.toUpperCase(), atHub)).toBe(command);
	});
});
