// What is known of shell variables while a line is followed; whatever is not certain is not known.
import { type Command, forEachChild, type SyntaxNode } from 'unbash';
import { fixedValue, type GuardWord, type Variables } from './guard-word.ts';

/** Takes in what a command sets. */
export function learn(
	variables: Variables,
	name: string,
	args: readonly GuardWord[],
	settings: readonly { name: string; value: GuardWord | undefined }[],
): void {
	if (name === '' || DECLARING.has(name)) {
		for (const setting of settings) {
			if (setting.value === undefined) variables.delete(setting.name);
			else variables.set(setting.name, setting.value.forms);
		}
	}
	if (SETTING.has(name)) forget(variables, new Set(args.map((word) => fixedValue(word) ?? '')));
}

const DECLARING = new Set(['export', 'declare', 'local', 'readonly', 'typeset']);
const SETTING = new Set('read mapfile readarray printf getopts unset let wait declare local typeset'.split(' '));

/** After it, nothing is known any more. */
export function changesAnything(name: string): boolean {
	return name === 'eval' || name === 'source' || name === '.' || name === 'set' || name === 'shift';
}

/** What a branch that may not have run has changed is not known afterwards. */
export function forgetChanged(variables: Variables, after: Variables): void {
	for (const name of new Set([...variables.keys(), ...after.keys()])) {
		if (variables.get(name) !== after.get(name)) variables.delete(name);
	}
}

export function forget(variables: Variables, names: ReadonlySet<string>): void {
	for (const name of names) variables.delete(name);
	if (names.has(ANYTHING)) variables.clear();
}

const ANYTHING = '*';

/** The variables that something may set, wherever in it; `*` where that cannot be told. */
export function namesSetIn(node: SyntaxNode, found = new Set<string>()): ReadonlySet<string> {
	if (node.type === 'Assignment') found.add(node.name);
	if (node.type === 'For' || node.type === 'Select') found.add(node.name.text);
	if (node.type === 'Command' && setsUnseen(node)) found.add(ANYTHING);
	forEachChild(node, (child) => {
		namesSetIn(child, found);
	});
	return found;
}

function setsUnseen({ name, args }: Command): boolean {
	const value = name?.value ?? '';
	if (value === 'printf') return args[0]?.text.startsWith('-v') ?? false;
	return SETTING.has(value) || changesAnything(value);
}
