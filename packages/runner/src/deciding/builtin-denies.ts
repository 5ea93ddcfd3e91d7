// What no agent may do, whatever the rules say: decide for its user. What it may not touch is in `own-files`.
import { ruleId } from '@roost/protocol/ids';
import type { Rule } from '@roost/protocol/rule';

export const DECIDING = ['allow', 'deny', 'answer', 'rules', 'hooks', 'plugins', 'mcp', 'devices', 'down'] as const;

export function builtinDenies(): Rule[] {
	return DECIDING.flatMap((word) => [
		builtinRule(`builtin-${word}`, 'Bash', `roost ${word} *`),
		builtinRule(`builtin-path-${word}`, 'Bash', `*/roost ${word} *`),
	]);
}

export function builtinRule(id: string, tool: string, argsPattern?: string): Rule {
	return {
		id: ruleId.parse(id),
		tool,
		...(argsPattern !== undefined && { argsPattern }),
		decision: 'deny',
		scope: 'user',
		scopeId: 'user',
		addedBy: 'roost',
		createdAt: 0,
	};
}
