import { describe, expect, it } from 'vitest';
import { decisionOutcome } from './decision-outcome.ts';

describe('outcome of a decision', () => {
	it.each([
		[
			{ decision_type: 'allow', decided_by: 'user' },
			{ outcome: 'allowed', words: 'Allowed' },
		],
		[
			{ decision_type: 'allow', decided_by: 'user', updated_input: { command: 'ls' } },
			{ outcome: 'allowed', words: 'Allowed, with changes' },
		],
		[
			{ decision_type: 'allow', decided_by: 'terminal' },
			{ outcome: 'elsewhere', words: "Resolved in the agent's terminal" },
		],
		[
			{ decision_type: 'deny', decided_by: 'user', message: 'No.\nNot today.' },
			{ outcome: 'denied', words: 'Denied', why: 'No.' },
		],
		[
			{ decision_type: 'deny', decided_by: 'terminal', message: 'no' },
			{ outcome: 'denied', words: 'Denied', why: 'no' },
		],
		[
			{ decision_type: 'deny', decided_by: 'rule', rule_id: 'r1', message: 'Denied by rule r1' },
			{ outcome: 'denied', words: 'Denied by rule r1' },
		],
		[
			{ decision_type: 'ask', decided_by: 'rule' },
			{ outcome: 'asked', words: 'To be asked' },
		],
		[
			{ decision_type: 'no_opinion', decided_by: 'timeout' },
			{ outcome: 'expired', words: 'Expired' },
		],
		[
			{ decision_type: 'no_opinion', decided_by: 'system' },
			{ outcome: 'left', words: 'Left to the agent' },
		],
	] as const)('of %j is %j', (data, outcome) => {
		expect(decisionOutcome({ ...data })).toEqual(outcome);
	});
});
