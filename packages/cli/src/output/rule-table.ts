// Rules as text: the list, and the effect of a rule on past calls.
import { plural } from '@roost/core/display/plural';
import { outcomeInWords, withRuleInWords } from '@roost/core/rules/history-words';
import { isInForce } from '@roost/core/rules/in-force';
import { expiryInWords } from '@roost/core/rules/rule-words';
import type { RuleHistory, RuleMatch } from '@roost/protocol/api/rules';
import type { Rule } from '@roost/protocol/rule';
import type { SessionRow } from '@roost/protocol/session-row';
import { toTable } from './table.ts';

/** A rule with its project, and whether it applies here. */
export type ListedRule = Rule & {
	/** Absent for rules of the user, and of sessions that are not on record. */
	project?: string;
	appliesHere: boolean;
};

/** Rules that apply here first. A session rule applies in the project of its session. */
export function toListedRules(
	rules: readonly Rule[],
	sessions: readonly SessionRow[],
	here: { projectPath: string; now: number },
): ListedRule[] {
	const listed = rules.map((rule): ListedRule => {
		const session = rule.scope === 'session' ? sessions.find(({ id }) => id === rule.scopeId) : undefined;
		const project = rule.projectPath ?? session?.projectPath;
		const isHere = rule.scope === 'user' || project === here.projectPath;
		return { ...rule, ...(project !== undefined && { project }), appliesHere: isHere && isInForce(rule, here.now) };
	});
	return [...listed.filter(({ appliesHere }) => appliesHere), ...listed.filter(({ appliesHere }) => !appliesHere)];
}

/** `faint` greys out rules that do not apply. */
export function toRuleList(rules: readonly ListedRule[], now: number, faint: (text: string) => string): string {
	const table = toTable(
		HEADER,
		rules.map((rule) => toCells(rule, now)),
	);
	const [first = '', ...lines] = table.split('\n');
	const here = rules.filter(({ appliesHere }) => appliesHere).length;
	if (here === lines.length) return [first, ...lines].join('\n');
	const others = [NOT_HERE, ...lines.slice(here)].map(faint);
	return [first, ...lines.slice(0, here), ...(here === 0 ? ['No rules apply here.'] : []), '', ...others].join('\n');
}

const HEADER = ['RULE', 'DECISION', 'TOOL', 'PATTERN', 'SCOPE', 'PROJECT', 'EXPIRES', 'BY'];
const NOT_HERE = 'Not applied here (expired, or of another project or session):';

function toCells(rule: ListedRule, now: number): string[] {
	const { id, decision, tool, argsPattern = '', scope, scopeId, project = '', addedBy } = rule;
	return [
		id,
		decision,
		tool,
		argsPattern,
		scope === 'session' ? `session ${scopeId}` : scope,
		project,
		expiryInWords(rule, now) || 'never',
		addedBy,
	];
}

const HISTORY_HEADER = ['SESSION', 'WHEN', 'THEN', 'WITH THE RULE', 'TOOL', 'CALL'];

export function toHistoryText({ looked, matches }: RuleHistory): string {
	if (looked.calls === 0)
		return `No calls are on record${looked.complete ? '' : ' among the newest events'} where this rule would apply.`;
	const span = looked.complete ? 'the whole record' : `the newest, back to ${toTime(looked.since ?? 0)}`;
	const lookedAt = `Looked at ${plural(looked.calls, 'call')}: ${span}.`;
	if (matches.length === 0) return `No call matches. ${lookedAt}`;
	const changed = matches.filter((match) => match.changed).length;
	const summary = `It matches ${plural(matches.length, 'call')}, and would change ${changed || 'none'} of them. ${lookedAt}`;
	return `${toTable(HISTORY_HEADER, matches.map(toMatchCells))}\n\n${summary}`;
}

function toMatchCells(match: RuleMatch): string[] {
	const { sessionId, ts, tool, argument, became } = match;
	return [sessionId, toTime(ts), outcomeInWords(became), withRuleInWords(match), tool, argument];
}

/** Local, to the minute, sortable. */
function toTime(ts: number): string {
	const date = new Date(ts);
	const two = (part: number) => String(part).padStart(2, '0');
	const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
	return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
