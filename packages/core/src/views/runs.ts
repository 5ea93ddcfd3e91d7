// The status of a session and its runs: the recent ones each, all finished ones in total.
import type { FeedEventOf } from '@roost/protocol/feed/event';
import type { RunId } from '@roost/protocol/ids';
import type { SessionRow } from '@roost/protocol/session-row';
import { MAX_RECENT_RUNS } from './bounds.ts';

export type RunState = {
	status: SessionRow['status'];
	/** When the status last changed; absent before the first event. */
	since?: number;
	openRun?: RunId | undefined;
	/** Its agent exited during the last run, and was not started again. */
	interrupted: boolean;
	/** How the last run ended, unless it completed; absent during a run. */
	lastRun?: SessionRow['lastRun'];
	ended: boolean;
};

type RunEnd = FeedEventOf<'run.end'>['data']['status'];
type RunView = { runId: RunId; status: 'running' | RunEnd; startedAt: number; durationMs?: number };

export type Runs = {
	/** At most MAX_RECENT_RUNS, newest last. */
	recent: RunView[];
	/** How many were ever started. */
	started: number;
	/** Of all finished runs, also those no longer in the list. */
	totals: Record<RunEnd | 'durationMs', number>;
};

export function createRuns(): Runs {
	return { recent: [], started: 0, totals: { completed: 0, failed: 0, aborted: 0, durationMs: 0 } };
}

export function startRun(state: RunState, runs: Runs, { run_id: runId, ts }: FeedEventOf<'run.start'>): void {
	state.ended = false;
	state.interrupted = false;
	delete state.lastRun;
	state.openRun = runId;
	runs.started += 1;
	runs.recent.push({ runId, status: 'running', startedAt: ts });
	if (runs.recent.length > MAX_RECENT_RUNS) runs.recent.shift();
}

export function finishRun(state: RunState, runs: Runs, { run_id, ts, data }: FeedEventOf<'run.end'>): void {
	const { status, agent_gone } = data;
	// A run that is closed late, after the next one opened, does not change the current status.
	if (state.openRun === undefined || state.openRun === run_id) {
		delete state.openRun;
		state.interrupted = agent_gone === true;
		if (status !== 'completed') state.lastRun = status;
	}
	// From the end: nearly every event belongs to the newest run.
	const run = runs.recent.findLast(({ runId }) => runId === run_id);
	if (run !== undefined && run.status !== 'running') return;
	const durationMs = run === undefined ? 0 : Math.max(0, ts - run.startedAt);
	if (run !== undefined) Object.assign(run, { status, durationMs });
	runs.totals[status] += 1;
	runs.totals.durationMs += durationMs;
}

/** Called after every event, when all parts have seen it. */
export function settleStatus(state: RunState, openAsks: number, ts: number): void {
	const status = statusOf(state, openAsks);
	if (state.since !== undefined && status === state.status) return;
	state.status = status;
	state.since = ts;
}

function statusOf(state: RunState, openAsks: number): RunState['status'] {
	if (state.ended) return 'ended';
	if (openAsks > 0) return 'waiting';
	if (state.openRun !== undefined) return 'working';
	return state.interrupted ? 'interrupted' : 'idle';
}
