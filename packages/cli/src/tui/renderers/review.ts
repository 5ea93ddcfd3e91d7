// A review of changed files: its title and summary, then each comment with its place and the lines that it is about.
import { commentPlace, reviewTitle } from '@roost/core/display/review';
import type { Review } from '@roost/protocol/feed/review';
import { markdownRows } from '../parts/markdown.ts';
import { behind, wrapped } from '../parts/wrapped.ts';
import { type Row, span } from '../screen/row.ts';
import type { Context } from './renderer.ts';

export function* reviewRows(review: Review, { styles }: Pick<Context, 'styles'>, width: number): Generator<Row> {
	yield* wrapped(reviewTitle(review), width, 'person');
	if (review.summary) yield* markdownRows(review.summary.trim(), width, styles);
	for (const comment of review.comments) {
		yield* wrapped(commentPlace(comment), width, 'accent');
		const inner = Math.max(1, width - 2);
		for (const quoted of wrapped(comment.quote, inner, 'code')) yield [span(`${styles.glyphs.vertical} `, 'faint'), ...quoted];
		yield* behind([span('  ')], markdownRows(comment.text.trim(), inner, styles));
	}
}
