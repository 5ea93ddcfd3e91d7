import type { World } from '@roost/client/world/world';
import { createSessionView } from '@roost/core/views/session-view';
import { sessionId } from '@roost/protocol/ids';
import { plainStyles, toText } from '@roost/testkit/rigs/tui/plain-styles';
import {
	SAMPLE_NOW,
	sampleHub,
	sampleOpen,
	samplePast,
	samplePermission,
	sampleWorld,
} from '@roost/testkit/rigs/tui/sample-world';
import { describe, expect, it } from 'vitest';
import { rowWidth } from '../screen/row.ts';
import { headerRows } from './header.ts';

const styles = plainStyles();

describe('header', () => {
	const lines = (world: World, width = 80) => headerRows(world, width, styles).map((row) => toText([row], width));

	it('shows project, session, state and cost', () => {
		expect(lines(sampleWorld({ asks: [samplePermission()] }))).toEqual([
			' roost project  k3f9  claude opus-5  Make the health check honest, and bu… live',
			' ◐ waiting for you 33s          21.9k tokens  about $0.08  1 to decide: press a',
		]);
	});

	it('keeps state and pending requests when there is no room for numbers', () => {
		const [, below] = lines(sampleWorld({ asks: [samplePermission()] }), 50);
		expect(below).toBe(' ◐ waiting for you 33s       1 to decide: press a');
	});

	it('shows pending requests even if no session is open', () => {
		expect(lines(sampleWorld({ open: null, asks: [samplePermission()] }))[1]).toMatch(/1 to decide: press a$/);
	});

	it('names the runner of a hub, and counts the requests at others', () => {
		const hub = sampleHub();
		expect(lines(sampleWorld(hub))[0]).toMatch(/^ roost laptop {2}k3f9 .* live$/);
		expect(lines(sampleWorld(hub))[1]).toMatch(/ 2 at other runners: press w$/);
		const [one] = hub.elsewhere;
		const asks = [samplePermission()];
		expect(lines(sampleWorld({ ...hub, elsewhere: one ? [one] : [], asks }))[1]).toMatch(
			/ 1 to decide: press a, 1 at another runner: w$/,
		);
	});

	it('says since when the runner is offline, while its content stays', () => {
		const { runners } = sampleHub();
		const [away] = runners?.rows ?? [];
		if (!runners || !away) throw new Error('no runner');
		const [top, below] = lines(sampleWorld({ runners: { ...runners, shown: away.id } }));
		expect(top).toMatch(/^ roost build-server {2}k3f9 .* offline since 10:31$/);
		expect(below).toContain(' ■ last known: waiting for you ');
		const connection = { state: 'reconnecting', since: SAMPLE_NOW - 5_000 } as const;
		expect(lines(sampleWorld({ runners: { ...runners, shown: away.id }, connection }))[0]).toMatch(/reconnecting since 5s$/);
	});

	it.each([
		['degraded', 'degraded 20s: the disk is full'],
		['gap', 'events missed 20s: the disk is full'],
	] as const)('shows the record status: %s', (status, words) => {
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
	] as const)('shows how a session is driven: %j', (drive, words) => {
		const { open, ...world } = sampleWorld();
		if (!open) throw new Error('no session is open');
		expect(lines({ ...world, open: { ...open, view: { ...open.view, drive } } }, 120)[0]).toContain(words);
	});

	it('shows that the last run of an idle session was interrupted', () => {
		const { open, ...world } = sampleWorld();
		if (!open) throw new Error('no session is open');
		const state = { ...open.view.state, status: 'idle', lastRun: 'aborted', since: SAMPLE_NOW - 20_000 } as const;
		const [, below] = lines({ ...world, open: { ...open, view: { ...open.view, state } } }, 120);
		expect(below).toContain('idle (the last run was interrupted) 20s');
	});

	it('marks a past session as read-only', () => {
		const [top, below] = lines(sampleWorld({ open: { ...sampleOpen([]), past: samplePast() } }));
		expect(top).toMatch(/^ roost project {2}k3f9 {2}claude {2}Explain the retry loop +live$/);
		expect(below).toMatch(/^ . past session, read-only {2}last used 22h ago/);
	});

	it('shows an expired request that is still open in the agent', () => {
		const { open, ...world } = sampleWorld({ asks: [] });
		if (!open) throw new Error('no session is open');
		const dialogs = { open: new Map([['t1', true]]), expired: true };
		const view = { ...open.view, dialogs, asks: { ...open.view.asks, byId: new Map() } };
		expect(lines({ ...world, open: { ...open, view } })[1]).toContain(' ◐ expired, still open in Claude 33s');
	});

	it('marks a session with enforced decisions', () => {
		const { open, ...world } = sampleWorld();
		if (!open) throw new Error('no session is open');
		const [top] = lines({ ...world, open: { ...open, view: { ...open.view, gate: 'enforce' } } }, 120);
		expect(top).toMatch(/ {2}enforced {2}/);
	});

	it('shows the agent status from its file for an interrupted session', () => {
		const { open, ...world } = sampleWorld();
		if (!open) throw new Error('no session is open');
		const view = { ...open.view, state: { ...open.view.state, status: 'interrupted' as const } };
		const status = { status: 'idle', source: 'file', asOf: SAMPLE_NOW } as const;
		const agentStatus = { sessionId: open.id, status, readAt: SAMPLE_NOW };
		expect(lines({ ...world, open: { ...open, view }, agentStatus })[1]).toContain('claude: idle (its status file, 0s ago)');
	});

	it('leaves out the agent status if the session is not interrupted', () => {
		const [, plain] = lines(sampleWorld());
		const status = { status: 'idle', source: 'file', asOf: 0 } as const;
		const open = sessionId.parse('k3f9');
		expect(lines(sampleWorld({ agentStatus: { sessionId: open, status, readAt: SAMPLE_NOW } }))[1]).toBe(plain);
	});

	it('shows the progress of reading the record', () => {
		const { open, ...world } = sampleWorld();
		if (!open) throw new Error('no session is open');
		expect(lines({ ...world, open: { ...open, loading: { read: 1_200, total: 100_000 } } })[1]).toContain(
			'reading the record: 1.2k of 100.0k',
		);
	});

	it('leaves out an unknown agent and model', () => {
		const view = createSessionView(sessionId.parse('k3f9'));
		const { open, ...world } = sampleWorld();
		if (!open) throw new Error('no session is open');
		const [top] = lines({ ...world, open: { ...open, row: undefined, view } });
		expect(top).toMatch(/^ roost project {2}k3f9 +live$/);
	});

	it.each([60, 80, 120])('fits a window of %d columns', (width) => {
		for (const row of headerRows(sampleWorld(), width, styles)) expect(rowWidth(row)).toBeLessThanOrEqual(width);
	});
});
