// Rows of sessions for tests of lists.
import { projectId, sessionId } from '@roost/protocol/ids';
import type { SessionRow } from '@roost/protocol/session-row';

export function toRow(id: string, part: Partial<SessionRow> = {}): SessionRow {
	return {
		id: sessionId.parse(id),
		agent: 'claude',
		status: 'idle',
		projectId: projectId.parse('p'),
		projectPath: '/p',
		nativeIds: [],
		title: id,
		startedAt: 0,
		lastEventAt: 0,
		events: 1,
		...part,
	};
}
