import { diffTexts } from '@roost/core/display/line-diff';
import { plainStyles, toText } from '@roost/testkit/rigs/tui/plain-styles';
import { describe, expect, it } from 'vitest';
import { diffRows } from '../renderers/tools/input-rows.ts';

const draw = (before: string, after: string, numbered = true) => {
	const styles = plainStyles();
	return toText(diffRows(diffTexts(before, after, numbered), 30, styles), 30, styles);
};

describe('diff', () => {
	it('shows changes with three lines of context and line numbers', () => {
		const before = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);
		const after = before.with(4, 'line five').toSpliced(15, 1);
		expect(draw(before.join('\n'), after.join('\n'))).toMatchInlineSnapshot(`
			" 2   line 2
			 3   line 3
			 4   line 4
			 5 - line 5
			 5 + line five
			 6   line 6
			 7   line 7
			 8   line 8
			   …
			13   line 13
			14   line 14
			15   line 15
			16 - line 16
			16   line 17
			17   line 18
			18   line 19"
		`);
	});

	it('leaves out unknown line numbers', () => {
		expect(draw('a\nb', 'a\nc', false)).toBe('  a\n- b\n+ c');
	});

	it('is empty without changes and all additions for an empty original', () => {
		expect(draw('a\n', 'a\n')).toBe('');
		expect(draw('', 'a\nb\n')).toBe('1 + a\n2 + b');
	});

	it('shows a newline added at the end', () => {
		expect(draw('a\nb', 'a\nb\n')).toBe('- b (no newline at the end)\n+ b');
	});

	it('wraps a long line with a hanging indent', () => {
		expect(draw('', 'a line that is too long for thirty columns')).toBe('1 + a line that is too long\n    for thirty columns');
	});
});
