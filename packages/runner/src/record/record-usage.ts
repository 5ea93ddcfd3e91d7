// What was used, as the record says: by day, project, agent, model or session, with an estimate of the cost.
import { groupUsage } from '@roost/core/usage/group-usage';
import type { UsageQuery, UsageReport } from '@roost/protocol/api/usage';
import { ok, type Result } from '@roost/protocol/result';
import type { Store } from '@roost/store/store';

export function readUsage(store: Pick<Store, 'usage' | 'sessions'>, { by, since, until }: UsageQuery): Result<UsageReport> {
	const rows = store.usage({ since, until });
	if (!rows.ok) return rows;
	const titles = readTitles(store, by);
	if (!titles.ok) return titles;
	return ok({ by, since, until, ...groupUsage(rows.value, by, (key) => titles.value.get(key)) });
}

/** Days, agents and models are called what they are. */
function readTitles(store: Pick<Store, 'sessions'>, by: UsageQuery['by']): Result<Map<string, string>> {
	if (by !== 'session' && by !== 'project') return ok(new Map());
	const sessions = store.sessions();
	if (!sessions.ok) return sessions;
	const titles = new Map<string, string>();
	for (const { id, title, projectId, projectPath } of sessions.value) {
		if (by === 'session') titles.set(id, title);
		else titles.set(projectId, projectPath);
	}
	return ok(titles);
}
