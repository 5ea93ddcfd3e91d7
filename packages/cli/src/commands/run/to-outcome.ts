// How a run ended, as scripts learn it: an error whose code is the exit code, or none where it is done.
import { toSentence } from '@roost/core/display/sentence';
import { AppError } from '@roost/protocol/app-error';
import { assertNever } from '@roost/protocol/assert-never';
import type { SessionId } from '@roost/protocol/ids';
import type { RunEnd } from './follow-run.ts';
import type { RunOver } from './run-tracker.ts';
import type { Stop } from './stops.ts';

export function toOutcome({ over, stop }: RunEnd, id: SessionId): AppError | undefined {
	if (stop) return stopOutcome(stop, id);
	if (over?.status === 'completed') return undefined;
	if (over?.atTurnLimit) return new AppError('turn_limit', `${over.reason ?? 'The agent reached its turn limit.'} ${goOn(id)}`);
	return over?.refused ? deniedOutcome(over, id) : failedOutcome(over, id);
}

function stopOutcome(stop: Stop, id: SessionId): AppError {
	switch (stop.type) {
		case 'timed-out':
			return new AppError('timed_out', `The time is up, so the run was interrupted. ${goOn(id)}`);
		case 'interrupted':
		case 'reader-left':
			return new AppError('interrupted', `The run was interrupted. ${goOn(id)}`);
		case 'refused':
			return new AppError('denied', `${stop.sentence} ${goOn(id)}`);
		case 'lost':
			return new AppError('internal', `${stop.sentence} ${goOn(id)}`);
		default:
			return assertNever(stop);
	}
}

function deniedOutcome({ reason }: RunOver, id: SessionId): AppError {
	const why = reason ? ` (${reason})` : '';
	return new AppError('denied', `The agent was denied a request and could not continue${why}. ${lookAt(id)}`);
}

function failedOutcome(over: RunOver | undefined, id: SessionId): AppError {
	const how = over?.status === 'failed' ? 'The agent failed' : 'The run ended before the agent was done';
	return new AppError('agent_failed', `${toSentence(over?.reason ? `${how}: ${over.reason}` : how)} ${lookAt(id)}`);
}

function goOn(id: SessionId): string {
	return `Resume it with "roost run --resume ${id}".`;
}

function lookAt(id: SessionId): string {
	return `See "roost feed ${id}".`;
}
