import { AppError } from '@roost/protocol/app-error';
import { describe, expect, it } from 'vitest';
import { CONNECTING, type Shown } from './shown.ts';
import { shownWords } from './shown-words.ts';

const words = (part: Partial<Shown>, now = 1_000) => shownWords({ ...CONNECTING, ...part }, now);
const gone = new AppError('not_found', 'Terminal "x" not found.');

describe('the state of a terminal', () => {
	it('is not shown while it is in your control, nor in the first moment', () => {
		expect(words({ state: 'live', holder: 'you' })).toBe('');
		expect(words({ since: 700 })).toBe('');
		expect(words({ since: 600 })).toBe('Connecting…');
	});

	it('says who has control', () => {
		expect(words({ state: 'live', holder: 'other' })).toBe('View only: another viewer has control.');
		expect(words({ state: 'live', holder: 'nobody' })).toBe('View only: no viewer has control.');
	});

	it('says since when it reconnects', () => {
		const since = new Date(2026, 1, 3, 14, 5, 6).getTime();
		expect(words({ state: 'reconnecting', since })).toContain(`since ${new Date(since).toLocaleTimeString()}`);
	});

	it.each([
		[{ exitCode: 0, signal: null }, 'The program ended with exit code 0.'],
		[{ exitCode: null, signal: 9 }, 'The program ended by signal 9.'],
		[{ exitCode: null, signal: null }, 'The program ended.'],
	])('says how the program ended: %j', (how, sentence) => {
		expect(words({ state: 'ended', over: { type: 'closed', ...how } })).toBe(sentence);
	});

	it('says why there is no terminal, or that it ended while the connection was lost', () => {
		const over = { type: 'failed', error: gone } as const;
		expect(words({ state: 'ended', over })).toBe('Terminal "x" not found.');
		expect(words({ state: 'ended', over, endedUnseen: true })).toContain('ended while the connection was lost');
	});
});
