// A review of changed files as part of a prompt, so that every face can show it as a card.
import { z } from 'zod';

/** `start`: when the session started. `head`: the last commit. `run:R3`: when that run started. */
export const since = z.union([
	z.literal('start'),
	z.literal('head'),
	z.templateLiteral(['run:', z.string().regex(/^R[1-9]\d{0,8}$/)]),
]);
export type Since = z.infer<typeof since>;

/** Whether a line is one of the file as it was, or as it is. */
export const diffSide = z.enum(['old', 'new']);
export type DiffSide = z.infer<typeof diffSide>;

const reviewComment = z.object({
	path: z.string(),
	side: diffSide,
	line: z.int().positive(),
	/** The last of its lines; absent for a comment on one line. */
	end_line: z.int().positive().optional(),
	/** The lines that it is about, redacted and shortened. */
	quote: z.string(),
	text: z.string(),
});
export type ReviewComment = z.infer<typeof reviewComment>;

export const review = z.object({
	/** A `Since`; a newer runner may know more of them. */
	since: z.string(),
	/** At least one comment, or a summary. */
	comments: z.array(reviewComment),
	summary: z.string().optional(),
});
export type Review = z.infer<typeof review>;
