// Gives a draft its place in the feed: run, seq, id and level.
import type { FeedLevel } from '@roost/protocol/feed/base';
import type { FeedEvent, FeedEventKind } from '@roost/protocol/feed/event';
import type { EventId, RunId } from '@roost/protocol/ids';
import type { Draft } from './draft.ts';
import { isTransient } from './filter.ts';
import type { FeedState } from './state.ts';

export function seal(state: FeedState, draft: Draft, ts: number, requestId?: string): FeedEvent {
	const place = placeOf(state, draft);
	return {
		...place,
		ts,
		session_id: state.sessionId,
		...draft,
		level: draft.level ?? levelOf(draft),
		cause: requestId === undefined ? draft.cause : { ...draft.cause, hook_request_id: requestId },
	};
}

/** The id of the next event that is stored. */
export function nextEventId(state: FeedState): EventId {
	const run = currentRun(state);
	return toEventId(run.run_id, `${run.seq + 1}`);
}

type Place = Pick<FeedEvent, 'event_id' | 'seq' | 'run_id'>;

function placeOf(state: FeedState, draft: Draft): Place {
	if (draft.kind === 'run.start') {
		const run_id = toRunId(state, state.runs + 1);
		return { event_id: toEventId(run_id, '1'), seq: 1, run_id };
	}
	const { run_id, seq } = currentRun(state);
	// Transient events take no seq, or a replayed feed would count differently: their ids extend that of the last stored one.
	if (isTransient(draft)) return { event_id: toEventId(run_id, `${seq}.${state.transients + 1}`), seq: Math.max(seq, 1), run_id };
	return { event_id: toEventId(run_id, `${seq + 1}`), seq: seq + 1, run_id };
}

function currentRun(state: FeedState): { run_id: RunId; seq: number } {
	return state.run ?? { run_id: toRunId(state, 0), seq: state.lifecycleSeq };
}

function toRunId(state: FeedState, number: number): RunId {
	return `${state.sessionId}:R${number}` as RunId;
}

function toEventId(runId: RunId, seq: string): EventId {
	return `${runId}:E${seq}` as EventId;
}

const levels: { [K in FeedEventKind]?: FeedLevel } = {
	'message.display': 'debug',
	'agent.delta': 'debug',
	'tool.delta': 'debug',
	'tool.batch': 'debug',
	'instructions.loaded': 'debug',
	'tool.failure': 'error',
	'stop.failure': 'error',
	'runtime.error': 'error',
	'permission.denied': 'warn',
};

function levelOf(draft: Draft): FeedLevel {
	if (draft.kind === 'run.end') return draft.data.status === 'failed' ? 'error' : 'info';
	if (draft.kind === 'runtime.status') return draft.data.status === 'connected' ? 'info' : 'warn';
	if (draft.kind === 'permission.decision') return draft.data.decision_type === 'deny' ? 'warn' : 'info';
	return levels[draft.kind] ?? 'info';
}
