import { type DeskRig, openDesk } from '@roost/testkit/rigs/desk-rig';
import { plainLook, toText } from '@roost/testkit/rigs/plain-look';
import { sampleSession } from '@roost/testkit/rigs/sample-append';
import { sampleOpen, samplePast, samplePermission, sampleWorld } from '@roost/testkit/rigs/sample-world';
import { describe, expect, it } from 'vitest';
import { focusOf } from '../shell/shell.ts';
import { COMMANDS } from './commands.ts';
import { complete, matches, meant } from './match-command.ts';
import { palettePane } from './palette.ts';

const ROOM = { width: 80, height: 14, look: plainLook() };

function run(desk: DeskRig, command: string): void {
	desk.press(':');
	desk.type(command);
	desk.press('enter');
}

function text(desk: DeskRig): string {
	return toText(palettePane.draw(desk.scene().shell.panes.palette, desk.world(), ROOM).rows, 80);
}

describe('the palette', () => {
	it.each(['feed', 'detail', 'tasks', 'actors', 'sessions', 'past', 'rules', 'stats'] as const)('goes to %s', (view) => {
		const desk = openDesk(sampleWorld());
		run(desk, view);
		expect(desk.scene().shell).toMatchObject({ view, dialogs: [] });
	});

	it.each(['help', 'search'] as const)('makes way for %s', (dialog) => {
		const desk = openDesk(sampleWorld());
		run(desk, dialog);
		expect(desk.scene().shell.dialogs).toEqual([dialog]);
	});

	it('opens what waits, or says that nothing does', () => {
		const desk = openDesk(sampleWorld());
		run(desk, 'ask');
		expect(text(desk)).toContain('Nothing waits for you.');
		desk.press('esc');
		desk.tell({ asks: [samplePermission()] });
		desk.press('esc');
		run(desk, 'ask');
		expect(focusOf(desk.scene().shell)).toBe('permission');
	});

	it('looks for words, writes files, changes colours and quits', () => {
		const desk = openDesk(sampleWorld());
		run(desk, 'search two words');
		expect(desk.wishes()).toEqual([{ type: 'search', words: 'two words' }]);
		desk.press('esc');
		run(desk, 'export');
		run(desk, 'export my file.jsonl');
		expect(desk.wishes()).toEqual([{ type: 'export' }, { type: 'export', file: 'my file.jsonl' }]);
		expect(desk.scene().shell.dialogs).toEqual([]);
		run(desk, 'theme pink');
		expect(text(desk)).toContain('There are the themes dark, light, high-contrast.');
	});

	it('ends a session that Roost drives, but not by one word', () => {
		const desk = openDesk(sampleWorld({ sessions: [sampleSession('k3f9', { driven: true })] }));
		run(desk, 'end');
		expect(text(desk)).toContain('type "end now" to do it');
		expect(desk.wishes()).toEqual([]);
		desk.press('esc');
		run(desk, 'end now');
		expect(desk.wishes()).toEqual([{ type: 'end-session', id: 'k3f9' }]);
		desk.tell({ sessions: [sampleSession('k3f9')] });
		run(desk, 'end now');
		expect(text(desk)).toContain('Roost only looks at k3f9');
		expect(desk.wishes()).toEqual([]);
	});

	it('starts, stops, goes on with and branches off from sessions', () => {
		const desk = openDesk(sampleWorld());
		for (const command of ['new', 'new mock', 'new mock  fix the build', 'interrupt', 'resume', 'fork']) run(desk, command);
		expect(desk.wishes()).toEqual([
			{ type: 'new-session' },
			{ type: 'new-session', agent: 'mock' },
			{ type: 'new-session', agent: 'mock', prompt: 'fix the build' },
			{ type: 'interrupt', id: 'k3f9' },
			{ type: 'resume-session', id: 'k3f9' },
			{ type: 'fork-session', id: 'k3f9' },
		]);
		desk.tell({ open: null });
		run(desk, 'interrupt');
		expect(text(desk)).toContain('No session is open.');
	});

	it('moves the open session into a terminal and back', () => {
		const desk = openDesk(sampleWorld());
		run(desk, 'attach undo');
		expect(desk.wishes()).toEqual([{ type: 'take-back', id: 'k3f9' }]);
		run(desk, 'attach it');
		expect(text(desk)).toContain('There is "attach" and "attach undo".');
		expect(desk.wishes()).toEqual([]);
	});

	it('names the open session and puts it away', () => {
		const desk = openDesk(sampleWorld());
		for (const command of ['model opus', 'permissions plan', 'rename The slow login', 'archive', 'archive undo'])
			run(desk, command);
		expect(desk.wishes()).toEqual([
			{ type: 'adjust-session', id: 'k3f9', model: 'opus' },
			{ type: 'adjust-session', id: 'k3f9', permissionMode: 'plan' },
			{ type: 'rename-session', id: 'k3f9', title: 'The slow login' },
			{ type: 'archive-session', id: 'k3f9', archived: true },
			{ type: 'archive-session', id: 'k3f9', archived: false },
		]);
		for (const [command, sentence] of [
			['model', 'Name the one you want'],
			['rename', 'Say the title'],
			[`rename ${'x'.repeat(201)}`, 'Say the title'],
			['archive it', 'There is "archive" and "archive undo".'],
		] as const) {
			run(desk, command);
			expect(text(desk)).toContain(sentence);
			desk.press('esc');
		}
		expect(desk.wishes()).toEqual([]);
	});

	it('goes on with a past session that is read, and does nothing else to it', () => {
		const past = samplePast();
		const desk = openDesk(sampleWorld({ open: { ...sampleOpen([]), past } }));
		for (const command of ['interrupt', 'fork', 'attach undo', 'end now', 'rename it', 'archive']) {
			run(desk, command);
			expect(text(desk), command).toContain('only read here: "resume" goes on with it.');
			desk.press('esc');
		}
		run(desk, 'resume');
		expect(desk.wishes()).toEqual([{ type: 'resume-past', session: past }]);
	});

	it('says which agents there are where one is wanted that is not', () => {
		const desk = openDesk(sampleWorld());
		run(desk, 'new claude fix it');
		expect(text(desk)).toContain('This runner cannot start "claude": it has mock.');
		expect(desk.wishes()).toEqual([]);
		desk.tell({ agents: [] });
		desk.press('enter');
		expect(desk.wishes()).toEqual([{ type: 'new-session', agent: 'claude', prompt: 'fix it' }]);
	});

	it('lists and completes the models of the agent', () => {
		const desk = openDesk(sampleWorld({ open: sampleOpen([]), models: ['opus', 'sonnet'] }));
		desk.press(':');
		desk.type('model ');
		expect(text(desk)).toMatch(/ opus\n.* sonnet/);
		desk.type('s');
		desk.press('tab', 'enter');
		expect(desk.wishes()).toEqual([{ type: 'adjust-session', id: 'k3f9', model: 'sonnet' }]);
	});

	it('knows the agents that can be started, and says of each whether it is guarded', () => {
		const asleep = 'permission hook test failed: the guard was never asked';
		const agents = [
			{ id: 'claude', guard: asleep },
			{ id: 'mock', guard: 'guarded' },
		];
		const desk = openDesk(sampleWorld({ agents }));
		desk.press(':');
		desk.type('new ');
		expect(text(desk)).toMatch(/claude +permission hook test failed/);
		expect(text(desk)).toMatch(/mock +guarded/);
		desk.type('m');
		desk.press('tab', 'enter');
		expect(desk.wishes()).toEqual([{ type: 'new-session', agent: 'mock' }]);
	});

	it('opens a session by its id', () => {
		const desk = openDesk(sampleWorld());
		run(desk, 'open nope');
		expect(text(desk)).toContain('There is no session nope.');
		desk.press('ctrl+u');
		desk.type('open m');
		desk.press('tab', 'enter');
		expect(desk.wishes()).toEqual([{ type: 'open-session', id: 'm2x7' }]);
		expect(focusOf(desk.scene().shell)).toBe('feed');
	});

	it('runs what is clear, and says what it could be otherwise', () => {
		const desk = openDesk(sampleWorld());
		run(desk, 'st');
		expect(desk.scene().shell.view).toBe('stats');
		run(desk, 's');
		expect(text(desk)).toContain('"s" could be sessions, stats, search, show.');
		desk.press('esc');
		run(desk, 'flarb');
		for (const { name } of COMMANDS) expect.soft(text(desk)).toContain(name);
	});

	it('remembers what was run, each once, and walks through it', () => {
		const desk = openDesk(sampleWorld());
		for (const command of ['tasks', 'stats', 'tasks']) run(desk, command);
		expect(desk.scene().shell.panes.palette.history).toEqual(['stats', 'tasks']);
		desk.press(':', 'up');
		expect(text(desk)).toMatch(/^ :tasks$/m);
		desk.press('up');
		expect(text(desk)).toMatch(/^ :stats$/m);
		desk.press('up', 'down', 'down', 'down');
		expect(text(desk)).toMatch(/^ :$/m);
	});

	it('is left with Esc, with nothing typed, and by deleting further', () => {
		const desk = openDesk(sampleWorld());
		for (const key of ['esc', 'enter', 'backspace']) {
			desk.press(':', key);
			expect(desk.scene().shell.dialogs, key).toEqual([]);
		}
	});

	it('takes what is pasted as one line', () => {
		const desk = openDesk(sampleWorld());
		desk.press(':');
		desk.paste('search a\nb');
		desk.press('enter');
		expect(desk.wishes()).toEqual([{ type: 'search', words: 'a b' }]);
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
