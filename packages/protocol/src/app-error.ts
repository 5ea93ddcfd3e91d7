// The one error of Roost: a closed list of codes to branch on, and one sentence that says what to do.
import { z } from 'zod';

export const errorCode = z.enum([
	'usage',
	'not_found',
	'conflict',
	'duplicate_event',
	'store_busy',
	'store_unavailable',
	'schema_too_new',
	'corrupt',
	'bad_request',
	'too_large',
	'unauthorized',
	'rate_limited',
	'upgrade_required',
	'unsafe_path',
	'cannot_start',
	'agent_failed',
	'timed_out',
	'denied',
	'turn_limit',
	'interrupted',
	'internal',
]);
export type ErrorCode = z.infer<typeof errorCode>;

/** An error on the wire. */
export const wireError = z.object({ code: errorCode, message: z.string() });
export type WireError = z.infer<typeof wireError>;

export class AppError extends Error {
	readonly code: ErrorCode;

	constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
		super(message, options);
		this.name = 'AppError';
		this.code = code;
	}

	toJSON(): WireError {
		return { code: this.code, message: this.message };
	}
}
