// Whether Roost still hears the agent, whether the record suffers, and what went wrong last.
import type { FeedData, FeedEventOf } from '@roost/protocol/feed/event';

export type Connection = {
	/** As last reported; unknown before the first report. */
	status: 'unknown' | FeedData<'runtime.status'>['status'];
	since?: number;
	reason?: string;
	/** How often events may have been missed. */
	gaps: number;
	errors: number;
	lastError?: { code: string; message: string; at: number };
};

export function createConnection(): Connection {
	return { status: 'unknown', gaps: 0, errors: 0 };
}

export function noteRuntimeStatus(connection: Connection, event: FeedEventOf<'runtime.status'>): void {
	connection.status = event.data.status;
	connection.since = event.ts;
	connection.reason = event.data.reason;
	if (event.data.status === 'gap') connection.gaps += 1;
}

export function noteRuntimeError(connection: Connection, event: FeedEventOf<'runtime.error'>): void {
	connection.errors += 1;
	connection.lastError = { code: event.data.code, message: event.data.message, at: event.ts };
}
