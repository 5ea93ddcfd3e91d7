import type { Review } from '@roost/protocol/feed/review';
import { describe, expect, it } from 'vitest';
import { reviewTitle, toReviewPrompt } from './review.ts';

const REVIEW: Review = {
	since: 'run:R3',
	summary: ' Good, with two changes. ',
	comments: [
		{ path: 'src/a.ts', side: 'new', line: 12, end_line: 13, quote: 'return ok;\n}', text: 'Add Retry-After.' },
		{ path: 'src/a.ts', side: 'old', line: 4, quote: 'const `x` = ```;', text: 'Keep this.' },
		{ path: 'odd\n"name"', side: 'new', line: 1, quote: '', text: 'Rename it.' },
	],
};

describe('a review as a prompt', () => {
	it('names each place, quotes its lines and ends with the comment', () => {
		expect(toReviewPrompt(REVIEW)).toBe(
			[
				'Review of changes since run 3 started: 3 comments on 2 files',
				'Good, with two changes.',
				'1. src/a.ts:12-13',
				'```\nreturn ok;\n}\n```',
				'Add Retry-After.',
				'2. src/a.ts:4 (removed)',
				'````\nconst `x` = ```;\n````',
				'Keep this.',
				'3. "odd\\n\\"name\\"":1',
				'```\n\n```',
				'Rename it.',
			].join('\n\n'),
		);
	});

	it('may be a summary alone', () => {
		const review: Review = { since: 'start', comments: [], summary: 'Start again.' };
		expect(reviewTitle(review)).toBe('Review of changes since the session started');
		expect(toReviewPrompt(review)).toBe('Review of changes since the session started\n\nStart again.');
	});
});
