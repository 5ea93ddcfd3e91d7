// Every possible value of a word of a shell line: braces and known variables expanded, the rest marked as unknown.
import type { Assignment, ParameterExpansionPart, SyntaxNode, Word, WordPart } from 'unbash';
import { UNKNOWN } from './path-use.ts';

/** All values that a line or its environment gives a variable. */
export type Values = ReadonlyMap<string, readonly string[]>;

const MAX_FORMS = 64;

export function expandWord(word: Word, values: Values): readonly string[] {
	return word.parts === undefined ? [word.value] : expandParts(word.parts, values);
}

export function expandAssigned({ value }: Assignment, values: Values): readonly string[] {
	return value.type === 'Word' ? expandWord(value, values) : value.elements.flatMap((each) => expandWord(each, values));
}

function expandParts(parts: readonly WordPart[], values: Values): readonly string[] {
	return parts.reduce<readonly string[]>((before, part) => join(before, expandPart(part, values)), ['']);
}

function join(before: readonly string[], after: readonly string[]): readonly string[] {
	const joined = before.flatMap((start) => after.map((end) => start + end));
	return joined.length <= MAX_FORMS ? joined : [...joined.slice(0, MAX_FORMS), UNKNOWN];
}

function expandPart(part: WordPart, values: Values): readonly string[] {
	switch (part.type) {
		case 'Literal':
		case 'SingleQuoted':
		case 'AnsiCQuoted':
			return [part.value];
		case 'Glob':
		case 'ExtendedGlob':
			return [part.text];
		case 'DoubleQuoted':
		case 'LocaleString':
			return expandParts(part.parts, values);
		case 'SimpleExpansion':
			return valuesOf(part.text.slice(1), values);
		case 'ParameterExpansion':
			return expandParameter(part, values);
		case 'CommandExpansion':
			return [...(part.script?.commands ?? []).flatMap(({ command }) => printed(command, values)), UNKNOWN];
		case 'BraceExpansion':
			return expandBraces(part.text, values);
		default:
			return [UNKNOWN];
	}
}

function valuesOf(name: string, values: Values): readonly string[] {
	return values.get(name) ?? [UNKNOWN];
}

function expandParameter({ parameter, prefix, operation, index }: ParameterExpansionPart, values: Values): readonly string[] {
	const own = valuesOf(parameter, values);
	if (prefix === '!') return [...own.flatMap((name) => valuesOf(name, values)), UNKNOWN];
	if (prefix === '#' || index !== undefined) return [...own, UNKNOWN];
	if (operation === undefined) return own;
	if (operation.type === 'Default') return [...own, ...expandWord(operation.operand, values)];
	return [...own, UNKNOWN];
}

/** The output of a command that only prints its arguments. */
function printed(node: SyntaxNode, values: Values): readonly string[] {
	if (node.type !== 'Command') return [];
	const name = node.name?.value ?? '';
	const words = node.args.filter((word) => word.type === 'Word');
	if (name === 'printenv') return words.flatMap((word) => valuesOf(word.value, values));
	if (name === 'pwd') return valuesOf('PWD', values);
	return PRINTERS.has(name) ? words.flatMap((word) => expandWord(word, values)).slice(0, MAX_FORMS) : [];
}

const PRINTERS = new Set(['echo', 'printf', 'realpath', 'readlink']);

function expandBraces(text: string, values: Values): readonly string[] {
	const range = /^\{(\w+)\.\.(\w+)(?:\.\.-?\d+)?\}$/.exec(text);
	if (range !== null) return [UNKNOWN];
	const items = splitList(text.slice(1, -1));
	const forms = items.flatMap((item) => nested(item).map((form) => expandText(form, values)));
	return forms.length <= MAX_FORMS ? forms : [...forms.slice(0, MAX_FORMS), UNKNOWN];
}

/** An item may hold further braces. */
function nested(item: string, depth = 0): readonly string[] {
	const open = item.indexOf('{');
	const close = open < 0 || item[open - 1] === '$' ? -1 : closing(item, open);
	if (close < 0 || depth > 4) return [item];
	const rest = nested(item.slice(close + 1), depth + 1);
	const middle = splitList(item.slice(open + 1, close)).flatMap((each) => nested(each, depth + 1));
	return join(join([item.slice(0, open)], middle), rest);
}

function closing(text: string, open: number): number {
	let depth = 0;
	for (let at = open; at < text.length; at++) {
		if (text[at] === '{') depth++;
		else if (text[at] === '}' && --depth === 0) return at;
	}
	return -1;
}

function splitList(text: string): string[] {
	const items = [''];
	let depth = 0;
	for (const char of text) {
		if (char === '{') depth++;
		if (char === '}') depth--;
		if (char === ',' && depth === 0) items.push('');
		else items[items.length - 1] += char;
	}
	return items;
}

function expandText(text: string, values: Values): string {
	const plain = text.replaceAll(/\$\{?(\w+)\}?/g, (_, name: string) => values.get(name)?.[0] ?? UNKNOWN);
	return plain.replaceAll(/\$\([^)]*\)|`[^`]*`/g, UNKNOWN).replaceAll(/["'\\]/g, '');
}
