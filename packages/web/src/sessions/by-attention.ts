// The order of the board: what needs attention first, then by activity. Archived sessions are not shown.
import type { SessionRow } from '@roost/protocol/session-row';

const RANKS: Readonly<Record<SessionRow['status'], number>> = { waiting: 0, interrupted: 1, working: 2, idle: 3, ended: 4 };

export function byAttention<Row extends SessionRow>(sessions: readonly Row[]): Row[] {
	return sessions
		.filter(({ archived }) => !archived)
		.toSorted((a, b) => RANKS[a.status] - RANKS[b.status] || b.lastEventAt - a.lastEventAt);
}
