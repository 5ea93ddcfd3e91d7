// Errors of the API: `{code, message}` with a status; for a decided ask also with the winner.
import { sanitiseLine } from '@roost/core/display/sanitise';
import { type DecidedAlready, type Winner, winner } from '@roost/protocol/api/answers';
import { AppError, type ErrorCode, type WireError } from '@roost/protocol/app-error';
import { askRow } from '@roost/protocol/ask';
import { z } from 'zod';
import { jsonReply, type Reply } from './reply.ts';

const STATUS: Record<ErrorCode, number> = {
	usage: 400,
	bad_request: 400,
	unsafe_path: 400,
	unauthorized: 401,
	denied: 403,
	not_found: 404,
	conflict: 409,
	duplicate_event: 409,
	interrupted: 409,
	turn_limit: 409,
	too_large: 413,
	upgrade_required: 426,
	rate_limited: 429,
	corrupt: 500,
	internal: 500,
	schema_too_new: 500,
	agent_failed: 502,
	store_busy: 503,
	store_unavailable: 503,
	cannot_start: 503,
	timed_out: 504,
};

export function errorReply(error: AppError, status = STATUS[error.code]): Reply {
	const first = winnerOf(error);
	const decided: DecidedAlready | undefined = first && { ...toWireError(error), code: 'conflict', winner: first };
	return jsonReply(decided ?? toWireError(error), status);
}

/** One line that is safe to display, whatever a caller put into it. */
export function toWireError(error: AppError): WireError {
	const line = sanitiseLine(error.message);
	return { code: error.code, message: line.length > MAX_MESSAGE ? `${line.slice(0, MAX_MESSAGE).toWellFormed()}…` : line };
}

const MAX_MESSAGE = 400;

/** The first answer, if that is why a call failed. */
export function winnerOf(error: AppError): Winner | undefined {
	if (error.code !== 'conflict') return undefined;
	const row = askRow.safeParse(error.cause);
	if (!row.success) return fromElsewhere.safeParse(error.cause).data?.winner;
	const { state, verdict, decidedBy } = row.data;
	return { state, verdict, principal: decidedBy };
}

const fromElsewhere = z.object({ winner });

/** An error of a runner, as its hub passes it on. */
export function toPassedError({ code, message }: WireError, first: Winner | undefined): AppError {
	return new AppError(code, message, first && { cause: { winner: first } });
}

/** Errors of the HTTP framework, in the words of the API. */
export function toAppError(status: number, message: string): AppError {
	if (status === 415) return new AppError('bad_request', 'Send the body as application/json.');
	if (status === 404) return new AppError('not_found', 'Route not found. See /api/v1/openapi.json.');
	return new AppError('bad_request', message);
}
