// The possible values of a word of a shell line: quotes removed, known variables and braces expanded.
import type { Assignment, Word, WordPart } from 'unbash';

export type GuardWord = {
	/** As written. */
	text: string;
	/** Everything it may be; never empty. */
	forms: readonly Form[];
	/** It may become several words, or none; each of them is one of the forms. */
	many?: boolean;
};

/**
 * `glob`: the value is a pattern of file names. `open`: unknown; the value is its certain beginning.
 * `found`: something that `find` found below the value, which may be a link. `number`: some plain number.
 * `job`: the id of a process that the line itself started.
 */
export type Form = { value: string; sure: 'fixed' | 'glob' | 'open' | 'found' | 'number' | 'job' };

/** The known values of variables. */
export type Variables = Map<string, readonly Form[]>;

export function toGuardWord(word: Word | Assignment, variables: Variables): GuardWord {
	if (word.type === 'Assignment') return { text: word.text, forms: [open(`${word.name}=`)] };
	const home = /(?:^|[=:])~/.exec(word.text);
	if (home !== null) return { text: word.text, forms: [open(word.text.slice(0, home.index + home[0].length))] };
	if (word.parts === undefined) return fixedWord(word.value, word.text);
	// An unknown value without quotes may be split: then nothing is certain, not even the beginning of the word.
	if (word.parts.some((part) => mayBeSplit(part, variables))) return openWord(word.text);
	const forms = word.parts.reduce<readonly Form[]>(
		(before, part) => append(before, partForms(part, variables, false)),
		[fixed('')],
	);
	const many = word.parts.some((part) => mayBeMany(part, variables));
	return { text: word.text, forms, ...(many && { many }) };
}

function mayBeSplit(part: WordPart, variables: Variables): boolean {
	if (part.type === 'DoubleQuoted') return part.parts.some(isEveryItem);
	return part.type !== 'ProcessSubstitution' && partForms(part, variables, false).some(({ sure }) => sure === 'open');
}

function mayBeMany(part: WordPart, variables: Variables): boolean {
	if (part.type === 'DoubleQuoted') return false;
	return part.type === 'BraceExpansion' || partForms(part, variables, false).some(({ sure }) => sure === 'glob');
}

/** `"$@"` and the like become several words in spite of their quotes. */
function isEveryItem({ type, text }: WordPart): boolean {
	return (type === 'SimpleExpansion' || type === 'ParameterExpansion') && text.includes('@');
}

export function fixedWord(value: string, text = value): GuardWord {
	return { text, forms: [fixed(value)] };
}

export function openWord(text: string): GuardWord {
	return { text, forms: [open('')], many: true };
}

/** Its value, if there is only one possibility. */
export function fixedValue(word: GuardWord | undefined): string | undefined {
	const [form, ...others] = word?.forms ?? [];
	return form?.sure === 'fixed' && others.length === 0 ? form.value : undefined;
}

