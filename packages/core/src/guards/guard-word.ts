// What a word of a shell line may stand for when it runs: quotes removed, known variables and braces put in.
import type { Assignment, Word, WordPart } from 'unbash';

export type GuardWord = {
	/** As written. */
	text: string;
	/** Everything it may be; never empty. */
	forms: readonly Form[];
};

/**
 * `glob`: the value is a pattern of file names. `open`: nobody can tell; the value is how it certainly begins.
 * `job`: the id of a process that the line itself started.
 */
export type Form = { value: string; sure: 'fixed' | 'glob' | 'open' | 'job' };

/** What is known of variables. */
export type Variables = Map<string, readonly Form[]>;

export function toGuardWord(word: Word | Assignment, variables: Variables): GuardWord {
	if (word.type === 'Assignment') return { text: word.text, forms: [open(`${word.name}=`)] };
	if (word.text.startsWith('~')) return { text: word.text, forms: [open('~')] };
	if (word.parts === undefined) return fixedWord(word.value, word.text);
	const forms = word.parts.reduce<readonly Form[]>(
		(before, part) => append(before, partForms(part, variables, false)),
		[fixed('')],
	);
	return { text: word.text, forms };
}

export function fixedWord(value: string, text = value): GuardWord {
	return { text, forms: [fixed(value)] };
}

export function openWord(text: string): GuardWord {
	return { text, forms: [open('')] };
}

/** The one thing it stands for, if there is only one. */
export function fixedValue(word: GuardWord | undefined): string | undefined {
	const [form, ...others] = word?.forms ?? [];
	return form?.sure === 'fixed' && others.length === 0 ? form.value : undefined;
}

/** Whether it may turn out to be an option, or several words. */
export function mayBeFlag(word: GuardWord): boolean {
	if (fixedValue(word) !== undefined) return false;
	return word.forms.some(({ value, sure }) => /^(?:-|$)/.test(value) || (sure === 'glob' && /^[*?[]/.test(value)));
}

export function fixed(value: string): Form {
	return { value, sure: 'fixed' };
}

export function open(value: string): Form {
	return { value, sure: 'open' };
}

const MAX_FORMS = 64;

function append(before: readonly Form[], parts: readonly Form[]): readonly Form[] {
	if (before.length * parts.length > MAX_FORMS) return [open('')];
	return before.flatMap((start) => (start.sure === 'open' ? [start] : parts.map((part) => joinForms(start, part))));
}

function joinForms(start: Form, part: Form): Form {
	if (part.sure === 'job') return start.value === '' ? part : open(start.value);
	if (start.sure === 'job') return part.value === '' ? start : open('');
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
			return part.operation === undefined && part.prefix === undefined && part.index === undefined
				? variableForms(part.parameter, variables, quoted)
				: [open('')];
		case 'CommandExpansion':
			return part.text === '$(pwd)' || part.text === '`pwd`' ? [fixed('.')] : [open('')];
		default:
			return [open('')];
	}
}

function variableForms(name: string, variables: Variables, quoted: boolean): readonly Form[] {
	if (name === '!') return [{ value: '', sure: 'job' }];
	const known = variables.get(name);
	if (known === undefined) return [name === 'PWD' ? fixed('.') : open('')];
	// Unquoted, a value is split at blanks and read as a pattern.
	if (quoted || known.every(({ value, sure }) => sure !== 'fixed' || !/[\s*?[\]\\]/.test(value))) return known;
	return [open('')];
}

/** Lists of plain pieces, and ranges, of which the ends say enough: nothing in between leads elsewhere. */
function braceForms(text: string): readonly Form[] {
	const list = /^\{([^{}$`"'\\*?[\]]*)\}$/.exec(text)?.[1] ?? '';
	if (/^\w+\.\.\w+(?:\.\.-?\d+)?$/.test(list)) return list.split('..', 2).map(fixed);
	return list.includes(',') ? list.split(',').map(fixed) : [open('')];
}
