// The form for "always": decision, pattern and scope of the new rules.
import type { World } from '@roost/client/world/world';
import { isInForce } from '@roost/core/rules/in-force';
import { judge, type RuleScopeIds } from '@roost/core/rules/match';
import { offerPatterns } from '@roost/core/rules/offer-patterns';
import { parseMcpTool, serverRuleGlob, toolRuleGlob } from '@roost/core/rules/tool-glob';
import { AppError } from '@roost/protocol/app-error';
import type { AskRow } from '@roost/protocol/ask';
import { ruleId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Rule, RuleScope } from '@roost/protocol/rule';
import type { Wish } from '../pane.ts';
import { edit, fieldWith, insert, type TextField } from '../parts/text-field.ts';

export type About = 'pattern' | 'tool' | 'server';

export type AlwaysForm = {
	readonly decision: 'allow' | 'deny';
	readonly about: About;
	/** One pattern for each part of a shell line that no rule allows yet; empty ones make no rule. */
	readonly patterns: Record<AlwaysForm['decision'], readonly TextField[]>;
	readonly scope: RuleScope;
	readonly at: AlwaysLine;
	/** Existing rules, and the scope of the call. */
	readonly known: { readonly rules: readonly Rule[]; readonly scope: RuleScopeIds };
};

export type AlwaysLine = 'decision' | 'about' | 'scope' | PatternLine;
type PatternLine = `pattern ${number}`;

type Answer = Extract<Wish, { type: 'approve' }>['answer'];
type NewRule = { tool: string; argsPattern?: string };

/** Starts with the narrowest rule: this session, and calls like this one. */
export function startAlways(ask: AskRow, known: AlwaysForm['known']): AlwaysForm {
	const fieldsFor = (decision: AlwaysForm['decision']) => {
		const offered = offerPatterns(ask, { decision, ...known });
		return (offered.length === 0 ? [''] : offered).map(fieldWith);
	};
	const patterns = { allow: fieldsFor('allow'), deny: fieldsFor('deny') };
	const isToolOnly = patterns.allow.every(({ text }) => text === '');
	const about = isToolOnly || parseMcpTool(ask.tool) ? 'tool' : 'pattern';
	return { decision: 'allow', about, patterns, scope: 'session', at: about === 'pattern' ? 'pattern 0' : 'about', known };
}

/** Only rules in force. */
export function knownIn(ask: AskRow, { rules, sessions, project, now }: World): AlwaysForm['known'] {
	const own = sessions.find(({ id }) => id === ask.sessionId) ?? sessions.find(({ projectPath }) => projectPath === project.path);
	const projectId = own?.projectId ?? '';
	return { rules: rules.filter((rule) => isInForce(rule, now)), scope: { sessionId: ask.sessionId, projectId } };
}

export const DECISIONS = ['allow', 'deny'] as const;
export const SCOPES = ['session', 'project', 'user'] as const;

export function aboutsOf(ask: AskRow): readonly About[] {
	return parseMcpTool(ask.tool) ? ['tool', 'pattern', 'server'] : ['pattern', 'tool'];
}

export function linesOfForm(form: AlwaysForm): readonly AlwaysLine[] {
	const patterns = form.about === 'pattern' ? patternsOf(form).map((_, index): AlwaysLine => `pattern ${index}`) : [];
	return ['decision', 'about', ...patterns, 'scope'];
}

function patternsOf({ patterns, decision }: AlwaysForm): readonly TextField[] {
	return patterns[decision];
}

/** The pattern of this line, if it has one. */
export function patternAt(form: AlwaysForm, line: AlwaysLine): TextField | undefined {
	return line.startsWith('pattern ') ? patternsOf(form)[Number(line.slice('pattern '.length))] : undefined;
}

export function isTypingPattern(form: AlwaysForm): boolean {
	return patternAt(form, form.at) !== undefined;
}

export function typePattern(form: AlwaysForm, text: string): AlwaysForm {
	const field = patternAt(form, form.at);
	return field === undefined ? form : withPattern(form, insert(field, text.replaceAll(/[\r\n]+/g, ' ')));
}

function withPattern(form: AlwaysForm, field: TextField): AlwaysForm {
	const old = patternAt(form, form.at);
	const changed = patternsOf(form).map((each) => (each === old ? field : each));
	return { ...form, patterns: { ...form.patterns, [form.decision]: changed } };
}

export function actOnForm(form: AlwaysForm, action: string, ask: AskRow): AlwaysForm {
	const field = patternAt(form, form.at);
	const edited = field === undefined ? null : edit(field, action);
	if (edited) return withPattern(form, edited);
	switch (action) {
		case 'down':
			return { ...form, at: neighbour(linesOfForm(form), form.at, 1) };
		case 'up':
			return { ...form, at: neighbour(linesOfForm(form), form.at, -1) };
		case 'right':
			return turn(form, ask, 1);
		case 'left':
			return turn(form, ask, -1);
		default:
			return form;
	}
}

/** The answer to this ask, with the new rules. */
export function toAnswer(form: AlwaysForm, ask: AskRow): Result<Answer> {
	const rules = rulesOf(form, ask);
	const [rule] = rules;
	if (rule === undefined) return err(new AppError('bad_request', 'Enter a pattern, or choose the whole tool.'));
	const made = rules.length > 1 ? { rules: [...rules] } : { rule };
	return ok({ decision: form.decision, persist: true, scope: form.scope, ...made });
}

/** Whether the rules would decide this call; an allow has to cover the whole command. */
export function coversCall(form: AlwaysForm, ask: AskRow): boolean {
	const known = covered.get(form);
	if (known !== undefined) return known;
	const { rules, scope } = form.known;
	const scopeId = { session: scope.sessionId, project: scope.projectId, user: 'user' }[form.scope];
	const added = rulesOf(form, ask).map(
		(rule, at): Rule => ({
			...rule,
			id: ruleId.parse(`new-${at}`),
			decision: form.decision,
			scope: form.scope,
			scopeId,
			addedBy: 'user',
			createdAt: 0,
		}),
	);
	const isCovered = judge(ask, [...rules, ...added], scope).decision === form.decision;
	covered.set(form, isCovered);
	return isCovered;
}

const covered = new WeakMap<AlwaysForm, boolean>();

export function rulesOf(form: AlwaysForm, ask: AskRow): readonly NewRule[] {
	const server = form.about === 'server' ? parseMcpTool(ask.tool)?.server : undefined;
	const tool = server === undefined ? toolRuleGlob(ask.tool) : serverRuleGlob(server);
	if (form.about !== 'pattern') return [{ tool }];
	const texts = patternsOf(form).map(({ text }) => text.trim());
	return [...new Set(texts)].filter((text) => text !== '').map((argsPattern) => ({ tool, argsPattern }));
}

function turn(form: AlwaysForm, ask: AskRow, step: number): AlwaysForm {
	switch (form.at) {
		case 'decision':
			return { ...form, decision: neighbour(DECISIONS, form.decision, step) };
		case 'about':
			return { ...form, about: neighbour(aboutsOf(ask), form.about, step) };
		case 'scope':
			return { ...form, scope: neighbour(SCOPES, form.scope, step) };
		default:
			return form;
	}
}

function neighbour<Item>(items: readonly Item[], item: Item, step: number): Item {
	return items[(items.indexOf(item) + step + items.length) % items.length] ?? item;
}
