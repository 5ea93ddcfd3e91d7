// The second step of "always": what the rule says, what it is about, and where it counts.
import { judge } from '@roost/core/rules/match';
import { parseMcpTool, serverRuleGlob, toolRuleGlob } from '@roost/core/rules/tool-glob';
import { AppError } from '@roost/protocol/app-error';
import type { AskRow } from '@roost/protocol/ask';
import { ruleId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { RuleScope } from '@roost/protocol/rule';
import { EMPTY_FIELD, edit, fieldWith, insert, type TextField } from '../parts/text-field.ts';
import type { Wish } from '../wish.ts';
import { suggestPattern } from './suggest-pattern.ts';

export type About = 'pattern' | 'tool' | 'server';

export type AlwaysForm = {
	readonly decision: 'allow' | 'deny';
	readonly about: About;
	readonly pattern: TextField;
	readonly scope: RuleScope;
	/** Which line the keys change. */
	readonly at: AlwaysLine;
};

export type AlwaysLine = 'decision' | 'about' | 'pattern' | 'scope';

type Answer = Extract<Wish, { type: 'approve' }>['answer'];

/** As narrow as it gets: this session, and commands like this one. */
export function startAlways(ask: AskRow): AlwaysForm {
	const pattern = suggestPattern(ask);
	const about = pattern === undefined || parseMcpTool(ask.tool) ? 'tool' : 'pattern';
	return {
		decision: 'allow',
		about,
		pattern: pattern === undefined ? EMPTY_FIELD : fieldWith(pattern),
		scope: 'session',
		at: about === 'pattern' ? 'pattern' : 'about',
	};
}

export const DECISIONS = ['allow', 'deny'] as const;
export const SCOPES = ['session', 'project', 'user'] as const;

export function aboutsOf(ask: AskRow): readonly About[] {
	return parseMcpTool(ask.tool) ? ['tool', 'pattern', 'server'] : ['pattern', 'tool'];
}

export function linesOfForm({ about }: AlwaysForm): readonly AlwaysLine[] {
	return about === 'pattern' ? ['decision', 'about', 'pattern', 'scope'] : ['decision', 'about', 'scope'];
}

export function isTypingPattern(form: AlwaysForm): boolean {
	return form.at === 'pattern';
}

export function typePattern(form: AlwaysForm, text: string): AlwaysForm {
	return isTypingPattern(form) ? { ...form, pattern: insert(form.pattern, text.replaceAll(/[\r\n]+/g, ' ')) } : form;
}

export function actOnForm(form: AlwaysForm, action: string, ask: AskRow): AlwaysForm {
	const edited = isTypingPattern(form) ? edit(form.pattern, action) : null;
	if (edited) return { ...form, pattern: edited };
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

/** What is sent: the answer to this ask, and the rule for all that follow. */
export function toAnswer(form: AlwaysForm, ask: AskRow): Result<Answer> {
	const rule = ruleOf(form, ask);
	if (form.about === 'pattern' && rule.argsPattern === undefined)
		return err(new AppError('bad_request', 'Write a pattern, or let the rule be about the whole tool.'));
	return ok({ decision: form.decision, persist: true, scope: form.scope, rule });
}

/** Whether the rule would have decided this very call; an allow has to cover all of a command. */
export function coversCall(form: AlwaysForm, ask: AskRow): boolean {
	const known = covered.get(form);
	if (known !== undefined) return known;
	const rule = { ...ruleOf(form, ask), id: ruleId.parse('new'), decision: form.decision, scope: 'user' } as const;
	const judged = judge(ask, [{ ...rule, scopeId: 'user', addedBy: 'user', createdAt: 0 }], { sessionId: '', projectId: '' });
	covered.set(form, judged.decision !== 'none');
	return judged.decision !== 'none';
}

const covered = new WeakMap<AlwaysForm, boolean>();

export function ruleOf({ about, pattern }: AlwaysForm, ask: AskRow): { tool: string; argsPattern?: string } {
	const server = about === 'server' ? parseMcpTool(ask.tool)?.server : undefined;
	const tool = server === undefined ? toolRuleGlob(ask.tool) : serverRuleGlob(server);
	const argsPattern = about === 'pattern' ? pattern.text.trim() : '';
	return argsPattern === '' ? { tool } : { tool, argsPattern };
}

function turn(form: AlwaysForm, ask: AskRow, step: number): AlwaysForm {
	switch (form.at) {
		case 'decision':
			return { ...form, decision: neighbour(DECISIONS, form.decision, step) };
		case 'about':
			return { ...form, about: neighbour(aboutsOf(ask), form.about, step) };
		case 'scope':
			return { ...form, scope: neighbour(SCOPES, form.scope, step) };
		case 'pattern':
			return form;
	}
}

function neighbour<Item>(items: readonly Item[], item: Item, step: number): Item {
	return items[(items.indexOf(item) + step + items.length) % items.length] ?? item;
}
