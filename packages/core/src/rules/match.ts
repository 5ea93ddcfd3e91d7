// Judges a tool call by the rules: a deny at any scope wins, then ask and allow, the most specific scope first.
import type { ToolInput } from '@roost/protocol/feed/base';
import type { Rule, RuleDecision, RuleScope } from '@roost/protocol/rule';
import { type ShellLine, simpleCommands } from '../shell/simple-commands.ts';
import { isParsedShell, type MainArgument, mainArgument } from './argument.ts';
import { doubtOf, whyFed } from './line-doubt.ts';
import { type Meanings, meaningsOf } from './line-meanings.ts';
import { normalisePath } from './normalise-path.ts';
import { coversLine, isExactly, touchesText } from './shell-cover.ts';
import { matchesText, parseTextGlob } from './text-glob.ts';
import { matchesTool } from './tool-glob.ts';

/** A call by its normal tool name: `Bash`, `Write`, `mcp__server__tool`. */
export type ToolCall = { tool: string; input: ToolInput };
export type RuleScopeIds = { sessionId: string; projectId: string };
export type RuleVerdict =
	/** `why`: the rule may be meant by what cannot be seen. */
	{ decision: RuleDecision; rule: Rule; why?: string } | { decision: 'none' };

export function judge(call: ToolCall, rules: readonly Rule[], scope: RuleScopeIds): RuleVerdict {
	const candidates = rules.filter((rule) => applies(rule, scope) && speaksOf(rule, call.tool)).sort(byPrecedence);
	if (candidates.length === 0) return { decision: 'none' };
	const subject = toSubject(call);
	const at = candidates.findIndex((candidate) => matches(candidate, subject));
	const rule = candidates[at];
	if (rule === undefined) return { decision: 'none' };
	const stronger = candidates.slice(0, at).filter((each) => each.decision !== 'allow' && each.addedBy !== BUILT_IN);
	const doubt = rule.decision === 'allow' ? doubtBeside(rule, stronger, subject) : undefined;
	return doubt ?? { decision: rule.decision, rule };
}

/** Built-in denies speak of Roost alone: an allow for everything else stays one. */
const BUILT_IN = 'roost';

/** A rule that is stronger than the allow may be meant where the line hides what it runs, unless the allow says exactly that. */
function doubtBeside(allow: Rule, stronger: readonly Rule[], { argument, shell }: Subject): RuleVerdict | undefined {
	const [first] = stronger;
	if (first === undefined || shell === undefined || shell.unread) return undefined;
	if (allow.argsPattern !== undefined) {
		const fed = isExactly(allow.argsPattern, argument.text) || !shell.line.parsed ? undefined : whyFed(shell.line.commands);
		return fed === undefined ? undefined : { decision: 'ask', rule: first, why: fed };
	}
	const { texts, why } = doubtOf(argument.text);
	const meant = stronger.find(({ argsPattern }) => argsPattern !== undefined && touchesText(argsPattern, texts));
	if (meant !== undefined) return { decision: meant.decision, rule: meant };
	return why === undefined ? undefined : { decision: 'ask', rule: first, why };
}

/** Whether the rule speaks of this session or project at all. */
export function applies(rule: Rule, scope: RuleScopeIds): boolean {
	if (rule.scope === 'user') return true;
	return rule.scopeId === (rule.scope === 'session' ? scope.sessionId : scope.projectId);
}

/** Of a name too long to be matched, a deny or an ask speaks all the same. */
function speaksOf({ tool: glob, decision }: Rule, tool: string): boolean {
	return matchesTool(glob, tool, decision !== 'allow');
}

/** Age and id only make the answer the same every time. */
function byPrecedence(a: Rule, b: Rule): number {
	return rank(a) - rank(b) || a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);
}

function rank(rule: Rule): number {
	const scope = SCOPE_ORDER[rule.scope];
	if (rule.decision === 'deny') return scope;
	return 10 + 2 * scope + (rule.decision === 'ask' ? 0 : 1);
}

const SCOPE_ORDER: Record<RuleScope, number> = { session: 0, project: 1, user: 2 };

/** `unread`: a shell line in a language that is not parsed here, so that no pattern can cover it. */
type Subject = { argument: MainArgument; shell: { line: ShellLine; meanings: Meanings; unread: boolean } | undefined };

function toSubject({ tool, input }: ToolCall): Subject {
	const argument = mainArgument(tool, input);
	if (argument.kind !== 'shell') return { argument, shell: undefined };
	const line = simpleCommands(argument.text);
	return { argument, shell: { line, meanings: meaningsOf(argument.text, line), unread: !isParsedShell(tool) } };
}

function matches({ argsPattern, decision }: Rule, { argument, shell }: Subject): boolean {
	if (shell !== undefined) {
		const { line, meanings, unread } = shell;
		if (decision !== 'allow') return argsPattern === undefined || touchesText(argsPattern, meanings.texts);
		if (argsPattern === undefined) return unread || (line.parsed && meanings.complete);
		return !unread && meanings.complete && coversLine(argsPattern, line, argument.text);
	}
	if (argsPattern === undefined) return true;
	const glob = parseTextGlob(argsPattern);
	if (argument.kind !== 'path') return matchesText(glob, argument.text);
	const resolved = matchesText(glob, normalisePath(argument.text));
	return resolved || (decision !== 'allow' && matchesText(glob, argument.text));
}
