// One line of the record: a feed event with its place in the log.
import { z } from 'zod';
import { feedEvent } from './feed/event.ts';
import { projectId, runnerId, sessionId, streamId } from './ids.ts';

export const STORED_LINE_VERSION = 1;

export const storedLine = z.object({
	/** Contiguous per runner. */
	seqNo: z.number().int().positive(),
	stream: streamId,
	/** Contiguous from 1 per stream. */
	offset: z.number().int().positive(),
	sessionId,
	runnerId,
	projectId,
	/** When it happened, by the agent's clock. */
	ts: z.number(),
	/** When the runner received it. */
	receivedAt: z.number(),
	/** Schema version of the event. */
	v: z.literal(STORED_LINE_VERSION),
	event: feedEvent,
});
export type StoredLine = z.infer<typeof storedLine>;
