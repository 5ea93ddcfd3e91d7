import { describe, expect, it } from 'vitest';
import { startProgress } from './progress.ts';

describe('progress', () => {
	it('is not shown for short work', () => {
		expect(printed(true, [0, 500, 999])).toBe('');
	});

	it('is one line on a terminal, erased at the end', () => {
		expect(printed(true, [0, 1_000, 1_200])).toBe('\r\x1b[KLooking: 2 of 9\r\x1b[KLooking: 3 of 9\r\x1b[K');
	});

	it('is printed once without a terminal', () => {
		expect(printed(false, [0, 1_000, 1_200])).toBe('Looking …\n');
	});
});

function printed(isTTY: boolean, times: readonly number[]): string {
	let text = '';
	let clock = 0;
	{
		const stream = { isTTY, write: (more: string) => (text += more) };
		using progress = startProgress(stream, 'Looking', () => clock);
		for (const [at, time] of times.entries()) {
			clock = time;
			progress.update({ done: at + 1, total: 9 });
		}
	}
	return text;
}
