import type { PastOutcome, RuleHistory, RuleMatch } from '@roost/protocol/api/rules';
import { sessionId } from '@roost/protocol/ids';
import { describe, expect, it } from 'vitest';
import { wouldMatchWords } from './history-words.ts';

const DENIED: PastOutcome = { outcome: 'denied', by: 'lea@web:k3f9' };
const ALLOWED: PastOutcome = { outcome: 'allowed', by: 'lea@cli' };
const BY_RULE: PastOutcome = { outcome: 'denied', by: 'rule r1' };

describe('the calls that a rule would have matched', () => {
	it('count those that a person decided otherwise', () => {
		const history = historyOf([DENIED, ALLOWED, BY_RULE, { outcome: 'unasked' }]);
		expect(wouldMatchWords('allow', history)).toBe('Would have matched 4 past calls, 1 of which you denied.');
		expect(wouldMatchWords('deny', history)).toBe('Would have matched 4 past calls, 1 of which you allowed.');
		expect(wouldMatchWords('ask', history)).toBe('Would have matched 4 past calls, 1 of which you were not asked about.');
		expect(wouldMatchWords('allow', historyOf([ALLOWED]))).toBe('Would have matched 1 past call, none of which you denied.');
	});

	it('name how many calls were compared if these are not all', () => {
		const looked = { calls: 1_000, since: 0, complete: false };
		expect(wouldMatchWords('allow', { ...historyOf([DENIED]), looked })).toBe(
			'Would have matched 1 of the newest 1000 calls, 1 of which you denied.',
		);
		expect(wouldMatchWords('allow', { matches: [], looked })).toBe('Would have matched none of the newest 1000 calls.');
	});

	it('can be none', () => {
		expect(wouldMatchWords('allow', historyOf([]))).toBe('Would have matched none of 9 past calls.');
		const looked = { calls: 0, since: null, complete: true };
		expect(wouldMatchWords('allow', { matches: [], looked })).toBe('No calls are on record where this rule would apply.');
	});
});

function historyOf(outcomes: readonly PastOutcome[]): RuleHistory {
	return { looked: { calls: 9, since: 0, complete: true }, matches: outcomes.map(matchOf) };
}

function matchOf(became: PastOutcome): RuleMatch {
	return {
		sessionId: sessionId.parse('k3f9'),
		offset: 1,
		ts: 0,
		tool: 'Bash',
		argument: 'git push',
		became,
		today: { decision: 'none' },
		withRule: { decision: 'deny' },
		changed: true,
	};
}
