import type { World } from '@roost/client/world/world';
import { createSessionView } from '@roost/core/views/session-view';
import { sessionId } from '@roost/protocol/ids';
import { plainStyles, toText } from '@roost/testkit/rigs/tui/plain-styles';
import { SAMPLE_NOW, sampleOpen, samplePast, samplePermission, sampleWorld } from '@roost/testkit/rigs/tui/sample-world';
import { describe, expect, it } from 'vitest';
import { rowWidth } from '../screen/row.ts';
import { headerRows } from './header.ts';

const styles = plainStyles();

describe('the header', () => {
	const lines = (world: World, width = 80) => headerRows(world, width, styles).map((row) => toText([row], width));

	it('says where we are, what the session does and what it cost', () => {
		expect(lines(sampleWorld({ asks: [samplePermission()] }))).toEqual([
			' roost project  k3f9  claude opus-5  Make the health check honest, and bu… live',
			' ◐ waiting for you 33s          21.9k tokens  about $0.08  1 to decide: press a',
		]);
	});

	it('keeps the state and what waits where numbers have no room', () => {
		const [, below] = lines(sampleWorld({ asks: [samplePermission()] }), 50);
		expect(below).toBe(' ◐ waiting for you 33s       1 to decide: press a');
	});

	it('says what waits also where no session is open', () => {
		expect(lines(sampleWorld({ open: null, asks: [samplePermission()] }))[1]).toMatch(/1 to decide: press a$/);
	});

	it.each([
		['degraded', 'degraded 20s: the disk is full'],
		['gap', 'events missed 20s: the disk is full'],
	] as const)('says that the record is %s', (status, words) => {
		const { open, ...world } = sampleWorld();
		if (!open) throw new Error('no session is open');
		const view = {
			...open.view,
			connection: { ...open.view.connection, status, since: SAMPLE_NOW - 20_000, reason: 'the disk is full' },
		};
		expect(lines({ ...world, open: { ...open, view } }, 120)[1]).toContain(words);
	});

	it.each([
		[{ mode: 'sdk', cwd: '/p' }, 'claude opus-5  driven  Make'],
		[{ mode: 'sdk', cwd: '/p', permission_mode: 'default' }, 'claude opus-5  driven  Make'],
		[{ mode: 'sdk', cwd: '/p', permission_mode: 'acceptEdits' }, 'claude opus-5  driven, acceptEdits  Make'],
		[{ mode: 'pty', cwd: '/p', permission_mode: 'plan' }, 'claude opus-5  in a terminal, plan  Make'],
	] as const)('says how a session is driven: %j', (drive, words) => {
		const { open, ...world } = sampleWorld();
		if (!open) throw new Error('no session is open');
		expect(lines({ ...world, open: { ...open, view: { ...open.view, drive } } }, 120)[0]).toContain(words);
	});

	it('says of an idle session what became of its last run, where that did not end well', () => {
		const { open, ...world } = sampleWorld();
		if (!open) throw new Error('no session is open');
		const state = { ...open.view.state, status: 'idle', lastRun: 'aborted', since: SAMPLE_NOW - 20_000 } as const;
		const [, below] = lines({ ...world, open: { ...open, view: { ...open.view, state } } }, 120);
		expect(below).toContain('idle (the last run was interrupted) 20s');
	});

	it('says that a past session is only read', () => {
		const [top, below] = lines(sampleWorld({ open: { ...sampleOpen([]), past: samplePast() } }));
		expect(top).toMatch(/^ roost project {2}k3f9 {2}claude {2}Explain the retry loop +live$/);
		expect(below).toMatch(/^ . past session, read-only {2}last used 22h ago/);
	});

	it('says that an ask has expired and is still open in the agent', () => {
		const { open, ...world } = sampleWorld({ asks: [] });
		if (!open) throw new Error('no session is open');
		const dialogs = { open: new Map([['t1', true]]), expired: true };
		const view = { ...open.view, dialogs, asks: { ...open.view.asks, byId: new Map() } };
		expect(lines({ ...world, open: { ...open, view } })[1]).toContain(' ◐ expired, still open in Claude 33s');
	});

	it('says that nothing runs without a decision', () => {
		const { open, ...world } = sampleWorld();
		if (!open) throw new Error('no session is open');
		const [top] = lines({ ...world, open: { ...open, view: { ...open.view, gate: 'enforce' } } }, 120);
		expect(top).toMatch(/ {2}enforced {2}/);
	});

	it('says that another agent has a session open whose own is gone', () => {
		const { open, ...world } = sampleWorld();
		if (!open) throw new Error('no session is open');
		const view = { ...open.view, state: { ...open.view.state, status: 'interrupted' as const } };
		const status = { status: 'idle', source: 'file', asOf: SAMPLE_NOW } as const;
		const agentStatus = { sessionId: open.id, status, readAt: SAMPLE_NOW };
		expect(lines({ ...world, open: { ...open, view }, agentStatus })[1]).toContain('claude: idle (its status file, 0s ago)');
	});

	it('leaves out what the agent says of itself: the record says the same', () => {
		const [, plain] = lines(sampleWorld());
		const status = { status: 'idle', source: 'file', asOf: 0 } as const;
		const open = sessionId.parse('k3f9');
		expect(lines(sampleWorld({ agentStatus: { sessionId: open, status, readAt: SAMPLE_NOW } }))[1]).toBe(plain);
	});

	it('says how much of a record was read', () => {
		const { open, ...world } = sampleWorld();
		if (!open) throw new Error('no session is open');
		expect(lines({ ...world, open: { ...open, loading: { read: 1_200, total: 100_000 } } })[1]).toContain(
			'reading the record: 1.2k of 100.0k',
		);
	});

	it('does not name the model twice, nor one that is unknown', () => {
		const view = createSessionView(sessionId.parse('k3f9'));
		const { open, ...world } = sampleWorld();
		if (!open) throw new Error('no session is open');
		const [top] = lines({ ...world, open: { ...open, row: undefined, view } });
		expect(top).toMatch(/^ roost project {2}k3f9 +live$/);
	});

	it.each([60, 80, 120])('is as wide as the window at %d', (width) => {
		for (const row of headerRows(sampleWorld(), width, styles)) expect(rowWidth(row)).toBeLessThanOrEqual(width);
	});
});
