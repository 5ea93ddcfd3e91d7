// Sessions by attention: those that wait for you first, then the working ones, then the rest by activity. Archived ones are not shown.
import type { SessionRow } from '@roost/protocol/session-row';

const RANKS: Readonly<Record<SessionRow['status'], number>> = { waiting: 0, interrupted: 1, working: 2, idle: 3, ended: 4 };

export type GroupName = 'Waiting' | 'Working' | 'Recent';

/** Where a list shows a session. */
export type Place = { readonly at: number; readonly group: GroupName };

export type Group<Row> = { readonly name: GroupName; readonly rows: readonly Row[] };

export function byAttention<Row extends SessionRow>(sessions: readonly Row[]): Row[] {
	return sessions
		.filter(({ archived }) => !archived)
		.toSorted((a, b) => RANKS[a.status] - RANKS[b.status] || b.lastEventAt - a.lastEventAt);
}

export function placesOf(ordered: readonly SessionRow[]): Map<string, Place> {
	return new Map(ordered.map((row, at) => [row.id, { at, group: groupOf(row) }]));
}

/** Sessions without a place come last, in their own order. */
export function inPlaces<Row extends SessionRow>(ordered: readonly Row[], places: ReadonlyMap<string, Place>): Row[] {
	const at = ({ id }: Row) => places.get(id)?.at ?? Number.POSITIVE_INFINITY;
	return ordered.toSorted((a, b) => (at(a) === at(b) ? 0 : at(a) - at(b)));
}

/** Only groups with sessions. */
export function toGroups<Row extends SessionRow>(ordered: readonly Row[], places: ReadonlyMap<string, Place>): Group<Row>[] {
	const rowsOf = (name: GroupName) => ordered.filter((row) => (places.get(row.id)?.group ?? groupOf(row)) === name);
	const names = ['Waiting', 'Working', 'Recent'] as const;
	return names.map((name) => ({ name, rows: rowsOf(name) })).filter(({ rows }) => rows.length > 0);
}

function groupOf({ status }: SessionRow): GroupName {
	if (status === 'waiting') return 'Waiting';
	return status === 'working' ? 'Working' : 'Recent';
}
