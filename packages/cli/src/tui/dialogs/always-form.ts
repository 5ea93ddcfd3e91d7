// The form for "always": its lines, and the pattern that is edited.
import {
	type Always,
	type AlwaysDecision,
	aboutsOf,
	coversCall,
	DECISIONS,
	type KnownRules,
	SCOPES,
	startAlways,
} from '@roost/core/rules/always';
import type { AskRow } from '@roost/protocol/ask';
import { remembering } from '../parts/remembering.ts';
import { edit, fieldWith, insert, type TextField } from '../parts/text-field.ts';

export type AlwaysForm = Omit<Always, 'patterns'> & {
	readonly patterns: Readonly<Record<AlwaysDecision, readonly TextField[]>>;
	readonly at: AlwaysLine;
};

export type AlwaysLine = 'decision' | 'about' | 'scope' | PatternLine;
type PatternLine = `pattern ${number}`;

export function startForm(ask: AskRow, known: KnownRules): AlwaysForm {
	const { patterns, ...always } = startAlways(ask, known);
	return {
		...always,
		patterns: { allow: patterns.allow.map(fieldWith), deny: patterns.deny.map(fieldWith) },
		at: always.about === 'pattern' ? 'pattern 0' : 'about',
	};
}

export function toAlways({ at: _, patterns, ...always }: AlwaysForm): Always {
	const texts = (fields: readonly TextField[]) => fields.map(({ text }) => text);
	return { ...always, patterns: { allow: texts(patterns.allow), deny: texts(patterns.deny) } };
}

/** Drawn in every frame. */
export const formCovers = remembering((form: AlwaysForm, ask: AskRow): boolean => coversCall(toAlways(form), ask));

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
