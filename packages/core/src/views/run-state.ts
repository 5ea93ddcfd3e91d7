// What the session is doing now, and since when.
import type { FeedEventOf } from '@roost/protocol/feed/event';
import type { RunId } from '@roost/protocol/ids';
import type { SessionRow } from '@roost/protocol/session-row';

export type RunStatus = SessionRow['status'];

export type RunState = {
	status: RunStatus;
	/** When the status became what it is; absent before the first event. */
	since?: number;
	openRun?: RunId;
	/** Its agent was gone in the middle of the last run, and nobody has started it again. */
	interrupted: boolean;
	/** How the last run ended, where that was not well; absent while another is under way. */
	lastRun?: SessionRow['lastRun'];
	ended: boolean;
};

export function createRunState(): RunState {
	return { status: 'idle', interrupted: false, ended: false };
}

export function beginSession(state: RunState): void {
	state.ended = false;
	state.interrupted = false;
}

export function endSession(state: RunState): void {
	state.ended = true;
	delete state.openRun;
}

export function beginRun(state: RunState, event: FeedEventOf<'run.start'>): void {
	state.ended = false;
	state.interrupted = false;
	delete state.lastRun;
	state.openRun = event.run_id;
}

export function endRun(state: RunState, event: FeedEventOf<'run.end'>): void {
	// A run that is closed late, after the next one opened, says nothing about now.
	if (state.openRun !== undefined && state.openRun !== event.run_id) return;
	delete state.openRun;
	const { status, agent_gone } = event.data;
	state.interrupted = agent_gone === true;
	if (status !== 'completed') state.lastRun = status;
}

/** Called after every event, when all parts have seen it. */
export function settleStatus(state: RunState, openAsks: number, ts: number): void {
	const status = statusOf(state, openAsks);
	if (state.since !== undefined && status === state.status) return;
	state.status = status;
	state.since = ts;
}

function statusOf(state: RunState, openAsks: number): RunStatus {
	if (state.ended) return 'ended';
	if (openAsks > 0) return 'waiting';
	if (state.openRun !== undefined) return 'working';
	return state.interrupted ? 'interrupted' : 'idle';
}
