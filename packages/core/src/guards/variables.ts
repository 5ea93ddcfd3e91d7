// What is known of shell variables while a line is followed; whatever is not certain is not known.
import { type Command, forEachChild, type SyntaxNode } from 'unbash';
import type { Budget } from '../shell/budget.ts';
import { type Form, fixedValue, type GuardWord, open, type Variables } from './guard-word.ts';

/** Takes in what a command sets. */
export function learn(
	variables: Variables,
	name: string,
	args: readonly GuardWord[],
	settings: readonly { name: string; value: GuardWord | undefined }[],
): void {
	if (name === '' || DECLARING.has(name)) {
		for (const setting of settings) know(variables, setting.name, setting.value?.forms);
	}
	if (SETTING.has(name)) forget(variables, new Set(args.map((word) => fixedValue(word) ?? '')));
}

/** A value is looked at wherever it is used, so that a long one is as good as none. */
export function know(variables: Variables, name: string, forms: readonly Form[] = []): void {
	const length = forms.reduce((sum, { value }) => sum + value.length + 1, 0);
	variables.set(name, length > 0 && length <= MAX_VALUE ? forms : UNKNOWN);
}

const MAX_VALUE = 8_192;
const UNKNOWN: readonly Form[] = [open('')];

const DECLARING = new Set(['export', 'declare', 'local', 'readonly', 'typeset']);
const SETTING = new Set('read mapfile readarray printf getopts unset let wait declare local typeset'.split(' '));

/** After it, nothing is known any more. */
export function changesAnything(name: string): boolean {
	return name === 'eval' || name === 'source' || name === '.' || name === 'set' || name === 'shift';
}

/** What a branch that may not have run has changed is not known afterwards. */
export function forgetChanged(variables: Variables, after: Variables): void {
	for (const [name, forms] of variables) {
		if (after.get(name) !== forms) variables.delete(name);
	}
}

export function forget(variables: Variables, names: ReadonlySet<string>): void {
	for (const name of names) variables.delete(name);
	if (names.has(ANYTHING)) variables.clear();
}

const ANYTHING = '*';

const STEPS_PER_NODE = 4;

/** The variables that something may set, wherever in it; `*` where that cannot be told. */
export function namesSetIn(node: SyntaxNode, budget: Budget, found = new Set<string>()): ReadonlySet<string> {
	if (!budget.spend(STEPS_PER_NODE)) return found;
	if (node.type === 'Assignment') found.add(node.name);
	if (node.type === 'For' || node.type === 'Select') found.add(node.name.text);
	if (node.type === 'Command' && setsUnseen(node)) found.add(ANYTHING);
	forEachChild(node, (child) => {
		namesSetIn(child, budget, found);
	});
	return found;
}

function setsUnseen({ name, args }: Command): boolean {
	const value = name?.value ?? '';
	if (value === 'printf') return args[0]?.text.startsWith('-v') ?? false;
	return SETTING.has(value) || changesAnything(value);
}
