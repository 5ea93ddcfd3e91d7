// The session that is looked at first: the one that needs the user, else the newest that is live, else the newest.
import type { AskRow } from '@roost/protocol/ask';
import type { ProjectId, SessionId } from '@roost/protocol/ids';
import type { SessionRow } from '@roost/protocol/session-row';

/** `sessions`: the newest first. `asks`: the oldest first; those of this project come before those of others. */
export function firstSession(
	sessions: readonly SessionRow[],
	asks: readonly AskRow[],
	project: ProjectId,
): SessionId | undefined {
	const here = sessions.filter((row) => row.projectId === project && !row.archived);
	const ids = new Set(here.map(({ id }) => id));
	const known = new Set(sessions.map(({ id }) => id));
	const asking = asks.find(({ sessionId }) => ids.has(sessionId)) ?? asks.find(({ sessionId }) => known.has(sessionId));
	return asking?.sessionId ?? here.find(({ status }) => status !== 'ended')?.id ?? here[0]?.id;
}