/** Whether it may turn out to be an option, or several words. */
export function mayBeFlag(word: GuardWord): boolean {
	if (fixedValue(word) !== undefined) return false;
	return word.forms.some(
		({ value, sure }) => (sure !== 'job' && /^(?:-|$)/.test(value)) || (sure === 'glob' && /^[*?[]/.test(value)),
	);
}

export function fixed(value: string): Form {
	return { value, sure: 'fixed' };
}

export function open(value: string): Form {
	return { value, sure: 'open' };
}

/** Some plain number, unknown which. */
export const NUMBER: readonly Form[] = [{ value: '', sure: 'number' }];

/** Evaluated by the shell, it is itself and nothing else. */
export function isNumber(forms: readonly Form[] | undefined): boolean {
	const plain = ({ value, sure }: Form) => sure === 'number' || sure === 'job' || (sure === 'fixed' && /^-?\d+$/.test(value));
	return forms?.every(plain) ?? false;
}

const MAX_FORMS = 64;

function append(before: readonly Form[], parts: readonly Form[]): readonly Form[] {
	if (before.length * parts.length > MAX_FORMS) return [open('')];
	return before.flatMap((start) => (start.sure === 'open' ? [start] : parts.map((part) => joinForms(start, part))));
}

function joinForms(start: Form, part: Form): Form {
	if (part.sure === 'job' || part.sure === 'number') return start.value === '' ? part : open(start.value);
	if (start.sure === 'job' || start.sure === 'number') return part.value === '' ? start : open('');
	// Where a pattern is followed by something unknown, its beginning is no longer certain either.
	if (part.sure === 'open') return open(start.sure === 'glob' ? '' : start.value + part.value);
	return { value: start.value + part.value, sure: start.sure === 'glob' ? 'glob' : part.sure };
}

function partForms(part: WordPart, variables: Variables, quoted: boolean): readonly Form[] {
	switch (part.type) {
		case 'Literal':
		case 'SingleQuoted':
		case 'AnsiCQuoted':
			return [fixed(part.value)];
		case 'DoubleQuoted':
			return part.parts.reduce<readonly Form[]>(
				(before, child) => append(before, partForms(child, variables, true)),
				[fixed('')],
			);
		case 'Glob':
			return [{ value: part.value, sure: 'glob' }];
		case 'BraceExpansion':
			return braceForms(part.text);
		case 'SimpleExpansion':
			return variableForms(part.text.slice(1), variables, quoted);
		case 'ParameterExpansion':
			if (part.operation !== undefined || part.index !== undefined || part.prefix === '!') return [open('')];
			return part.prefix === '#' ? NUMBER : variableForms(part.parameter, variables, quoted);
		case 'CommandExpansion':
			return part.text === '$(pwd)' || part.text === '`pwd`'
				? [fixed('.')]
				: PRINTS_NUMBERS.test(part.text)
					? NUMBER
					: [open('')];
		case 'ArithmeticExpansion':
			return NUMBER;
		default:
			return [open('')];
	}
}

/** In exactly this form, the output is only numbers. */
export const PRINTS_NUMBERS = /^\$\((?:date \+%s|seq(?: \d+){1,3})\)$/;

function variableForms(name: string, variables: Variables, quoted: boolean): readonly Form[] {
	if (name === '!') return [{ value: '', sure: 'job' }];
	if (ALWAYS_NUMBERS.has(name)) return NUMBER;
	const known = knownOf(name, variables);
	if (known === undefined) return [open('')];
	// Unquoted, a value is split at blanks and read as a pattern, and nothing is left of an empty one.
	if (quoted || known.every(({ value, sure }) => sure !== 'fixed' || !/^$|[\s*?[\]\\]/.test(value))) return known;
	return [open('')];
}

/** The known values of a variable; undefined for those that the shell itself sets or does not let a line change. */
export function knownOf(name: string, variables: Variables): readonly Form[] | undefined {
	const known = variables.get(name);
	if (name === 'SECONDS' && known !== undefined) return NUMBER;
	return SET_BY_SHELL.test(name) ? undefined : known;
}

const SET_BY_SHELL =
	/^(?:_|UID|EUID|PPID|GROUPS|S?RANDOM|LINENO|EPOCH\w+|HISTCMD|COLUMNS|LINES|DIRSTACK|PIPESTATUS|FUNCNAME|OPT(?:IND|ARG|ERR)|REPLY|BASH\w*)$/;

const ALWAYS_NUMBERS = new Set(['?', '#', '$']);

/** Lists of plain pieces, and ranges of numbers or small letters. */
function braceForms(text: string): readonly Form[] {
	const list = /^\{([^{}$`"'\\*?[\]]*)\}$/.exec(text)?.[1] ?? '';
	if (list.includes(',')) return list.split(',').map(fixed);
	const numbers = /^(0|[1-9]\d{0,8})\.\.(0|[1-9]\d{0,8})$/.exec(list);
	if (numbers !== null) return rangeForms(Number(numbers[1]), Number(numbers[2]), String);
	const letters = /^([a-z])\.\.([a-z])$/.exec(list);
	if (letters === null) return [open('')];
	return rangeForms(letters[1]?.charCodeAt(0) ?? 0, letters[2]?.charCodeAt(0) ?? 0, (code) => String.fromCharCode(code));
}

/** All of them, because any may be a link; of too many only that they are numbers. */
function rangeForms(from: number, to: number, show: (each: number) => string): readonly Form[] {
	const [first, last] = from < to ? [from, to] : [to, from];
	if (last - first >= MAX_FORMS) return NUMBER;
	return Array.from({ length: last - first + 1 }, (_, at) => fixed(show(first + at)));
}
