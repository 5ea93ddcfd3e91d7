import { askId, projectId, sessionId } from '@roost/protocol/ids';
import { openDesk } from '@roost/testkit/rigs/desk-rig';
import { plainLook, toText } from '@roost/testkit/rigs/plain-look';
import { sampleSession } from '@roost/testkit/rigs/sample-append';
import { samplePermission, sampleQuestion, sampleWorld } from '@roost/testkit/rigs/sample-world';
import { describe, expect, it } from 'vitest';
import { waitingPane } from './waiting.ts';

const OTHER = sampleSession('z9z9', { projectId: projectId.parse('/home/lea/shop'), projectPath: '/home/lea/shop' });
const FIRST = samplePermission();
const SECOND = sampleQuestion({ id: askId.parse('z9z9.1'), sessionId: OTHER.id, openedAt: FIRST.openedAt + 1 });

function openWaiting() {
	const world = sampleWorld();
	const desk = openDesk({ ...world, sessions: [...world.sessions, OTHER], asks: [FIRST, SECOND] });
	desk.press('esc', 'w');
	const room = { width: 100, height: 12, look: plainLook() };
	return { desk, text: () => toText(waitingPane.draw(desk.scene().shell.panes.waiting, desk.world(), room).rows, 100) };
}

describe('what needs the user', () => {
	it('is one key away, of all projects, with the project and what is asked', () => {
		const { desk, text } = openWaiting();
		expect(desk.scene().shell).toMatchObject({ view: 'waiting', dialogs: [] });
		expect(text()).toContain('2 requests in all projects');
		expect(text()).toMatch(/project +k3f9 +Bash/);
		expect(text()).toMatch(/shop +z9z9 +What shall the check answer/);
		desk.press('esc');
		expect(desk.scene().shell.view).toBe('feed');
	});

	it('is decided from there, in sight of its session', () => {
		const { desk } = openWaiting();
		desk.press('down', 'enter');
		expect(desk.wishes()).toEqual([{ type: 'open-session', id: OTHER.id }]);
		expect(desk.scene().shell).toMatchObject({ view: 'feed', dialogs: ['question'], panes: { question: { ask: SECOND.id } } });
	});

	it('leads to its session', () => {
		const { desk } = openWaiting();
		desk.press('s');
		expect(desk.wishes()).toEqual([{ type: 'open-session', id: sessionId.parse('k3f9') }]);
		expect(desk.scene().shell).toMatchObject({ view: 'feed', dialogs: [] });
	});

	it('is nothing where nothing waits', () => {
		const { desk, text } = openWaiting();
		desk.tell({ asks: [] });
		desk.press('enter', 'down');
		expect(text()).toContain('Nothing needs you.');
	});
});
