// Judges a tool call by the rules: a deny at any scope wins, then ask and allow, the most specific scope first. The parts of a shell
// line may be allowed by different rules.
import type { Rule, RuleDecision, RuleScope } from '@roost/protocol/rule';
import { whyNotCombined } from './combined-line.ts';
import { doubtOf, whyFed } from './line-doubt.ts';
import { isExactly, touchesText } from './shell-cover.ts';
import { matches, matchesPart, partsOf, type Subject, type ToolCall, toSubject } from './subject.ts';
import { matchesTool } from './tool-glob.ts';

export type RuleScopeIds = { sessionId: string; projectId: string };
export type RuleVerdict =
	| {
			decision: RuleDecision;
			rule: Rule;
			/** Where the parts of a line are allowed by several rules, all of them. */
			rules?: readonly Rule[];
			/** Why the rule may apply to a part that cannot be seen. */
			why?: string;
	  }
	/** `why`: each part is allowed, but not the whole line. */
	| { decision: 'none'; why?: string };

/** The verdict on one part of a shell line. */
export type PartVerdict = { text: string; decision: RuleDecision | 'none'; rule?: Rule };

export function judge(call: ToolCall, rules: readonly Rule[], scope: RuleScopeIds): RuleVerdict {
	const candidates = candidatesFor(call, rules, scope);
	if (candidates.length === 0) return { decision: 'none' };
	const subject = toSubject(call);
	const rule = candidates.find((candidate) => matches(candidate, subject));
	if (rule?.decision === 'allow')
		return doubtBeside(rule, strongerThan(rule, candidates), subject) ?? { decision: 'allow', rule };
	if (rule?.decision === 'deny') return { decision: 'deny', rule };
	const combined = combine(candidates, subject);
	if (combined !== undefined && combined.decision !== 'none') return combined;
	return rule === undefined ? (combined ?? { decision: 'none' }) : { decision: 'ask', rule };
}

/** Each part of a shell line by itself; empty where a call is decided as a whole. */
export function judgeParts(call: ToolCall, rules: readonly Rule[], scope: RuleScopeIds): PartVerdict[] {
	const subject = toSubject(call);
	const candidates = candidatesFor(call, rules, scope);
	return (partsOf(subject) ?? []).map(({ text }, at) => {
		const rule = candidates.find((candidate) => matchesPart(candidate, subject, at));
		return rule === undefined ? { text, decision: 'none' } : { text, decision: rule.decision, rule };
	});
}

/** Strongest first. */
function candidatesFor({ tool }: ToolCall, rules: readonly Rule[], scope: RuleScopeIds): readonly Rule[] {
	return strongestFirst(rules).filter((rule) => applies(rule, scope) && matchesName(rule, tool));
}

/** Rules change rarely and are judged on every call, so each list is sorted once. */
function strongestFirst(rules: readonly Rule[]): readonly Rule[] {
	const known = SORTED.get(rules);
	if (known !== undefined) return known;
	const sorted = rules.toSorted(byPrecedence);
	SORTED.set(rules, sorted);
	return sorted;
}

const SORTED = new WeakMap<readonly Rule[], readonly Rule[]>();

/** Undefined where not every part of the line is allowed. */
function combine(candidates: readonly Rule[], subject: Subject): RuleVerdict | undefined {
	const parts = partsOf(subject);
	if (parts === undefined) return undefined;
	const deciding = new Set<Rule>();
	for (const at of parts.keys()) {
		const rule = candidates.find((candidate) => matchesPart(candidate, subject, at));
		if (rule?.decision !== 'allow') return undefined;
		deciding.add(rule);
	}
	const line = subject.argument.text;
	const apart = whyNotCombined(line, parts);
	if (apart !== undefined) return { decision: 'none', why: apart };
	const rules = candidates.filter((rule) => deciding.has(rule));
	const [rule, weakest] = [rules[0], rules.at(-1)];
	if (rule === undefined || weakest === undefined) return undefined;
	// An ask that a more specific allow overrides is settled.
	const unsettled = strongerThan(weakest, candidates).filter((each) => each.decision === 'deny' || !matches(each, subject));
	return doubtOfLine(line, unsettled) ?? { decision: 'allow', rule, rules };
}

function strongerThan(rule: Rule, candidates: readonly Rule[]): readonly Rule[] {
	const before = candidates.slice(0, candidates.indexOf(rule));
	return before.filter((each) => each.decision !== 'allow' && each.addedBy !== BUILT_IN);
}

/** Built-in denies are about Roost's own files only, and do not limit an allow for everything else. */
const BUILT_IN = 'roost';

/** A stronger rule may apply where the line hides what it runs, unless the allow is for exactly this line. */
function doubtBeside(allow: Rule, stronger: readonly Rule[], { argument, shell }: Subject): RuleVerdict | undefined {
	const [first] = stronger;
	if (first === undefined || shell === undefined || shell.unread) return undefined;
	if (allow.argsPattern === undefined) return doubtOfLine(argument.text, stronger);
	const fed = isExactly(allow.argsPattern, argument.text) || !shell.line.parsed ? undefined : whyFed(shell.line.commands);
	return fed === undefined ? undefined : { decision: 'ask', rule: first, why: fed };
}

function doubtOfLine(line: string, stronger: readonly Rule[]): RuleVerdict | undefined {
	const [first] = stronger;
	if (first === undefined) return undefined;
	const { texts, why } = doubtOf(line);
	const meant = stronger.find(({ argsPattern }) => argsPattern !== undefined && touchesText(argsPattern, texts));
	if (meant !== undefined) return { decision: meant.decision, rule: meant };
	return why === undefined ? undefined : { decision: 'ask', rule: first, why };
}

/** Whether the rule is for this session or project. */
export function applies(rule: Rule, scope: RuleScopeIds): boolean {
	if (rule.scope === 'user') return true;
	return rule.scopeId === (rule.scope === 'session' ? scope.sessionId : scope.projectId);
}

/** A name too long to be matched counts as a match for a deny or an ask. */
function matchesName({ tool: glob, decision }: Rule, tool: string): boolean {
	return matchesTool(glob, tool, decision !== 'allow');
}

/** Age and id make the order deterministic. */
function byPrecedence(a: Rule, b: Rule): number {
	return rank(a) - rank(b) || a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);
}

function rank(rule: Rule): number {
	const scope = SCOPE_ORDER[rule.scope];
	if (rule.decision === 'deny') return scope;
	return 10 + 2 * scope + (rule.decision === 'ask' ? 0 : 1);
}

const SCOPE_ORDER: Record<RuleScope, number> = { session: 0, project: 1, user: 2 };
