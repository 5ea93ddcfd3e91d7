// A place among all lines of one runner. A seqNo alone says nothing: other runners have it too, and so has a log that was restored from a backup.
import { z } from 'zod';
import { runnerId } from './ids.ts';

/** From 1; raised when a log goes on from an older state than somebody has seen of it. */
export const epoch = z.int().positive();

export const logCursor = z.strictObject({ runnerId, epoch, seqNo: z.int().nonnegative() });
export type LogCursor = z.infer<typeof logCursor>;

/** Which log a place is in. */
export type LogName = Omit<LogCursor, 'seqNo'>;

/** Undefined where the place is in this log; else what to tell whoever named it. */
export function whyElsewhere(place: LogName, log: LogName): string | undefined {
	if (place.runnerId === log.runnerId && place.epoch === log.epoch) return undefined;
	const said = ({ runnerId: runner, epoch: number }: LogName) => `runner ${runner}, epoch ${number}`;
	return `This place is in the log of ${said(place)}, and this is the log of ${said(log)}: start again from 0.`;
}
