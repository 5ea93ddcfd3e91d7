// The row of a session in a list, from its view and its place.
import type { SessionRow } from '@roost/protocol/session-row';
import { toOwnDialog } from './own-dialogs.ts';
import type { SessionView } from './session-view.ts';

export type SessionPlace = Pick<SessionRow, 'agent' | 'projectId' | 'projectPath' | 'parentId' | 'driven'>;

export function toSessionRow(view: SessionView, place: SessionPlace): SessionRow {
	const { title, model, firstTs, lastTs, endedAt, events, lastShown } = view.summary;
	return {
		id: view.sessionId,
		agent: place.agent,
		status: view.state.status,
		gate: view.gate,
		ownDialog: toOwnDialog(view.dialogs, view.asks.byId.size),
		lastRun: view.state.lastRun,
		projectId: place.projectId,
		projectPath: place.projectPath,
		// Copied: the row is kept while the view changes.
		nativeIds: view.nativeIds.map((nativeId) => ({ ...nativeId })),
		parentId: place.parentId,
		driven: place.driven ?? (view.drive ? true : undefined),
		drive: view.drive,
		prompts: view.prompts.waiting.length + view.prompts.sent.length || undefined,
		archived: view.archived || undefined,
		model,
		title,
		startedAt: firstTs ?? 0,
		lastEventAt: lastTs ?? 0,
		endedAt,
		events,
		openAsks: view.asks.byId.size,
		tasks: countTasks(view.todos),
		...toAmounts(view.usage),
		lastEvent: lastShown,
	};
}

function countTasks({ byKey }: SessionView['todos']): SessionRow['tasks'] {
	if (byKey.size === 0) return undefined;
	const done = byKey.values().reduce((count, { status }) => count + (status === 'done' ? 1 : 0), 0);
	return { done, total: byKey.size };
}

/** Finite, whatever an agent reports: JSON has no infinity, and a row that cannot be read would break the whole list. */
function toAmounts({ total, costUsdEstimate }: SessionView['usage']): Pick<SessionRow, 'tokens' | 'costUsdEstimate'> {
	const tokens = total.input_tokens + total.output_tokens + total.cache_read_tokens + total.cache_write_tokens;
	return {
		tokens: Math.min(tokens, Number.MAX_SAFE_INTEGER),
		costUsdEstimate: Number.isFinite(costUsdEstimate) ? costUsdEstimate : undefined,
	};
}
