// The outcome of a request as a sentence. `about` names the request: `Bash "npm test"`.
import type { AskRow } from '@roost/protocol/ask';
import { assertNever } from '@roost/protocol/assert-never';

export function askOutcome(ask: Pick<AskRow, 'state' | 'decidedBy'>, about: string): string {
	switch (ask.state) {
		case 'pending':
			return `${about} is pending.`;
		case 'allowed':
			return `${deciderOf(ask)} allowed ${about}.`;
		case 'denied':
			return `${deciderOf(ask)} denied ${about}.`;
		case 'answered':
			return `${deciderOf(ask)} answered ${about}.`;
		case 'expired':
			return `${about} expired.`;
		case 'cancelled':
			return `The agent cancelled ${about}.`;
		case 'answered-elsewhere':
			return `${about} was resolved in the agent's terminal (reported by the agent).`;
		default:
			return assertNever(ask.state);
	}
}

function deciderOf({ decidedBy }: Pick<AskRow, 'decidedBy'>): string {
	if (decidedBy === undefined) return 'Someone';
	return decidedBy === 'rule' ? 'A rule' : decidedBy;
}
