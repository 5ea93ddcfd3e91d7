// Which runners of a hub have an open stream, and what follows from the list of them.
import { type RunnerRow, runnerRow } from '@roost/protocol/hub/runners';
import type { RunnerId } from '@roost/protocol/ids';
import { describe, expect, it } from 'vitest';
import type { Away } from './away.ts';
import { createFleet, type Followed } from './fleet.ts';

describe('runners of a page', () => {
	it('are all open, closed when they are gone, and not opened twice', () => {
		const { fleet, log } = openFleet();
		fleet.take([row('a'), row('b')]);
		fleet.take([row('a'), row('c')]);
		expect(log).toEqual(['open a', 'open b', 'close b', 'open c']);
	});

	it('say since when they are away, and when they are back', () => {
		const { fleet, away } = openFleet();
		fleet.take([row('a'), row('b', { online: false, since: 7 })]);
		expect(away.get('b')).toEqual({ runner: 'name of b', since: 7 });
		fleet.take([row('a'), row('b')]);
		expect([away.get('a'), away.get('b')]).toEqual([null, null]);
	});

	it('beyond 32 are opened when they are chosen; those online come first', () => {
		const { fleet, log } = openFleet();
		const rows = Array.from({ length: 40 }, (_, at) => row(`r${at}`, { online: at >= 20 }));
		fleet.take(rows);
		expect(log).toHaveLength(32);
		expect(log.slice(0, 20)).toEqual(rows.slice(20).map(({ id }) => `open ${id}`));
		const closed = fleet.state().runners?.find(({ opened }) => opened === undefined)?.id;
		if (closed === undefined) throw new Error('all are open');
		fleet.open(closed);
		expect(fleet.state().runners?.find(({ id }) => id === closed)?.opened).toBeDefined();
	});

	it('change only when the list does', () => {
		const { fleet } = openFleet();
		fleet.take([row('a')]);
		const before = fleet.state();
		fleet.take([row('a')]);
		expect(fleet.state()).toBe(before);
		fleet.take([row('a', { asks: 1 })]);
		expect(fleet.state()).not.toBe(before);
	});

	it('stay closed once this browser is logged out', () => {
		const { fleet, log } = openFleet();
		fleet.take([row('a')]);
		fleet.logOut('revoked');
		fleet.take([row('a'), row('b')]);
		expect(log).toEqual(['open a', 'close a']);
		expect(fleet.state().out).toBe('revoked');
	});
});

function openFleet() {
	const log: string[] = [];
	const away = new Map<string, Away | null>();
	const fleet = createFleet((id) => {
		log.push(`open ${id}`);
		return fakeRunner(id, log, away);
	});
	return { fleet, log, away };
}

function fakeRunner(id: RunnerId | undefined, log: string[], away: Map<string, Away | null>): Followed {
	const source = {
		world: () => {
			throw new Error('not read here');
		},
		onChange: () => () => {},
		setAway: (to: Away | null) => void away.set(String(id), to),
		logOut() {},
		tick() {},
	};
	return { connected: { source }, close: () => void log.push(`close ${id}`) };
}

function row(id: string, over: Partial<RunnerRow> = {}): RunnerRow {
	return runnerRow.parse({ id, name: `name of ${id}`, version: '1', online: true, since: 1, asks: 0, working: 0, ...over });
}
