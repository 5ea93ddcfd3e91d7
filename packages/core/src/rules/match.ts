// Judges a tool call by the rules: a deny at any scope wins, then ask and allow, the most specific scope first.
import type { ToolInput } from '@roost/protocol/feed/base';
import type { Rule, RuleDecision, RuleScope } from '@roost/protocol/rule';
import { type ShellLine, simpleCommands } from '../shell/simple-commands.ts';
import { isParsedShell, type MainArgument, mainArgument } from './argument.ts';
import { normalisePath } from './normalise-path.ts';
import { coversLine, touchesLine } from './shell-cover.ts';
import { matchesText, parseTextGlob } from './text-glob.ts';
import { matchesTool } from './tool-glob.ts';

/** A call by its normal tool name: `Bash`, `Write`, `mcp__server__tool`. */
export type ToolCall = { tool: string; input: ToolInput };
export type RuleScopeIds = { sessionId: string; projectId: string };
export type RuleVerdict = { decision: RuleDecision; rule: Rule } | { decision: 'none' };

export function judge(call: ToolCall, rules: readonly Rule[], scope: RuleScopeIds): RuleVerdict {
	const candidates = rules.filter((rule) => applies(rule, scope) && matchesTool(rule.tool, call.tool)).sort(byPrecedence);
	if (candidates.length === 0) return { decision: 'none' };
	const subject = toSubject(call);
	const rule = candidates.find((candidate) => matches(candidate, subject));
	return rule === undefined ? { decision: 'none' } : { decision: rule.decision, rule };
}

/** Whether the rule speaks of this session or project at all. */
export function applies(rule: Rule, scope: RuleScopeIds): boolean {
	if (rule.scope === 'user') return true;
	return rule.scopeId === (rule.scope === 'session' ? scope.sessionId : scope.projectId);
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
type Subject = { argument: MainArgument; line: ShellLine | undefined; unread: boolean };

function toSubject({ tool, input }: ToolCall): Subject {
	const argument = mainArgument(tool, input);
	const line = argument.kind === 'shell' ? simpleCommands(argument.text) : undefined;
	return { argument, line, unread: line !== undefined && !isParsedShell(tool) };
}

function matches({ argsPattern, decision }: Rule, subject: Subject): boolean {
	const { argument, line, unread } = subject;
	if (argsPattern === undefined) return decision !== 'allow' || unread || (line?.parsed ?? true);
	if (line !== undefined) {
		if (decision === 'allow') return !unread && coversLine(argsPattern, line);
		return touchesLine(argsPattern, argument.text, line);
	}
	const glob = parseTextGlob(argsPattern);
	if (argument.kind !== 'path') return matchesText(glob, argument.text);
	const resolved = matchesText(glob, normalisePath(argument.text));
	return resolved || (decision !== 'allow' && matchesText(glob, argument.text));
}
