// What changed in a session's folder, and a review of it, over the wire.
import { z } from 'zod';
import { diffSide, since } from '../feed/review.ts';
import { commandId } from './driving.ts';

export const MOST_FILES = 2_000;
export const MOST_COMMENTS = 200;
/** Of one comment or summary, in characters. */
export const MOST_COMMENT = 10_000;
/** In one comment. */
export const MOST_LINES = 100;

/** Something to compare with, and when it was noted; the last commit has no such time. */
const changesBase = z.object({ since, at: z.number().optional() });
export type ChangesBase = z.infer<typeof changesBase>;

export const fileStatus = z.enum(['added', 'modified', 'deleted', 'renamed', 'untracked']);
export type FileStatus = z.infer<typeof fileStatus>;

export const changedFile = z.object({
	/** From the top of the repository. Bytes that are not UTF-8 are replaced. */
	path: z.string(),
	/** Of a renamed file. */
	oldPath: z.string().optional(),
	/** `untracked`: added, and git does not know it yet. */
	status: fileStatus,
	/** Absent for a plain file. */
	kind: z.enum(['binary', 'submodule', 'symlink']).optional(),
	/** Lines; 0 of a binary file. */
	added: z.number(),
	removed: z.number(),
	/** In bytes; absent if it was deleted or is a submodule. */
	size: z.number().optional(),
	/** Of its content, as git names it; all zeros if it was deleted. */
	hash: z.string(),
});
export type ChangedFile = z.infer<typeof changedFile>;

/** A changed file that is not compared. */
const leftOut = z.object({ path: z.string(), why: z.string() });
export type LeftOutFile = z.infer<typeof leftOut>;

const known = z.object({
	isKnown: z.literal(true),
	bases: z.array(changesBase),
	/** For reads of single files: these changes and no later ones. */
	id: z.string(),
	files: z.array(changedFile),
	/** Number of files after the first 2,000. */
	more: z.number(),
	leftOut: z.array(leftOut),
	/** What to know about the base. */
	note: z.string().optional(),
});

/** There is nothing to compare: why, and what to do. */
const unknown = z.object({ isKnown: z.literal(false), bases: z.array(changesBase), why: z.string() });

export const changes = z.discriminatedUnion('isKnown', [known, unknown]);
export type Changes = z.infer<typeof changes>;
export type KnownChanges = z.infer<typeof known>;

/** The head of a hunk, or a line. A context line has both numbers. */
export const diffRow = z.discriminatedUnion('type', [
	z.object({ type: z.literal('hunk'), text: z.string() }),
	z.object({
		type: z.enum(['context', 'added', 'removed']),
		old: z.number().optional(),
		new: z.number().optional(),
		/** Redacted; a long line is cut. */
		text: z.string(),
		isCut: z.literal(true).optional(),
		/** The last line, without a newline at its end. */
		isUnended: z.literal(true).optional(),
		/** Of the whole line, for comments. */
		hash: z.string(),
	}),
]);
export type DiffRow = z.infer<typeof diffRow>;
export type DiffLine = Exclude<DiffRow, { type: 'hunk' }>;

/** A page of the rows of one file. */
export const fileDiff = z.object({
	/** Number of rows in all. */
	total: z.number(),
	rows: z.array(diffRow),
	/** Why there are no rows, although the file changed. */
	why: z.string().optional(),
});
export type FileDiff = z.infer<typeof fileDiff>;

const lineHash = /^[0-9a-f]{16}(?:-[0-9a-f]{16})*$/;

const commentBody = z
	.strictObject({
		path: z.string().min(1).max(4_096),
		side: diffSide,
		line: z.int().positive(),
		endLine: z.int().positive().optional(),
		/** The hashes of its lines, joined by "-". */
		lineHash: z.string().regex(lineHash, 'expected hashes of lines'),
		text: z.string().max(MOST_COMMENT).regex(/\S/, 'expected some words'),
	})
	.refine(({ line, endLine = line }) => endLine >= line && endLine - line < MOST_LINES, `expected 1 to ${MOST_LINES} lines`);
export type CommentBody = z.infer<typeof commentBody>;

/** `POST /sessions/:id/review` */
export const reviewBody = z
	.strictObject({
		commandId,
		since,
		comments: z.array(commentBody).max(MOST_COMMENTS),
		summary: z.string().max(MOST_COMMENT).optional(),
	})
	.refine(({ comments, summary }) => comments.length > 0 || /\S/.test(summary ?? ''), 'expected a comment or a summary');
export type ReviewBody = Omit<z.infer<typeof reviewBody>, 'commandId'>;
