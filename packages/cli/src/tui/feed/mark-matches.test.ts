// Found words are highlighted, and the rest of the row stays unchanged.
import { hostileStrings } from '@roost/testkit/fakes/hostile-strings';
import { plainStyles } from '@roost/testkit/rigs/tui/plain-styles';
import { describe, expect, it } from 'vitest';
import { type Row, row, rowWidth, selectRow, span, toLine } from '../screen/row.ts';
import { createStyles, THEMES } from '../screen/styles.ts';
import { markMatches } from './feed-search.ts';

const LINE = row(span('12:00:01 ', 'faint'), span('Bash', 'tool'), span(' grep Heron heron.txt'));

describe('match highlighting', () => {
	it('marks every match except in the time', () => {
		expect(found(markMatches(LINE, 'heron'))).toEqual(['Heron', 'heron']);
		expect(found(markMatches(LINE, 'Heron'))).toEqual(['Heron']);
		expect(found(markMatches(LINE, '12:00'))).toEqual([]);
	});

	it('returns rows without a match unchanged and caches marked ones', () => {
		expect(markMatches(LINE, 'stork')).toBe(LINE);
		expect(markMatches(LINE, 'grep')).toBe(markMatches(LINE, 'grep'));
	});

	it('is visible in every theme, without colour and on the selected line', () => {
		const looks = [...THEMES.map((theme) => ({ theme, colour: true })), { theme: 'dark' as const, colour: false }];
		for (const options of looks) {
			const styles = createStyles({ ...options, ascii: false });
			for (const line of [LINE, selectRow(LINE)]) {
				const marked = toLine(markMatches(line, 'grep'), 60, styles);
				expect(marked).toContain(styles.paint('found', 'grep'));
				expect(styles.paint('found', 'grep')).not.toBe('grep');
			}
		}
	});

	it('keeps the text and width of every row, even for hostile text', () => {
		const styles = plainStyles();
		for (const text of hostileStrings()) {
			const line = row('x', `${text} a ${text}`);
			for (const words of [text.slice(0, 1), text.slice(0, 3), 'a', '\u{1f468}']) {
				if (words === '') continue;
				const marked = markMatches(line, words);
				expect(rowWidth(marked)).toBe(rowWidth(line));
				expect(toLine(marked, 80, styles)).toBe(toLine(line, 80, styles));
			}
		}
	});
});

function found(line: Row): string[] {
	return line.filter(({ tone }) => tone === 'found').map(({ text }) => text);
}
