// The argument patterns that "always" offers: for a shell line, one for each part that no rule allows yet. As wide as a command's
// first words, and exact for high risks.
import type { Risk } from '@roost/protocol/ask';
import { ruleId } from '@roost/protocol/ids';
import type { Rule, RuleDecision } from '@roost/protocol/rule';
import { names } from '../shell/flags.ts';
import type { SimpleCommand } from '../shell/simple-commands.ts';
import { isWrapper } from '../shell/wrappers.ts';
import { judge, judgeParts, type RuleScopeIds } from './match.ts';
import { coversLine, coversPart } from './shell-cover.ts';
import { type MainArgument, partsOf, type Subject, type ToolCall, toSubject } from './subject.ts';
import { escapeTextGlob } from './text-glob.ts';
import { toolRuleGlob } from './tool-glob.ts';

export type Offer = {
	decision: Exclude<RuleDecision, 'ask'>;
	/** Those in force. */
	rules: readonly Rule[];
	scope: RuleScopeIds;
};

const LONGEST = 500;
/** Of more patterns than this, the line itself is offered instead. */
const MOST = 4;

/** Empty where a pattern would not narrow the rule. */
export function offerPatterns(call: ToolCall & { risk: Risk }, { decision, rules, scope }: Offer): string[] {
	const subject = toSubject(call);
	const exactly = call.risk === 'high';
	const whole = [wholePattern(subject, exactly)];
	const offered = decision === 'deny' ? denied(subject, whole) : allowed(call, subject, whole, { rules, scope });
	return offered.every((pattern) => pattern.length <= LONGEST) ? offered : [];
}

/** A line of several commands is denied as a whole: most of them are harmless elsewhere. */
function denied(subject: Subject, whole: string[]): string[] {
	const isOne = partsOf(subject) === undefined || whole.every((pattern) => coversAll(pattern, subject));
	return isOne ? whole : [lineItself(subject)];
}

/** The first of: one rule for the whole line, one for each part that is not allowed, the line itself. Patterns that would not allow the line are not offered. */
function allowed(
	call: ToolCall & { risk: Risk },
	subject: Subject,
	whole: string[],
	{ rules, scope }: Pick<Offer, 'rules' | 'scope'>,
): string[] {
	const helps = (patterns: readonly string[]) => {
		const added = patterns.map((argsPattern, at) => toRule(call.tool, argsPattern, at, scope));
		return judge(call, [...rules, ...added], scope).decision === 'allow';
	};
	const parts = partsOf(subject);
	const line = [lineItself(subject)];
	const isOne = parts === undefined || (whole[0] !== line[0] && whole.every((pattern) => coversAll(pattern, subject)));
	if (isOne) return helps(whole) || !helps(line) ? whole : line;
	const verdicts = judgeParts(call, rules, scope);
	const missing = parts.filter((_, at) => verdicts[at]?.decision !== 'allow');
	const each = [...new Set(missing.map((part) => partPattern(part, call.risk === 'high')))];
	// A pattern that is the part's own text leaves its variables open unless the line stays the same.
	const isFixed = each.every((pattern) => pattern.endsWith(' *') || !/[$`]/.test(pattern));
	return each.length > 0 && each.length <= MOST && isFixed && helps(each) ? each : line;
}

function coversAll(pattern: string, { argument, shell }: Subject): boolean {
	return shell !== undefined && coversLine(pattern, shell.line, argument.text);
}

function lineItself({ argument }: Subject): string {
	return escapeTextGlob(argument.text.trim());
}

/** As strong as an allow can be. */
function toRule(tool: string, argsPattern: string, at: number, { sessionId }: RuleScopeIds): Rule {
	const own = { id: ruleId.parse(`offered-${at}`), decision: 'allow', scope: 'session', scopeId: sessionId } as const;
	return { ...own, tool: toolRuleGlob(tool), argsPattern, addedBy: 'user', createdAt: 0 };
}

function wholePattern({ argument, shell }: Subject, exactly: boolean): string {
	if (shell === undefined) return otherPattern(argument);
	const [command] = shell.line.parsed ? shell.line.commands : shell.line.recovered;
	if (!command) return escapeTextGlob(argument.text);
	const candidates = candidatesFor(command, exactly);
	return candidates.find((pattern) => coversLine(pattern, shell.line, argument.text)) ?? candidates[0] ?? exact(command);
}

function partPattern(part: SimpleCommand, exactly: boolean): string {
	return candidatesFor(part, exactly).find((pattern) => coversPart(pattern, part)) ?? exact(part);
}

function candidatesFor(command: SimpleCommand, exactly: boolean): string[] {
	return exactly || isWrapper(command) ? [exact(command)] : [firstWords(command), exact(command)];
}

function exact({ text, writes }: SimpleCommand): string {
	const files = writes.map(({ append, target = '' }) => ` ${append ? '>>' : '>'} ${escapeTextGlob(target)}`);
	return escapeTextGlob(text) + files.join('');
}

/** `npm test *`, `git commit *`, `npm run build *`; a word that is no subcommand is not taken for one. */
function firstWords({ syntax, assignments }: SimpleCommand): string {
	const [name = '', second = '', third = ''] = syntax.map(({ text }) => text);
	const taken = [name];
	if (SUBCOMMAND.test(second) && !WITHOUT_SUBCOMMANDS.has(name)) taken.push(second);
	if (RUNNERS.has(second) && SUBCOMMAND.test(third)) taken.push(third);
	const set = assignments.map((variable) => `${variable}=* `);
	return `${set.join('')}${escapeTextGlob(taken.join(' '))} *`;
}

const SUBCOMMAND = /^[a-z][a-z0-9:_-]*$/;
const WITHOUT_SUBCOMMANDS = names(
	'cat cd cut date diff du echo file grep head ls mkdir printf rg sort stat tail touch tr tree uniq wc which',
);
/** Words that are followed by the real subcommand. */
const RUNNERS = new Set(['run', 'exec', 'compose', 'x']);

function otherPattern({ kind, text }: MainArgument): string {
	const end = text.lastIndexOf('/');
	if (kind === 'path' && end > 0) return `${escapeTextGlob(text.slice(0, end))}/*`;
	const origin = /^https?:\/\/[^/?#]+/.exec(text)?.[0];
	return origin === undefined ? escapeTextGlob(text) : `${escapeTextGlob(origin)}/*`;
}
