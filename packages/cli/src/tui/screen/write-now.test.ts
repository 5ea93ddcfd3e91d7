import { describe, expect, it } from 'vitest';
import { writeNow } from './terminal.ts';

describe('synchronous write', () => {
	it('continues after a partial write or while the terminal is briefly full', () => {
		const answers = ['full', 3, 'full', 'full', 100] as const;
		expect(written('abcdefg', answers)).toBe('abcdefg');
	});

	it('stops trying if the terminal is gone or stays full', () => {
		expect(written('abc', ['gone'])).toBe('');
		expect(written('abc', [])).toBe('');
	});
});

/** The bytes that a terminal receives if its writes return these results, and `full` afterwards. */
function written(text: string, answers: readonly (number | 'full' | 'gone')[]): string {
	let got = '';
	let asked = 0;
	writeNow(1, text, (_fd, bytes) => {
		const answer = answers[asked++] ?? 'full';
		if (typeof answer !== 'number') return answer;
		const taken = bytes.subarray(0, answer);
		got += taken.toString();
		return taken.length;
	});
	return got;
}
