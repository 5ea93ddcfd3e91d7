// Reads an argument pattern meant for shell commands: its assignments, its command, the files it lets be written.
import { fixedWord, type GuardWord, openWord } from '../shell/guard-word.ts';
import { memoise } from './memoise.ts';
import { normalisePath } from './normalise-path.ts';
import { parseTextGlob, type TextGlob } from './text-glob.ts';

export type ShellPattern = {
	/** The pattern without its redirections. */
	command: TextGlob;
	/** The pattern as it stands. */
	whole: TextGlob;
	/** Variables it names before the command. */
	assignments: ReadonlySet<string>;
	/** Its words, to tell what they name. */
	words: readonly GuardWord[];
	/** The one text it stands for, where it holds no wildcard. */
	exact: string | undefined;
	writes: readonly { append: boolean; target: TextGlob }[];
};

export const parseShellPattern = memoise((pattern): ShellPattern => {
	const words = splitWords(pattern);
	const command: string[] = [];
	const writes: { append: boolean; target: TextGlob }[] = [];
	for (let i = 0; i < words.length; i++) {
		const word = words[i] ?? '';
		const redirect = REDIRECT.exec(word);
		if (redirect === null) command.push(word);
		else writes.push(toWrite(redirect[1] ?? '', redirect[2] || (words[++i] ?? '')));
	}
	return {
		command: parseTextGlob(command.join(' ')),
		whole: parseTextGlob(pattern.trim()),
		assignments: new Set(leadingAssignments(command)),
		words: command.map(toNamed),
		exact: only(parseTextGlob(pattern.trim())),
		writes,
	};
});

/** A wildcard alone may be anything; within a word it stands for some text that nobody would write. Quotes go, as in a shell. */
function toNamed(word: string): GuardWord {
	if (/^\*+$/.test(word)) return openWord(word);
	const plain = word.replace(/\\\*|\*/g, (found) => (found === '*' ? SOME_TEXT : '*'));
	const quoted = /^(['"])(.*)\1$/s.exec(plain)?.[2];
	return fixedWord(quoted ?? plain.replace(/\\(.)/gs, '$1'), word);
}

const SOME_TEXT = '\u0001';

function only([text, ...others]: TextGlob): string | undefined {
	return others.length === 0 ? text : undefined;
}

const REDIRECT = /^(?:\d*|&)(>>|>\||<>|>)(.*)$/s;

function toWrite(operator: string, target: string): { append: boolean; target: TextGlob } {
	return { append: operator === '>>', target: parseTextGlob(normalisePath(target)) };
}

/** At blanks outside quotes; a quote that never closes keeps the rest together, which can only cover less. */
function splitWords(pattern: string): string[] {
	return pattern.match(/(?:\\[\s\S]|"(?:\\[\s\S]|[^"\\])*(?:"|$)|'[^']*(?:'|$)|[^\s"'\\]|\\$)+/g) ?? [];
}

function leadingAssignments(words: readonly string[]): string[] {
	const names = words.map((word) => /^([A-Za-z_]\w*)\+?=/.exec(word)?.[1]);
	const end = names.indexOf(undefined);
	return (end === -1 ? names : names.slice(0, end)).filter((name) => name !== undefined);
}
