import { projectId, sessionId } from '@roost/protocol/ids';
import { openDesk } from '@roost/testkit/rigs/desk-rig';
import { plainLook, toText } from '@roost/testkit/rigs/plain-look';
import { sampleSession } from '@roost/testkit/rigs/sample-append';
import { samplePermission, sampleWorld } from '@roost/testkit/rigs/sample-world';
import { describe, expect, it } from 'vitest';
import { focusOf } from '../shell/shell.ts';
import { sessionsPane } from './sessions.ts';

const ROOM = { width: 80, height: 12, look: plainLook() };

function openSessions() {
	const elsewhere = sampleSession('p9q1', { projectId: projectId.parse('/other'), projectPath: '/other', title: 'Paint it' });
	const world = sampleWorld();
	const desk = openDesk({ ...world, sessions: [...world.sessions, elsewhere] });
	desk.press(':', ...'sessions', 'enter');
	return { desk, text: () => toText(sessionsPane.draw(desk.scene().shell.panes.sessions, desk.world(), ROOM).rows, 80) };
}

describe('the sessions', () => {
	it('are read again while somebody looks at them', () => {
		const { desk } = openSessions();
		expect(desk.wishes()).toEqual([]);
		desk.wait(3_000);
		expect(desk.wishes()).toEqual([{ type: 'refresh-sessions' }]);
	});

	it('are those of this project, or of all', () => {
		const { desk, text } = openSessions();
		expect(text()).toContain('2 sessions of project');
		expect(text()).not.toContain('Paint it');
		desk.press('p');
		expect(text()).toContain('3 sessions of all projects');
		expect(text()).toContain('Paint it');
		desk.press('p');
		expect(text()).not.toContain('Paint it');
	});

	it('are filtered as one types, by all of the words, and come back with Esc', () => {
		const { desk, text } = openSessions();
		desk.press('p', '/');
		desk.type('PAINT oth');
		expect(text()).toContain('1 session of all projects');
		desk.type('x');
		expect(text()).toContain('No session has these words.');
		desk.press('backspace', 'esc');
		expect(text()).toContain('3 sessions');
		expect(desk.scene().shell.view).toBe('sessions');
		desk.press('esc');
		expect(desk.scene().shell.view).toBe('feed');
	});

	it('take letters as text only while one types', () => {
		const { desk } = openSessions();
		desk.press('/');
		desk.type('qp');
		expect(desk.scene().shell.panes.sessions.filter.text).toBe('qp');
		expect(desk.scene().shell.panes.sessions.everywhere).toBe(false);
	});

	it('keep the cursor on the line however much is typed', () => {
		const { desk } = openSessions();
		desk.press('/');
		desk.paste('宽'.repeat(60));
		const { cursor } = sessionsPane.draw(desk.scene().shell.panes.sessions, desk.world(), ROOM);
		expect(cursor).toEqual({ line: 0, column: 79 });
	});

	it('open with Enter, with the feed anew', () => {
		const { desk } = openSessions();
		desk.wishes();
		desk.press('down', 'enter');
		expect(desk.wishes()).toEqual([{ type: 'open-session', id: 'm2x7' }]);
		expect(focusOf(desk.scene().shell)).toBe('feed');
		expect(desk.scene().shell.panes.feed.following).toBe(true);
	});

	it('open the one that is chosen among those that are shown', () => {
		const { desk } = openSessions();
		desk.wishes();
		desk.press('p', '/');
		desk.type('paint');
		desk.press('enter');
		expect(desk.wishes()).toEqual([{ type: 'open-session', id: 'p9q1' }]);
	});

	it('do not open again what is open', () => {
		const { desk } = openSessions();
		desk.wishes();
		desk.press('enter');
		expect(desk.wishes()).toEqual([]);
		expect(desk.scene().shell.view).toBe('feed');
	});

	it('are gone on with and branched off from', () => {
		const { desk } = openSessions();
		desk.wishes();
		desk.press('down', 'R', 'F');
		const id = sessionId.parse('m2x7');
		expect(desk.wishes()).toEqual([
			{ type: 'resume-session', id },
			{ type: 'fork-session', id },
		]);
	});

	it('are given another title in place', () => {
		const { desk, text } = openSessions();
		desk.wishes();
		desk.press('down', 'r');
		expect(text()).toContain('A title for m2x7');
		const cursor = () => sessionsPane.draw(desk.scene().shell.panes.sessions, desk.world(), ROOM).cursor;
		const before = text().split('\n')[3]?.indexOf('Why is the login slow?') ?? 0;
		expect(cursor()).toEqual({ line: 3, column: before + 'Why is the login slow?'.length });
		desk.press('ctrl+u');
		desk.type('qx ');
		desk.paste('slow\nlogin');
		expect(text()).toMatch(/m2x7 .* qx slow login/);
		desk.press('enter');
		expect(desk.wishes()).toEqual([{ type: 'rename-session', id: 'm2x7', title: 'qx slow login' }]);
		expect(cursor()).toBeUndefined();
	});

	it('keep their title with Esc, and take none without words or without end', () => {
		const { desk, text } = openSessions();
		desk.wishes();
		desk.press('r', 'ctrl+u', 'enter');
		expect(desk.scene().notice).toContain('A title has some words');
		desk.paste('x'.repeat(201));
		expect(desk.scene().shell.panes.sessions.renaming?.field.text).toBe('');
		desk.paste('宽'.repeat(200));
		expect(sessionsPane.draw(desk.scene().shell.panes.sessions, desk.world(), ROOM).cursor?.column).toBeLessThan(80);
		desk.press('esc');
		expect(text()).toContain('Make the health check honest');
		expect(desk.wishes()).toEqual([]);
		expect(desk.scene().shell.view).toBe('sessions');
	});

	it('that were put away are seen when somebody wants to, and taken out again', () => {
		const desk = openDesk(
			sampleWorld({ sessions: [sampleSession('a1'), sampleSession('b2', { archived: true, title: 'Old' })] }),
		);
		const text = () => toText(sessionsPane.draw(desk.scene().shell.panes.sessions, desk.world(), ROOM).rows, 80);
		desk.press(':', ...'sessions', 'enter');
		desk.wishes();
		expect(text()).toContain('1 session of project');
		expect(text()).not.toContain('Old');
		desk.press('A', 'v', 'down', 'A');
		expect(text()).toContain('2 sessions of project, with those put away');
		expect(text()).toMatch(/b2 .*put away {2}Old/);
		expect(desk.wishes()).toEqual([
			{ type: 'archive-session', id: 'a1', archived: true },
			{ type: 'archive-session', id: 'b2', archived: false },
		]);
		desk.tell({ sessions: [sampleSession('a1', { archived: true })] });
		desk.press('v');
		expect(text()).toContain('All of them are put away: press v to see them.');
	});

	it('leave the key that decides what waits to what waits', () => {
		const { desk } = openSessions();
		desk.tell({ asks: [samplePermission()] });
		desk.press('esc');
		desk.wishes();
		desk.press('a');
		expect(focusOf(desk.scene().shell)).toBe('permission');
		expect(desk.wishes()).toEqual([]);
	});

	it('are ended only where Roost drives them, and only after a yes', () => {
		const driven = sampleSession('d1v3', { driven: true });
		const desk = openDesk(sampleWorld({ sessions: [driven, sampleSession('e2n4', { driven: true, status: 'ended' })] }));
		const head = () => toText(sessionsPane.draw(desk.scene().shell.panes.sessions, desk.world(), ROOM).rows.slice(0, 1), 80);
		desk.press(':', ...'sessions', 'enter');
		desk.wishes();
		desk.press('x');
		expect(head()).toContain('End d1v3 for good');
		desk.press('n');
		expect(head()).toContain('2 sessions');
		desk.press('y');
		expect(desk.wishes()).toEqual([]);
		desk.press('x', 'y');
		expect(desk.wishes()).toEqual([{ type: 'end-session', id: 'd1v3' }]);
		desk.press('down', 'x');
		expect(desk.scene().notice).toBe('e2n4 has ended already.');
		expect(desk.wishes()).toEqual([]);
	});

	it('that Roost only looks at are ended where they run', () => {
		const { desk } = openSessions();
		desk.wishes();
		desk.press('x');
		expect(desk.scene().notice).toBe('Roost only looks at k3f9: end it in the terminal where it runs.');
		desk.press('y');
		expect(desk.wishes()).toEqual([]);
	});

	it('say what to do where there are none', () => {
		const none = sampleWorld({ sessions: [], open: null });
		expect(toText(sessionsPane.draw(sessionsPane.start(none), none, ROOM).rows, 80)).toContain('in another terminal with');
		const elsewhere = sampleWorld({ project: { id: projectId.parse('/new'), path: '/new' }, open: null });
		expect(toText(sessionsPane.draw(sessionsPane.start(elsewhere), elsewhere, ROOM).rows, 80)).toContain('press p to see');
	});
});
