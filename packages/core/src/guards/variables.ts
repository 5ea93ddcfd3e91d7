// The known values of shell variables while a line is followed; uncertain ones are unknown.
import { type Assignment, type Command, forEachChild, type SyntaxNode, type Word } from 'unbash';
import type { Budget } from '../shell/budget.ts';
import { type Form, type GuardWord, isNumber, NUMBER, PRINTS_NUMBERS, type Variables } from '../shell/guard-word.ts';
import { wordValue } from '../shell/words.ts';
import { isAssignment, nameIn } from './arithmetic.ts';
import { setBy } from './builtins.ts';

type Known = { name: string; value: GuardWord | undefined };

/** The variables of a new shell. */
export function atStart(known: Variables = new Map()): Variables {
	return new Map([['PWD', [{ value: '.', sure: 'fixed' }]], ...known]);
}

/** Records the variables that a command sets; some shells keep those set before a command too. */
export function learn(variables: Variables, keeps: boolean, settings: readonly Known[]): void {
	for (const { name, value } of settings) setForms(variables, name, keeps ? value?.forms : undefined);
}

/** A value is checked wherever it is used, so a long one is treated as unknown. */
export function setForms(variables: Variables, name: string, forms: readonly Form[] = []): void {
	const length = forms.reduce((sum, { value }) => sum + value.length + 1, 0);
	if (length > 0 && length <= MAX_VALUE) variables.set(name, forms);
	else variables.delete(name);
}

const MAX_VALUE = 8_192;

/** Whether all variables are unknown after it. */
export function changesAnything(name: string): boolean {
	return name === 'eval' || name === 'source' || name === '.';
}

/** They may run a builtin, which changes this very shell. */
export const SAME_SHELL = new Set(['command', 'builtin', 'noglob', 'nocorrect', 'time']);

/** Variables that a branch changed, which may not have run, are unknown afterwards. */
export function forgetChanged(variables: Variables, after: Variables): void {
	for (const [name, forms] of variables) {
		if (after.get(name) !== forms) variables.delete(name);
	}
}

const ANYTHING = '*';
/** Whether nothing but numbers is put there. */
type SetNames = ReadonlyMap<string, boolean>;

/** A loop may see its own changes from an earlier round; a variable that only gets numbers is still a number. */
export function forgetSetIn(variables: Variables, nodes: readonly SyntaxNode[], budget: Budget): void {
	const found = namesSetIn(nodes, budget);
	if (found.has(ANYTHING)) variables.clear();
	for (const [name, counts] of found) {
		if (counts && isNumber(variables.get(name))) variables.set(name, NUMBER);
		else variables.delete(name);
	}
}

export function isSetIn(name: string, node: SyntaxNode, budget: Budget): boolean {
	const found = namesSetIn([node], budget);
	return found.has(name) || found.has(ANYTHING);
}

const STEPS_PER_NODE = 4;

/** The variables that a node may set, at any depth; `*` where that is unclear. */
function namesSetIn(nodes: readonly SyntaxNode[], budget: Budget, found = new Map<string, boolean>()): SetNames {
	const add = (name: string | undefined, counts: boolean) => {
		found.set(name ?? ANYTHING, counts && (found.get(name ?? ANYTHING) ?? true));
	};
	for (const node of nodes) {
		if (!budget.spend(STEPS_PER_NODE)) break;
		if (node.type === 'Assignment') add(node.name, setsNumber(node));
		if (node.type === 'For') add(node.name.text, false);
		if (node.type === 'ArithmeticBinary' && isAssignment(node.operator)) add(nameIn(node.left), true);
		if (node.type === 'ArithmeticUnary' && /^(?:\+\+|--)$/.test(node.operator)) add(nameIn(node.operand), true);
		if (node.type === 'Command' && setsUnseen(node)) add(ANYTHING, false);
		forEachChild(node, (child) => {
			namesSetIn([child], budget, found);
		});
	}
	return found;
}

function setsNumber({ value, append, index }: Assignment): boolean {
	if (append || index !== undefined || value.type !== 'Word') return false;
	return /^\d+$/.test(value.text) || isOneNumber(value.parts);
}

function isOneNumber(parts: Word['parts']): boolean {
	const [part, ...more] = parts ?? [];
	if (part === undefined || more.length > 0) return false;
	if (part.type === 'DoubleQuoted') return isOneNumber(part.parts);
	return part.type === 'ArithmeticExpansion' || PRINTS_NUMBERS.test(part.text);
}

/** The assignments among its words are seen by themselves. */
function setsUnseen({ name, args }: Command): boolean {
	const value = name?.value ?? '';
	if (SAME_SHELL.has(value) || changesAnything(value)) return true;
	return setBy(value, []) !== undefined && (value !== 'printf' || !/^[^-$`*?{[]/.test(args[0] ? wordValue(args[0]) : ''));
}
