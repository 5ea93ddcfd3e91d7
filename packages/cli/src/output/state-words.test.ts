import { describe, expect, it } from 'vitest';
import { stateWords } from './state-words.ts';

describe('the state of a session', () => {
	it.each([
		[{ status: 'idle' }, 'idle'],
		[{ status: 'idle', lastRun: 'aborted' }, 'idle (the last run was interrupted)'],
		[{ status: 'idle', lastRun: 'failed' }, 'idle (the last run failed)'],
		[{ status: 'interrupted', lastRun: 'aborted' }, 'interrupted'],
		[{ status: 'ended', lastRun: 'failed' }, 'ended'],
	] as const)('%j is %s', (state, words) => {
		expect(stateWords(state)).toBe(words);
	});
});
