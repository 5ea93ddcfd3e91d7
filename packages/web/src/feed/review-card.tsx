// A review as a card: its summary, then each comment with its place and the lines that it is about.
import { commentPlace, reviewTitle } from '@roost/core/display/review';
import { sanitiseBlock, sanitiseLine } from '@roost/core/display/sanitise';
import type { Review } from '@roost/protocol/feed/review';
import { Markdown } from './markdown.tsx';
import styles from './review-card.module.css';

export function ReviewCard({ review }: { review: Review }) {
	const { summary, comments } = review;
	return (
		<div className={styles.card} data-review={comments.length}>
			<p className={styles.title}>{sanitiseLine(reviewTitle(review))}</p>
			{summary ? <Markdown text={summary} /> : null}
			{comments.length === 0 ? null : (
				<ol className={styles.comments}>
					{comments.map((comment) => (
						<li key={`${commentPlace(comment)} ${comment.text}`}>
							<p className={styles.place}>{sanitiseLine(commentPlace(comment))}</p>
							<pre className={styles.quote}>{sanitiseBlock(comment.quote)}</pre>
							<Markdown text={comment.text} />
						</li>
					))}
				</ol>
			)}
		</div>
	);
}
