// What a rule would have done to past calls, for people: one line per call it matches, then how far back was looked.
import type { PastOutcome, RuleHistory, RuleMatch, Ruling } from '@roost/protocol/api/rules';
import { toTable } from './table.ts';

const HEADER = ['SESSION', 'WHEN', 'THEN', 'WITH THE RULE', 'TOOL', 'CALL'];

export function toHistoryText({ looked, matches }: RuleHistory): string {
	if (looked.calls === 0)
		return `No calls are on record${looked.complete ? '' : ' among the newest events'} where this rule would hold.`;
	const span = looked.complete ? 'the whole record' : `the newest, back to ${toTime(looked.since ?? 0)}`;
	const lookedAt = `Looked at ${count(looked.calls, 'call')}: ${span}.`;
	if (matches.length === 0) return `It matches none. ${lookedAt}`;
	const changed = matches.filter((match) => match.changed).length;
	const summary = `It matches ${count(matches.length, 'call')}, and would change ${changed || 'none'} of them. ${lookedAt}`;
	return `${toTable(HEADER, matches.map(toCells))}\n\n${summary}`;
}

function toCells({ sessionId, ts, tool, argument, became, withRule, changed }: RuleMatch): string[] {
	const now = RULINGS[withRule.decision];
	return [sessionId, toTime(ts), toOutcome(became), changed ? now : `${now}, as without it`, tool, argument];
}

function toOutcome({ outcome, by }: PastOutcome): string {
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

const RULINGS: Record<Ruling['decision'], string> = {
	allow: 'allowed',
	deny: 'denied',
	ask: 'asked',
	none: 'left to the agent',
};

function count(number: number, noun: string): string {
	return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** Local, to the minute, sortable. */
function toTime(ts: number): string {
	const date = new Date(ts);
	const two = (part: number) => String(part).padStart(2, '0');
	const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
	return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
