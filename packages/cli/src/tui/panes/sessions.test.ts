import type { World } from '@roost/client/world/world';
import { projectId, sessionId } from '@roost/protocol/ids';
import { sampleSession } from '@roost/testkit/rigs/record/sample-append';
import { openHeadlessTui } from '@roost/testkit/rigs/tui/headless-tui';
import { plainStyles, toText } from '@roost/testkit/rigs/tui/plain-styles';
import { sampleHub, samplePermission, sampleWorld } from '@roost/testkit/rigs/tui/sample-world';
import { describe, expect, it } from 'vitest';
import { focusOf } from '../shell/shell.ts';
import { sessionsPane } from './sessions.ts';

const ROOM = { width: 80, height: 12, styles: plainStyles() };

function openSessions(over: Partial<World> = {}) {
	const elsewhere = sampleSession('p9q1', { projectId: projectId.parse('/other'), projectPath: '/other', title: 'Paint it' });
	const world = sampleWorld();
	const tui = openHeadlessTui({ ...world, ...over, sessions: [...world.sessions, elsewhere] });
	tui.press(':', ...'sessions', 'enter');
	return { tui, text: () => toText(sessionsPane.draw(tui.scene().shell.panes.sessions, tui.world(), ROOM).rows, 80) };
}

describe('sessions pane', () => {
	it('refreshes the list while it is open', () => {
		const { tui } = openSessions();
		expect(tui.wishes()).toEqual([]);
		tui.wait(3_000);
		expect(tui.wishes()).toEqual([{ type: 'refresh-sessions' }]);
	});

	it('lists the sessions of this project or of all projects', () => {
		const { tui, text } = openSessions();
		expect(text()).toContain('2 sessions of project');
		expect(text()).not.toContain('Paint it');
		tui.press('p');
		expect(text()).toContain('3 sessions of all projects');
		expect(text()).toContain('Paint it');
		tui.press('p');
		expect(text()).not.toContain('Paint it');
	});

	it('starts with all projects at a hub, whose folders are on another machine', () => {
		const { tui, text } = openSessions(sampleHub());
		expect(text()).toContain('3 sessions of all projects');
		tui.press('p');
		expect(text()).toContain('2 sessions of project');
	});

	it('filters by all words while typing and clears the filter with Esc', () => {
		const { tui, text } = openSessions();
		tui.press('p', '/');
		tui.type('PAINT oth');
		expect(text()).toContain('1 session of all projects');
		tui.type('x');
		expect(text()).toContain('No session matches.');
		tui.press('backspace', 'esc');
		expect(text()).toContain('3 sessions');
		expect(tui.scene().shell.view).toBe('sessions');
		tui.press('esc');
		expect(tui.scene().shell.view).toBe('feed');
	});

	it('treats letters as text while typing a filter', () => {
		const { tui } = openSessions();
		tui.press('/');
		tui.type('qp');
		expect(tui.scene().shell.panes.sessions.filter.text).toBe('qp');
		expect(tui.scene().shell.panes.sessions.everywhere).toBe(false);
	});

	it('keeps the cursor on the line however long the filter is', () => {
		const { tui } = openSessions();
		tui.press('/');
		tui.paste('宽'.repeat(60));
		const { cursor } = sessionsPane.draw(tui.scene().shell.panes.sessions, tui.world(), ROOM);
		expect(cursor).toEqual({ line: 0, column: 79 });
	});

	it('opens a session with Enter and follows its feed', () => {
		const { tui } = openSessions();
		tui.wishes();
		tui.press('down', 'enter');
		expect(tui.wishes()).toEqual([{ type: 'open-session', id: 'm2x7' }]);
		expect(focusOf(tui.scene().shell)).toBe('feed');
		expect(tui.scene().shell.panes.feed.following).toBe(true);
	});

	it('opens the selected session of a filtered list', () => {
		const { tui } = openSessions();
		tui.wishes();
		tui.press('p', '/');
		tui.type('paint');
		tui.press('enter');
		expect(tui.wishes()).toEqual([{ type: 'open-session', id: 'p9q1' }]);
	});

	it('does not reopen the open session', () => {
		const { tui } = openSessions();
		tui.wishes();
		tui.press('enter');
		expect(tui.wishes()).toEqual([]);
		expect(tui.scene().shell.view).toBe('feed');
	});

	it('resumes and forks the selected session', () => {
		const { tui } = openSessions();
		tui.wishes();
		tui.press('down', 'R', 'F');
		const id = sessionId.parse('m2x7');
		expect(tui.wishes()).toEqual([
			{ type: 'resume-session', id },
			{ type: 'fork-session', id },
		]);
	});

	it('renames a session in place', () => {
		const { tui, text } = openSessions();
		tui.wishes();
		tui.press('down', 'r');
		expect(text()).toContain('Title for m2x7');
		const cursor = () => sessionsPane.draw(tui.scene().shell.panes.sessions, tui.world(), ROOM).cursor;
		const before = text().split('\n')[3]?.indexOf('Why is the login slow?') ?? 0;
		expect(cursor()).toEqual({ line: 3, column: before + 'Why is the login slow?'.length });
		tui.press('ctrl+u');
		tui.type('qx ');
		tui.paste('slow\nlogin');
		expect(text()).toMatch(/m2x7 .* qx slow login/);
		tui.press('enter');
		expect(tui.wishes()).toEqual([{ type: 'rename-session', id: 'm2x7', title: 'qx slow login' }]);
		expect(cursor()).toBeUndefined();
	});

	it('keeps the title on Esc and rejects empty or overlong titles', () => {
		const { tui, text } = openSessions();
		tui.wishes();
		tui.press('r', 'ctrl+u', 'enter');
		expect(tui.scene().notice).toContain('A title must have');
		tui.paste('x'.repeat(201));
		expect(tui.scene().shell.panes.sessions.renaming?.field.text).toBe('');
		tui.paste('宽'.repeat(200));
		expect(sessionsPane.draw(tui.scene().shell.panes.sessions, tui.world(), ROOM).cursor?.column).toBeLessThan(80);
		tui.press('esc');
		expect(text()).toContain('Make the health check honest');
		expect(tui.wishes()).toEqual([]);
		expect(tui.scene().shell.view).toBe('sessions');
	});

	it('archives sessions, shows archived ones on request and restores them', () => {
		const tui = openHeadlessTui(
			sampleWorld({ sessions: [sampleSession('a1'), sampleSession('b2', { archived: true, title: 'Old' })] }),
		);
		const text = () => toText(sessionsPane.draw(tui.scene().shell.panes.sessions, tui.world(), ROOM).rows, 80);
		tui.press(':', ...'sessions', 'enter');
		tui.wishes();
		expect(text()).toContain('1 session of project');
		expect(text()).not.toContain('Old');
		tui.press('A', 'v', 'down', 'A');
		expect(text()).toContain('2 sessions of project, including archived');
		expect(text()).toMatch(/b2 .*archived {2}Old/);
		expect(tui.wishes()).toEqual([
			{ type: 'archive-session', id: 'a1', archived: true },
			{ type: 'archive-session', id: 'b2', archived: false },
		]);
		tui.report({ sessions: [sampleSession('a1', { archived: true })] });
		tui.press('v');
		expect(text()).toContain('All sessions are archived. Press v to show them.');
	});

	it('leaves the key "a" to pending requests', () => {
		const { tui } = openSessions();
		tui.report({ asks: [samplePermission()] });
		tui.press('esc');
		tui.wishes();
		tui.press('a');
		expect(focusOf(tui.scene().shell)).toBe('permission');
		expect(tui.wishes()).toEqual([]);
	});

	it('ends a driven session only after confirmation, and not if it has already ended', () => {
		const driven = sampleSession('d1v3', { driven: true });
		const tui = openHeadlessTui(sampleWorld({ sessions: [driven, sampleSession('e2n4', { driven: true, status: 'ended' })] }));
		const head = () => toText(sessionsPane.draw(tui.scene().shell.panes.sessions, tui.world(), ROOM).rows.slice(0, 1), 80);
		tui.press(':', ...'sessions', 'enter');
		tui.wishes();
		tui.press('x');
		expect(head()).toContain('End d1v3 and the current work of its agent');
		tui.press('n');
		expect(head()).toContain('2 sessions');
		tui.press('y');
		expect(tui.wishes()).toEqual([]);
		tui.press('x', 'y');
		expect(tui.wishes()).toEqual([{ type: 'end-session', id: 'd1v3' }]);
		tui.press('down', 'x');
		expect(tui.scene().notice).toBe('e2n4 has already ended.');
		expect(tui.wishes()).toEqual([]);
	});

	it('refuses to end an observed session', () => {
		const { tui } = openSessions();
		tui.wishes();
		tui.press('x');
		expect(tui.scene().notice).toBe('Roost only observes k3f9. End it in its own terminal.');
		tui.press('y');
		expect(tui.wishes()).toEqual([]);
	});

	it('explains what to do when there are no sessions', () => {
		const none = sampleWorld({ sessions: [], open: null });
		expect(toText(sessionsPane.draw(sessionsPane.start(none), none, ROOM).rows, 80)).toContain('in another terminal with');
		const elsewhere = sampleWorld({ project: { path: '/new' }, open: null });
		expect(toText(sessionsPane.draw(sessionsPane.start(elsewhere), elsewhere, ROOM).rows, 80)).toContain('press p to see');
	});
});
