import { describe, expect, it } from 'vitest';
import { decisionOutcome, decisionSentence } from './decision-outcome.ts';

describe('outcome of a decision', () => {
	it.each([
		[
			{ decision_type: 'allow', decided_by: 'user' },
			{ outcome: 'allowed', words: 'Allowed', by: 'by you' },
		],
		[
			{ decision_type: 'allow', decided_by: 'user', updated_input: { command: 'ls' } },
			{ outcome: 'allowed', words: 'Allowed, with changes', by: 'by you' },
		],
		[
			{ decision_type: 'allow', decided_by: 'terminal' },
			{ outcome: 'elsewhere', words: "Resolved in the agent's terminal", by: 'reported by the agent' },
		],
		[
			{ decision_type: 'deny', decided_by: 'user', message: 'No.\nNot today.' },
			{ outcome: 'denied', words: 'Denied', why: 'No.', by: 'by you' },
		],
		[
			{ decision_type: 'deny', decided_by: 'terminal', message: 'no' },
			{ outcome: 'denied', words: 'Denied', why: 'no', by: 'reported by the agent' },
		],
		[
			{ decision_type: 'deny', decided_by: 'rule', rule_id: 'r1', message: 'Denied by rule r1' },
			{ outcome: 'denied', words: 'Denied by rule r1' },
		],
		[
			{ decision_type: 'ask', decided_by: 'rule' },
			{ outcome: 'asked', words: 'To be asked', by: 'by a rule' },
		],
		[
			{ decision_type: 'no_opinion', decided_by: 'timeout' },
			{ outcome: 'expired', words: 'Expired', by: 'timed out' },
		],
		[
			{ decision_type: 'no_opinion', decided_by: 'system' },
			{ outcome: 'left', words: 'Left to the agent', by: 'by Roost' },
		],
	] as const)('of %j is %j', (data, outcome) => {
		expect(decisionOutcome({ ...data })).toEqual(outcome);
	});
});

describe('decision in one sentence', () => {
	it.each([
		[{ decision_type: 'allow', decided_by: 'user', principal: 'lea@web:phone' }, 'Allowed by lea@web:phone'],
		[
			{ decision_type: 'allow', decided_by: 'rule', rule_id: 'r1', reason: 'allowed by rule r1 (Bash git *)' },
			'Allowed by rule r1 (Bash git *)',
		],
		[
			{
				decision_type: 'deny',
				decided_by: 'rule',
				rule_id: 'r1',
				message: 'Denied by rule r1 (Bash rm *)',
				reason: 'Denied by rule r1 (Bash rm *)',
			},
			'Denied by rule r1 (Bash rm *)',
		],
		[{ decision_type: 'deny', decided_by: 'user', message: 'Not today' }, 'Denied by you: Not today'],
		[{ decision_type: 'allow', decided_by: 'system', reason: 'in plan mode' }, 'Allowed by Roost (in plan mode)'],
	] as const)('of %j is %j', (data, sentence) => {
		expect(decisionSentence({ ...data })).toBe(sentence);
	});
});
