// The rules rebuilt from facts, compared with the rows of the rules table. The facts decide.
import type { FeedEvent } from '@roost/protocol/feed/event';
import type { RuleId } from '@roost/protocol/ids';
import type { Rule } from '@roost/protocol/rule';
import { canonicalJson } from './canonical-json.ts';

export type RuleCheck = {
	/** In force, oldest first. */
	rules: Rule[];
	/** The differences between rows and facts, one sentence each. */
	problems: string[];
};

export function foldRules(events: Iterable<FeedEvent>): Map<RuleId, Rule> {
	const rules = new Map<RuleId, Rule>();
	for (const event of events) {
		if (event.kind === 'rule.added') rules.set(event.data.rule.id, event.data.rule);
		if (event.kind === 'rule.removed') rules.delete(event.data.rule_id as RuleId);
	}
	return rules;
}

/** Facts are redacted and rows are not: `redact` makes a row comparable, and where they agree the row applies. */
export function checkRules(rows: readonly Rule[], facts: ReadonlyMap<RuleId, Rule>, redact: (rule: Rule) => Rule): RuleCheck {
	const kept = new Map(rows.map((row) => [row.id, row]));
	const problems = rows
		.filter((row) => !facts.has(row.id))
		.map((row) => `Table rules: no fact explains rule ${row.id} (${describeRule(redact(row))}). It is not applied.`);
	const rules = [...facts.values()].map((fact) => {
		const row = kept.get(fact.id);
		if (row !== undefined && (isSame(row, fact) || isSame(redact(row), fact))) return row;
		const how = row === undefined ? 'is missing' : `was changed to ${describeRule(redact(row))}`;
		problems.push(`Table rules: rule ${fact.id} ${how}. The recorded rule applies: ${describeRule(fact)}.`);
		return fact;
	});
	return { rules: rules.sort((a, b) => a.createdAt - b.createdAt), problems };
}

function isSame(a: Rule, b: Rule): boolean {
	return canonicalJson(a) === canonicalJson(b);
}

function describeRule({ decision, tool, argsPattern, scope, scopeId, projectPath }: Rule): string {
	const place = projectPath === undefined ? scopeId : `${scopeId} at ${projectPath}`;
	const where = scope === 'user' ? 'user' : `${scope} ${place}`;
	return `${decision} ${tool}${argsPattern === undefined ? '' : ` ${argsPattern}`}, ${where}`;
}
