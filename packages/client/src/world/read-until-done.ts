// Reads until it succeeds, unless another attempt cannot help.
import type { AppError, ErrorCode } from '@roost/protocol/app-error';
import type { Reply } from '../api-call.ts';
import type { Pause } from './read-older.ts';

const RETRY_MS = 500;

/** Errors that stay. */
const FINAL: ReadonlySet<ErrorCode> = new Set([
	'not_found',
	'denied',
	'unauthorized',
	'bad_request',
	'corrupt',
	'schema_too_new',
]);

export type ReadUntil = { isOver: () => boolean; pause: Pause; onProblem: (problem: AppError) => void };

/** Undefined once it is over, or where another attempt cannot help. */
export async function readUntilDone<T>(
	read: () => Promise<Reply<T>>,
	{ isOver, pause, onProblem }: ReadUntil,
): Promise<T | undefined> {
	while (!isOver()) {
		const reply = await read();
		if (isOver()) break;
		if (reply.ok) return reply.value;
		onProblem(reply.error);
		if (FINAL.has(reply.error.code)) break;
		await pause(RETRY_MS);
	}
	return undefined;
}
