// What no agent may do, whatever the rules say: touch Roost's own home, or decide for its user.
import { escapeTextGlob } from '@roost/core/rules/text-glob';
import { ruleId } from '@roost/protocol/ids';
import type { Rule } from '@roost/protocol/rule';

const DECIDING = ['allow', 'deny', 'answer', 'rules', 'hooks', 'down'] as const;

export function builtinDenies(home: { data: string; run: string }): Rule[] {
	const places = [...new Set([home.data, home.run])].map((path, index) =>
		deny(`builtin-home-${index + 1}`, '*', `*${escapeTextGlob(path)}*`),
	);
	const commands = DECIDING.flatMap((word) => [
		deny(`builtin-${word}`, 'Bash', `roost ${word} *`),
		deny(`builtin-path-${word}`, 'Bash', `*/roost ${word} *`),
	]);
	return [...places, ...commands];
}

function deny(id: string, tool: string, argsPattern: string): Rule {
	return {
		id: ruleId.parse(id),
		tool,
		argsPattern,
		decision: 'deny',
		scope: 'user',
		scopeId: 'user',
		addedBy: 'roost',
		createdAt: 0,
	};
}
