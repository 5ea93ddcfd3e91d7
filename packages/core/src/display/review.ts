// A review in words: its title, the place of a comment, and the prompt that the agent gets.
import type { Review, ReviewComment } from '@roost/protocol/feed/review';
import { plural } from './plural.ts';

export function reviewTitle({ comments, since }: Review): string {
	const files = new Set(comments.map(({ path }) => path)).size;
	const counts = files === 0 ? '' : `: ${plural(comments.length, 'comment')} on ${plural(files, 'file')}`;
	return `Review of changes since ${sinceWords(since)}${counts}`;
}

/** Completes "changes since"; `since` as the API has it. */
export function sinceWords(since: string): string {
	if (since === 'start') return 'the session started';
	return since === 'head' ? 'the last commit' : `${since.replace(/^run:R/, 'run ')} started`;
}

/** `src/a.ts:12`, or a range of lines. */
export function commentPlace({ path, line, end_line = line, side }: Omit<ReviewComment, 'quote' | 'text'>): string {
	const lines = end_line > line ? `${line}-${end_line}` : `${line}`;
	return `${toWritten(path)}:${lines}${side === 'old' ? ' (removed)' : ''}`;
}

/** Markdown that any agent can read. */
export function toReviewPrompt(review: Review): string {
	const { summary = '', comments } = review;
	const parts = comments.map(
		(comment, at) => `${at + 1}. ${commentPlace(comment)}\n\n${fenced(comment.quote)}\n\n${comment.text.trim()}`,
	);
	return [reviewTitle(review), summary.trim(), ...parts].filter((part) => part !== '').join('\n\n');
}

/** The fence is longer than any in the text. */
function fenced(text: string): string {
	const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
	const fence = '`'.repeat(longest + 1);
	return `${fence}\n${text}\n${fence}`;
}

/** A name with a newline would look like another line of the prompt. */
function toWritten(path: string): string {
	return /[\p{Cc}"]/u.test(path) ? JSON.stringify(path) : path;
}
