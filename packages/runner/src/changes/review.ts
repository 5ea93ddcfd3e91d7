// A review: comments on lines, checked against the current files and sent to the agent as one prompt.
import { commentPlace, toReviewPrompt } from '@roost/core/display/review';
import type { CommentBody, ReviewBody } from '@roost/protocol/api/changes';
import { MOST_PROMPT, type PromptTaken } from '@roost/protocol/api/driving';
import { AppError } from '@roost/protocol/app-error';
import type { Review, ReviewComment } from '@roost/protocol/feed/review';
import type { SessionId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Comparison, SessionChanges } from './changes.ts';
import { whyNoRows } from './file-diff.ts';

export type ReviewDeps = {
	changes: Pick<SessionChanges, 'compare' | 'readFile'>;
	/** Why the session takes no prompts; undefined if it does. */
	whyNot(id: SessionId): Result<string | undefined>;
	send(id: SessionId, text: string, review: Review): Promise<Result<PromptTaken>>;
};

const LONGEST_QUOTE = 2_000;

export function createSendReview({ changes, whyNot, send }: ReviewDeps) {
	return async (id: SessionId, { since, comments, summary }: ReviewBody): Promise<Result<PromptTaken>> => {
		const why = whyNot(id);
		if (!why.ok) return why;
		if (why.value !== undefined) return err(new AppError('conflict', why.value));
		const compared = comments.length > 0 ? await changes.compare(id, since) : undefined;
		if (compared?.ok === false) return err(new AppError('conflict', compared.error.message));
		const checked = compared ? await checkAll(changes, compared.value, comments) : ok([]);
		if (!checked.ok) return checked;
		const review = { since, comments: checked.value, ...(/\S/.test(summary ?? '') && { summary }) };
		const text = toReviewPrompt(review);
		if (text.length > MOST_PROMPT) return err(new AppError('too_large', 'This review is too long. Send it in parts.'));
		return await send(id, text, review);
	};
}

/** All or nothing: a comment on a line that changed would mislead the agent. */
async function checkAll(
	changes: ReviewDeps['changes'],
	compared: Comparison,
	bodies: readonly CommentBody[],
): Promise<Result<ReviewComment[]>> {
	const stale: string[] = [];
	const comments: ReviewComment[] = [];
	for (const body of bodies) {
		const quote = await quoteOf(changes, compared, body);
		if (!quote.ok) return quote;
		const { path, side, line, endLine, text } = body;
		const place = { path, side, line, ...(endLine !== undefined && endLine > line && { end_line: endLine }) };
		if (quote.value === undefined) stale.push(commentPlace(place));
		else comments.push({ ...place, quote: quote.value, text });
	}
	if (stale.length === 0) return ok(comments);
	const changed = stale.length === 1 ? 'This line has changed' : 'These lines have changed';
	return err(new AppError('conflict', `${changed} since you commented, so nothing was sent: ${stale.join(', ')}.`));
}

/** Undefined if the lines are not the ones that were commented on. */
async function quoteOf(
	changes: ReviewDeps['changes'],
	compared: Comparison,
	{ path, side, line, endLine = line, lineHash }: CommentBody,
): Promise<Result<string | undefined>> {
	const file = compared.files.find((one) => one.path === path);
	if (!file || whyNoRows(file) !== undefined) return ok(undefined);
	const diff = await changes.readFile(compared, file);
	if (!diff.ok) return diff;
	const lines = side === 'old' ? diff.value.old : diff.value.now;
	if (endLine > lines.count) return ok(undefined);
	const numbers = Array.from({ length: endLine - line + 1 }, (_, at) => line + at);
	if (numbers.map(lines.hash).join('-') !== lineHash) return ok(undefined);
	const quote = lines
		.shown(line, endLine)
		.map(({ text, isCut }) => `${text.replace(/\r$/, '')}${isCut ? '…' : ''}`)
		.join('\n');
	return ok(quote.length > LONGEST_QUOTE ? `${quote.slice(0, LONGEST_QUOTE)}…` : quote);
}
