import { describe, expect, it } from 'vitest';
import { stateWords } from './words.ts';

describe('session state', () => {
	it.each([
		[{ status: 'idle' }, 'idle'],
		[{ status: 'idle', lastRun: 'aborted' }, 'idle (the last run was interrupted)'],
		[{ status: 'idle', lastRun: 'failed' }, 'idle (the last run failed)'],
		[{ status: 'interrupted', lastRun: 'aborted' }, 'interrupted'],
		[{ status: 'ended', lastRun: 'failed' }, 'ended'],
		[{ status: 'waiting' }, 'waiting for you'],
		[{ status: 'waiting', ownDialog: 'expired' }, 'expired, still open in Claude'],
		[{ status: 'waiting', ownDialog: 'open' }, 'waiting in Claude'],
	] as const)('%j is %s', (state, words) => {
		expect(stateWords({ agent: 'claude', ...state })).toBe(words);
	});

	it.each([
		['working', 'unknown (last recorded: working; no runner is up)'],
		['idle', 'idle'],
		['ended', 'ended'],
	] as const)('%s is %s when no runner is up', (status, words) => {
		expect(stateWords({ agent: 'claude', status }, false)).toBe(words);
	});
});
