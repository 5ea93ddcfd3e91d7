// A place in the log of one runner. A seqNo alone is ambiguous: other runners have it too, and so has a log restored from a backup.
import { z } from 'zod';
import { runnerId } from './ids.ts';

/** From 1; raised when a log continues from an older state than a reader may have seen. */
export const epoch = z.int().positive();

export const logCursor = z.strictObject({ runnerId, epoch, seqNo: z.int().nonnegative() });
export type LogCursor = z.infer<typeof logCursor>;

/** Which log a place is in. */
export type LogName = Omit<LogCursor, 'seqNo'>;

/** Undefined where the place is in this log; else the error message. */
export function whyElsewhere(place: LogName, log: LogName): string | undefined {
	if (place.runnerId === log.runnerId && place.epoch === log.epoch) return undefined;
	return `This cursor is of the log of ${logTitle(place)}, and this is the log of ${logTitle(log)}. Start again from 0.`;
}

/** For messages. */
export function logTitle({ runnerId, epoch }: LogName): string {
	return `runner ${runnerId}, epoch ${epoch}`;
}
