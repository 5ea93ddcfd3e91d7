// Which parts of a shell line no allow rule covers, in words for whoever is asked about it.
import type { Rule } from '@roost/protocol/rule';
import { judgeParts, type RuleScopeIds } from './match.ts';
import type { ToolCall } from './subject.ts';

const MOST_NAMED = 3;
const LONGEST = 60;

/** To be given a call without its secrets. Undefined where no part is covered, or the call has only one. */
export function whyUncovered(call: ToolCall, rules: readonly Rule[], scope: RuleScopeIds): string | undefined {
	const parts = judgeParts(call, rules, scope);
	const uncovered = parts.filter(({ decision }) => decision === 'none');
	if (uncovered.length === 0 || uncovered.length === parts.length) return undefined;
	const named = [...new Set(uncovered.map(({ text }) => cut(text)))];
	const more = named.length > MOST_NAMED ? ` and ${named.length - MOST_NAMED} more` : '';
	return `no rule covers ${named.slice(0, MOST_NAMED).join(', ')}${more}`;
}

function cut(text: string): string {
	return JSON.stringify(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
}
