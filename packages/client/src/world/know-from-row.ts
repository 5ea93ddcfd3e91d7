// While only the end of a session has been read: what its row knows of the whole.
import type { SessionView } from '@roost/core/views/session-view';
import type { RunId } from '@roost/protocol/ids';
import type { SessionRow } from '@roost/protocol/session-row';

/** Called when the view has come as far as the row; `run` is the run of the last event. */
export function knowFromRow({ state, summary, nativeIds }: SessionView, row: SessionRow, run: RunId): void {
	summary.title = row.title;
	summary.model = row.model ?? summary.model;
	summary.firstTs = row.startedAt;
	summary.events = row.events;
	nativeIds.splice(0, nativeIds.length, ...row.nativeIds);
	state.status = row.status;
	state.ended = row.status === 'ended';
	state.interrupted = row.status === 'interrupted';
	state.lastRun = row.lastRun;
	state.openRun = row.status === 'working' || row.status === 'waiting' ? run : undefined;
}
