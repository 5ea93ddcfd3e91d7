import type { DiffRow } from '@roost/protocol/api/changes';
import { describe, expect, it } from 'vitest';
import type { DraftComment } from './drafts.ts';
import { indexLines, placeComments, rangeOf } from './place-comments.ts';

const ROWS: DiffRow[] = [
	{ type: 'hunk', text: '@@ -1,3 +1,3 @@' },
	{ type: 'context', old: 1, new: 1, text: 'one', hash: 'h1' },
	{ type: 'removed', old: 2, text: 'two', hash: 'h2' },
	{ type: 'added', new: 2, text: 'TWO', hash: 'H2' },
	{ type: 'context', old: 3, new: 3, text: 'three', hash: 'h3' },
	{ type: 'hunk', text: '@@ -9 +9 @@' },
	{ type: 'context', old: 9, new: 9, text: 'nine', hash: 'h9' },
];

const comment = (over: Partial<DraftComment>): DraftComment => ({
	id: JSON.stringify(over),
	path: 'a',
	side: 'new',
	line: 1,
	endLine: over.line ?? 1,
	lineHash: 'h1',
	quote: '',
	text: 'x',
	isOpen: false,
	...over,
});

describe('comments of a file', () => {
	it('are below their last line, apart if it is not shown, and never on another line', () => {
		const here = comment({ line: 2, endLine: 3, lineHash: 'H2-h3' });
		const old = comment({ side: 'old', line: 2, lineHash: 'h2' });
		const changed = comment({ line: 2, lineHash: 'h2' });
		const partly = comment({ line: 2, endLine: 3, lineHash: 'H2-other' });
		const unseen = comment({ line: 5, lineHash: 'h5' });
		const { byRow, stale, apart } = placeComments([here, old, changed, partly, unseen], indexLines(ROWS));
		expect([...byRow]).toEqual([
			[4, [here]],
			[2, [old]],
		]);
		expect(stale).toEqual([changed, partly]);
		expect(apart).toEqual([unseen]);
	});

	it('may be on several lines of one side in one piece', () => {
		expect(rangeOf(ROWS, 4, 1)).toEqual({ side: 'new', line: 1, endLine: 3, lineHash: 'h1-H2-h3', quote: 'one\nTWO\nthree' });
		expect(rangeOf(ROWS, 2, 2)).toEqual({ side: 'old', line: 2, endLine: 2, lineHash: 'h2', quote: 'two' });
		expect(rangeOf(ROWS, 4, 6)).toBeUndefined();
		expect(rangeOf(ROWS, 2, 3)).toBeUndefined();
		expect(rangeOf(ROWS, 0, 1)).toBeUndefined();
	});
});
