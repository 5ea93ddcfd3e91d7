// Rules in words: one rule, when it expires, and what the rules decide for a call.
import type { RuleTestResult } from '@roost/protocol/api/rules';
import type { Rule } from '@roost/protocol/rule';
import { sanitiseLine } from '../display/sanitise.ts';

export function expiryInWords(rule: Pick<Rule, 'expiresAt'>, now: number): string {
	if (rule.expiresAt === undefined) return '';
	return now < rule.expiresAt ? `in ${timeLeft(rule.expiresAt - now)}` : 'expired';
}

function timeLeft(ms: number): string {
	const minutes = Math.ceil(ms / 60_000);
	if (minutes <= 90) return `${minutes}m`;
	return minutes <= 2_880 ? `${Math.ceil(minutes / 60)}h` : `${Math.ceil(minutes / 1_440)}d`;
}

/** `7kq2m4: allow Bash npm test * project /repo, expires in 30m` */
export function ruleInWords(rule: Rule, now: number): string {
	const { id, decision, tool, argsPattern, scope, scopeId, projectPath = scopeId } = rule;
	const where = scope === 'user' ? 'user' : `${scope} ${projectPath}`;
	const expiry = expiryInWords(rule, now);
	const words = [decision, tool, argsPattern, where].filter(Boolean).join(' ');
	return sanitiseLine(`${id}: ${words}${expiry === '' ? '' : `, ${expiry === 'expired' ? expiry : `expires ${expiry}`}`}`);
}

/** The rules that decide; none if no rule does. */
export function decidingRules({ rule, rules }: RuleTestResult): readonly Rule[] {
	return rules ?? (rule ? [rule] : []);
}

/** Why a rule applies that does not match, or why rules that allow each part do not allow the line. */
export function whyInWords({ rule, why }: RuleTestResult): string {
	return why === undefined ? '' : `${rule ? 'The rule may apply' : 'The rules do not add up'}: ${sanitiseLine(why)}.`;
}

export const UNDECIDED = 'No rule decides: you would be asked.';
export const NOT_COVERED = 'no rule';

export const NO_TOOL = 'Name a tool, such as Bash or mcp__github__*.';
export const PATTERN_HELP =
	'A tool or pattern may have a *, as in "mcp__github__*" or "git push *". Without a pattern the rule applies to every call.';
