// The session's runs: the recent ones each, all finished ones in sum.
import type { FeedEventOf } from '@roost/protocol/feed/event';
import type { RunCounters, RunTrigger } from '@roost/protocol/feed/session';
import type { RunId } from '@roost/protocol/ids';
import { MAX_RECENT_RUNS } from './bounds.ts';

export type RunView = {
	runId: RunId;
	trigger: RunTrigger;
	status: 'running' | FeedEventOf<'run.end'>['data']['status'];
	startedAt: number;
	endedAt?: number;
	durationMs?: number;
	/** Counted as it goes; replaced by the run's own count when it ends. */
	counters: RunCounters;
};

export type RunTotals = { completed: number; failed: number; aborted: number; durationMs: number; counters: RunCounters };

export type Runs = {
	/** At most MAX_RECENT_RUNS, newest last. */
	recent: RunView[];
	/** How many were ever started. */
	started: number;
	/** Of all finished runs, also those no longer in the list. */
	totals: RunTotals;
};

export function createRuns(): Runs {
	const totals = { completed: 0, failed: 0, aborted: 0, durationMs: 0, counters: zeroCounters() };
	return { recent: [], started: 0, totals };
}

export function startRun(runs: Runs, event: FeedEventOf<'run.start'>): void {
	runs.started += 1;
	runs.recent.push({
		runId: event.run_id,
		trigger: event.data.trigger,
		status: 'running',
		startedAt: event.ts,
		counters: zeroCounters(),
	});
	if (runs.recent.length > MAX_RECENT_RUNS) runs.recent.shift();
}

export function finishRun(runs: Runs, event: FeedEventOf<'run.end'>): void {
	const run = findRun(runs, event.run_id);
	if (run !== undefined && run.status !== 'running') return;
	const { status, counters } = event.data;
	const durationMs = run === undefined ? 0 : Math.max(0, event.ts - run.startedAt);
	if (run !== undefined) Object.assign(run, { status, endedAt: event.ts, durationMs, counters });
	runs.totals[status] += 1;
	runs.totals.durationMs += durationMs;
	addCounters(runs.totals.counters, counters);
}

export function countInRun(runs: Runs, runId: RunId, counter: keyof RunCounters): void {
	const run = findRun(runs, runId);
	if (run?.status === 'running') run.counters[counter] += 1;
}

/** From the end: nearly every event belongs to the newest run. */
function findRun(runs: Runs, runId: RunId): RunView | undefined {
	return runs.recent.findLast((run) => run.runId === runId);
}

function zeroCounters(): RunCounters {
	return { tool_uses: 0, tool_failures: 0, permission_requests: 0, blocks: 0 };
}

function addCounters(sum: RunCounters, counters: RunCounters): void {
	sum.tool_uses += counters.tool_uses;
	sum.tool_failures += counters.tool_failures;
	sum.permission_requests += counters.permission_requests;
	sum.blocks += counters.blocks;
}
