import type { RuleHistory, RuleMatch } from '@roost/protocol/api/rules';
import { sessionId } from '@roost/protocol/ids';
import { describe, expect, it } from 'vitest';
import { toHistoryText } from './rule-table.ts';

const NOON = new Date(2026, 0, 2, 12, 34, 56).getTime();

describe('rule history as text', () => {
	it('has a line per match with its outcome and the decision of the rule', () => {
		const text = toHistoryText(
			history([
				match({ argument: 'git push -f', became: { outcome: 'allowed', by: 'lea@cli' } }),
				match({ argument: 'git push', became: { outcome: 'denied', by: 'rule r1' }, changed: false }),
			]),
		);
		expect(text.split('\n')).toEqual([
			'SESSION  WHEN              THEN                WITH THE RULE          TOOL  CALL',
			'k3f9     2026-01-02 12:34  allowed by lea@cli  denied                 Bash  git push -f',
			'k3f9     2026-01-02 12:34  denied by rule r1   denied, as without it  Bash  git push',
			'',
			'It matches 2 calls, and would change 1 of them. Looked at 9 calls: the whole record.',
		]);
	});

	it('shows how far back the search went', () => {
		const looked = { calls: 1_000, since: NOON, complete: false };
		expect(toHistoryText({ looked, matches: [] })).toBe(
			'No call matches. Looked at 1000 calls: the newest, back to 2026-01-02 12:34.',
		);
		expect(toHistoryText({ looked: { calls: 0, since: null, complete: true }, matches: [] })).toBe(
			'No calls are on record where this rule would apply.',
		);
		expect(toHistoryText({ looked: { calls: 0, since: NOON, complete: false }, matches: [] })).toContain(
			'among the newest events',
		);
	});

	it('escapes control characters', () => {
		const text = toHistoryText(history([match({ argument: 'git push \u001b[2J\r\n\u202e', tool: 'Ba\u0007sh' })]));
		expect(text).toContain('Ba\\x07sh  git push \\x1b[2J\\r\\n\\u{202e}');
	});
});

function history(matches: RuleMatch[]): RuleHistory {
	return { looked: { calls: 9, since: NOON, complete: true }, matches };
}

function match(over: Partial<RuleMatch>): RuleMatch {
	return {
		sessionId: sessionId.parse('k3f9'),
		offset: 1,
		ts: NOON,
		tool: 'Bash',
		argument: 'git push',
		became: { outcome: 'unasked' },
		today: { decision: 'none' },
		withRule: { decision: 'deny' },
		changed: true,
		...over,
	};
}
