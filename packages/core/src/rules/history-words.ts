// The effect of a rule on recorded calls in words.
import type { PastOutcome, RuleHistory, RuleMatch, Ruling } from '@roost/protocol/api/rules';
import type { RuleDecision } from '@roost/protocol/rule';
import { plural } from '../display/plural.ts';

/** "Would have matched 214 past calls, 3 of which you denied." */
export function wouldMatchWords(decision: RuleDecision, { looked, matches }: RuleHistory): string {
	if (looked.calls === 0)
		return `No calls are on record${looked.complete ? '' : ' among the newest events'} where this rule would apply.`;
	const lookedAt = looked.complete ? plural(looked.calls, 'past call') : `the newest ${looked.calls} calls`;
	if (matches.length === 0) return `Would have matched none of ${lookedAt}.`;
	const matched = looked.complete ? plural(matches.length, 'past call') : `${matches.length} of ${lookedAt}`;
	const { isOpposed, words } = OPPOSED[decision];
	return `Would have matched ${matched}, ${matches.filter(isOpposed).length || 'none'} of which ${words}.`;
}

/** The matches that speak against such a rule. */
const OPPOSED: Record<RuleDecision, { isOpposed: (match: RuleMatch) => boolean; words: string }> = {
	allow: { isOpposed: ({ became }) => became.outcome === 'denied' && isPerson(became), words: 'you denied' },
	deny: { isOpposed: ({ became }) => became.outcome === 'allowed' && isPerson(became), words: 'you allowed' },
	ask: { isOpposed: ({ became }) => became.outcome === 'unasked', words: 'you were not asked about' },
};

/** Only a person is named as `name@face`. */
function isPerson({ by }: PastOutcome): boolean {
	return by?.includes('@') ?? false;
}

export function outcomeInWords({ outcome, by }: PastOutcome): string {
	return by === undefined ? OUTCOMES[outcome] : `${OUTCOMES[outcome]} by ${by}`;
}

const OUTCOMES: Record<PastOutcome['outcome'], string> = {
	unasked: 'not asked',
	open: 'asked',
	allowed: 'allowed',
	denied: 'denied',
	answered: 'answered',
	no_opinion: 'left to the agent',
};

export function withRuleInWords({ withRule, changed }: RuleMatch): string {
	const words = RULINGS[withRule.decision];
	return changed ? words : `${words}, as without it`;
}

const RULINGS: Record<Ruling['decision'], string> = {
	allow: 'allowed',
	deny: 'denied',
	ask: 'asked',
	none: 'left to the agent',
};
