// One ask with its context: for a call that writes a file, the current file.
import { z } from 'zod';
import { askRow } from '../ask.ts';

/** Read on request, redacted, never stored. */
export const fileBefore = z.discriminatedUnion('state', [
	z.object({ state: z.literal('text'), text: z.string() }),
	z.object({ state: z.literal('absent') }),
	/** `why` completes "the file is not shown: …". */
	z.object({ state: z.literal('unread'), why: z.string() }),
]);
export type FileBefore = z.infer<typeof fileBefore>;

/** `GET /asks/:askId`; with a file only while the ask is pending. */
export const askDetail = askRow.extend({ file: fileBefore.optional() });
export type AskDetail = z.infer<typeof askDetail>;
