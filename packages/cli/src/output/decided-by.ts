// Who decided something, in words.
import { assertNever } from '@roost/protocol/assert-never';

type Origin = {
	decided_by: 'user' | 'rule' | 'timeout' | 'terminal' | 'system';
	rule_id?: string;
	rule_ids?: readonly string[];
	principal?: string;
};

export function decidedBy({ decided_by, rule_id, rule_ids, principal }: Origin): string {
	switch (decided_by) {
		case 'user':
			return principal ? `by ${principal}` : 'by you';
		case 'rule':
			if (rule_ids) return `by rules ${rule_ids.join(', ')}`;
			return rule_id ? `by rule ${rule_id}` : 'by a rule';
		case 'timeout':
			return 'nobody answered in time';
		case 'terminal':
			return 'reported by the agent';
		case 'system':
			return 'by Roost';
		default:
			return assertNever(decided_by);
	}
}
