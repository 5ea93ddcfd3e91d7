// Rules as text: the list, one rule, and the effect of a rule on past calls.
import { plural } from '@roost/core/display/plural';
import { sanitiseLine } from '@roost/core/display/sanitise';
import { isInForce } from '@roost/core/rules/in-force';
import type { PastOutcome, RuleHistory, RuleMatch, Ruling } from '@roost/protocol/api/rules';
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

function toMatchCells({ sessionId, ts, tool, argument, became, withRule, changed }: RuleMatch): string[] {
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

/** Local, to the minute, sortable. */
function toTime(ts: number): string {
	const date = new Date(ts);
	const two = (part: number) => String(part).padStart(2, '0');
	const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
	return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
