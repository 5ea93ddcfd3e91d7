import { askId, projectId, sessionId } from '@roost/protocol/ids';
import { sampleSession } from '@roost/testkit/rigs/record/sample-append';
import { openHeadlessTui } from '@roost/testkit/rigs/tui/headless-tui';
import { plainStyles, toText } from '@roost/testkit/rigs/tui/plain-styles';
import { sampleHub, samplePermission, sampleQuestion, sampleWorld } from '@roost/testkit/rigs/tui/sample-world';
import { describe, expect, it } from 'vitest';
import { waitingPane } from './waiting.ts';

const OTHER = sampleSession('z9z9', { projectId: projectId.parse('/home/lea/shop'), projectPath: '/home/lea/shop' });
const FIRST = samplePermission();
const SECOND = sampleQuestion({ id: askId.parse('z9z9.1'), sessionId: OTHER.id, openedAt: FIRST.openedAt + 1 });

function openWaiting() {
	const world = sampleWorld();
	const tui = openHeadlessTui({ ...world, sessions: [...world.sessions, OTHER], asks: [FIRST, SECOND] });
	tui.press('esc', 'w');
	const room = { width: 100, height: 12, styles: plainStyles() };
	return { tui, text: () => toText(waitingPane.draw(tui.scene().shell.panes.waiting, tui.world(), room).rows, 100) };
}

describe('pending requests pane', () => {
	it('opens with one key and lists the requests of all projects', () => {
		const { tui, text } = openWaiting();
		expect(tui.scene().shell).toMatchObject({ view: 'waiting', dialogs: [] });
		expect(text()).toContain('2 requests in all projects');
		expect(text()).toMatch(/project +k3f9 +Bash/);
		expect(text()).toMatch(/shop +z9z9 +What shall the check answer/);
		tui.press('esc');
		expect(tui.scene().shell.view).toBe('feed');
	});

	it('opens the dialog of a request together with its session', () => {
		const { tui } = openWaiting();
		tui.press('down', 'enter');
		expect(tui.wishes()).toEqual([{ type: 'open-session', id: OTHER.id }]);
		expect(tui.scene().shell).toMatchObject({ view: 'feed', dialogs: ['question'], panes: { question: { ask: SECOND.id } } });
	});

	it('opens the session of a request', () => {
		const { tui } = openWaiting();
		tui.press('s');
		expect(tui.wishes()).toEqual([{ type: 'open-session', id: sessionId.parse('k3f9') }]);
		expect(tui.scene().shell).toMatchObject({ view: 'feed', dialogs: [] });
	});

	it('reports when there are no pending requests', () => {
		const { tui, text } = openWaiting();
		tui.report({ asks: [] });
		tui.press('enter', 'down');
		expect(text()).toContain('No pending requests.');
	});

	it('lists requests of other runners below, and switches to the runner of one', () => {
		const { tui, text } = openWaiting();
		tui.report(sampleHub());
		const [total, head, ...rows] = text().split('\n');
		expect(total).toContain('2 requests at laptop, 2 at other runners');
		expect(head).toMatch(/RISK +RUNNER +PROJECT +SESSION +WHAT/);
		expect(rows.map((line) => line.split(/\s+/)[4])).toEqual(['laptop', 'laptop', 'build-server', 'desktop']);
		expect(text()).toMatch(/build-server +z8w3 +offline Edit/);
		tui.press('down', 'down', 'down', 'enter');
		const session = sessionId.parse('k3f9');
		const to = { to: 'runner', runner: 'id-of-desktop', session };
		expect(tui.left()).toEqual({ ...to, ask: 'k3f9.1' });
		tui.press('s');
		expect(tui.left()).toEqual(to);
	});
});
