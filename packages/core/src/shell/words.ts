// The certain values of a command's words, and expansions that may run code that the line does not show.

import type { Assignment, ParameterExpansionPart, SyntaxNode, Word, WordPart } from 'unbash';
import { names } from './flags.ts';

/** The command's name if it is written plainly: no quotes, expansions or globs, ASCII only. */
export function plainName(word: Word): string | undefined {
	return PLAIN_NAME.test(word.text) ? word.text : undefined;
}

const PLAIN_NAME = /^(?:[A-Za-z0-9_.:/+@,-]+|\[)$/;

/** With quotes and backslashes removed; expansions stay as written. */
export function wordValue(word: Word | Assignment): string {
	return word.type === 'Word' ? word.value : word.text;
}

/** The word's value if no expansion can change it. */
export function staticValue(word: Word): string | undefined {
	if (word.text.startsWith('~')) return undefined;
	return (word.parts ?? []).every(isStatic) ? word.value : undefined;
}

function isStatic(part: WordPart): boolean {
	if (part.type === 'DoubleQuoted') return part.parts.every((child) => child.type === 'Literal');
	return part.type === 'Literal' || part.type === 'SingleQuoted' || part.type === 'AnsiCQuoted';
}

/**
 * Whether text that the parser takes as plain holds syntax for bash. The parser takes `10<(command)` for a word, because digits before
 * a bracket look like the number of a file; bash runs the command.
 */
export function hidesSyntax(word: Word): boolean {
	return plainPieces(word).some((piece) => ACTED_ON.test(piece)) || hidesExpansion(word);
}

/** The parser takes `a[1 2]${x}` for plain text, because of the space in the brackets; bash expands it. */
export function hidesExpansion(word: Word): boolean {
	return plainPieces(word).some((piece) => EXPANDED.test(piece));
}

/** The plain text of a word, without escaped characters. */
function plainPieces({ text, parts }: Word): string[] {
	const plain = parts === undefined ? [text] : parts.filter((part) => part.type === 'Literal').map((part) => part.text);
	return plain.map((piece) => piece.replaceAll(/\\./gs, ''));
}

const ACTED_ON = /[<>()|&;`]/;
const EXPANDED = /`|\$[\w{(['"@*#?!$-]/;

/** Why a node may evaluate a variable's text as code, or be read otherwise by another shell. */
export function opaqueExpansion(node: SyntaxNode): string | undefined {
	switch (node.type) {
		case 'ArithmeticExpansion':
			// The value of a named variable is itself evaluated, substitutions in its subscripts included.
			return NUMBERS_ONLY.test(node.text) ? undefined : 'it evaluates arithmetic';
		case 'ParameterExpansion':
			return opaqueParameter(node);
		case 'Unknown':
			return 'an expansion is not understood';
		case 'ExtendedGlob':
			return 'a glob in parentheses runs code in some shells';
		case 'LocaleString':
			return 'a translated string is not what it seems';
		case 'ArrayValue':
			return 'it assigns an array';
		case 'Assignment':
			return node.index === undefined ? undefined : 'an array subscript evaluates text';
		default:
			return undefined;
	}
}

const NUMBERS_ONLY = /^\$(?:\(\(|\[)[\s\d+\-*/%()<>=&|^~!?:,]*(?:\)\)|\])$/;

function opaqueParameter(node: ParameterExpansionPart): string | undefined {
	if (node.prefix === '!') return 'an indirect expansion evaluates text';
	if (node.index !== undefined && !/^(?:\d+|@|\*)$/.test(node.index.text)) return 'an array subscript evaluates text';
	const { operation } = node;
	if (operation?.type === 'Transform') return 'a transformation may evaluate text';
	if (operation?.type === 'Default' && operation.operator.endsWith('=')) return 'an expansion assigns a variable';
	if (operation?.type === 'Slice') {
		const bounds = [operation.offset, operation.length].filter((bound) => bound !== undefined);
		return bounds.every((bound) => /^ ?-?\d+$/.test(bound.text)) ? undefined : 'a slice evaluates arithmetic';
	}
	return undefined;
}

/** Builtins that evaluate a subscript inside an argument, substitutions included, even when it was quoted. */
export function evaluatesSubscript(words: readonly string[]): boolean {
	return EVALUATORS.has(words[0] ?? '') && words.some(holdsSubscript);
}

/** An expansion behind an opening bracket; piece by piece, because one expression for it would look to the end from every bracket. */
function holdsSubscript(word: string): boolean {
	return word.split(']').some((piece) => /[$`]/.test(piece.slice(piece.indexOf('[') + 1 || piece.length)));
}

const EVALUATORS = names('test [ printf read unset declare typeset local export readonly let wait mapfile readarray getopts');
