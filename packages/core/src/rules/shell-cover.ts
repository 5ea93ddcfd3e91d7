// Whether an argument pattern covers a shell line (for an allow), or touches anything it may mean (for a deny or an ask).
import { type ActingWords, actingWords } from '../commands/acting-words.ts';
import { normalisePath } from '../paths/normalise-path.ts';
import { fixedValue, fixedWord, type GuardWord, open, openWord, toGuardWord, type Variables } from '../shell/guard-word.ts';
import type { ShellLine, SimpleCommand } from '../shell/simple-commands.ts';
import { matchesText, memoise, parseTextGlob, type TextGlob } from './text-glob.ts';

/** True if every simple command of the line is covered, or the pattern is the line; never for a line that could not be parsed. */
export function coversLine(pattern: string, line: ShellLine, raw = ''): boolean {
	if (!line.parsed) return false;
	const parsed = parseShellPattern(pattern);
	if (isExactly(pattern, raw)) return true;
	return line.commands.length > 0 && line.commands.every((command) => coversCommand(parsed, command));
}

/** Whether the pattern is this line and no other. */
export function isExactly(pattern: string, raw: string): boolean {
	const text = raw.trim();
	return text !== '' && parseShellPattern(pattern).exact === text;
}

/** True if the pattern covers this part of a line. */
export function coversPart(pattern: string, command: SimpleCommand): boolean {
	return coversCommand(parseShellPattern(pattern), command);
}

function coversCommand(pattern: ShellPattern, command: SimpleCommand): boolean {
	return (
		command.opaque === undefined &&
		matchesText(pattern.command, command.text) &&
		command.assignments.every((name) => pattern.assignments.has(name)) &&
		command.writes.every((write) => coversWrite(pattern, write.target, write.append)) &&
		(pattern.exact === command.text || namesActions(pattern, command))
	);
}

/** Whether the pattern names each word that runs or writes something, as often as it occurs, and no other word may be one. */
function namesActions(pattern: ShellPattern, command: SimpleCommand): boolean {
	const { acting, unsure } = actionsOf(command);
	if (unsure !== undefined) return false;
	if (acting.length === 0) return true;
	const own = command.assignments.length;
	const named = actionsNamed(pattern.words.slice(own), command.words[0] ?? '');
	return acting.every(({ name }) => {
		const at = named.indexOf(name);
		if (at < 0) return false;
		named.splice(at, 1);
		return true;
	});
}

function actionsOf(command: SimpleCommand): ActingWords {
	const known = ACTIONS.get(command);
	if (known !== undefined) return known;
	const [name, ...args] = command.syntax;
	const found =
		name === undefined
			? { acting: [], unsure: undefined }
			: actingWords(
					command.words[0] ?? '',
					args.map((word) => toGuardWord(word, FOLDERS)),
				);
	ACTIONS.set(command, found);
	return found;
}

const ACTIONS = new WeakMap<SimpleCommand, ActingWords>();

/** Absolute unless the line sets them, which no rule covers without naming them. */
const FOLDERS: Variables = new Map(['HOME', 'PWD'].map((name) => [name, [open('/')]]));

/** Read like a command of that name; one that begins with a wildcard names no command. */
function actionsNamed(words: readonly GuardWord[], name: string): string[] {
	const isNamed = words.some((word) => fixedValue(word) === name);
	const { acting } = actingWords(name, fixedValue(words[0]) === name ? words.slice(1) : words);
	return acting.filter((each) => each.name !== name || isNamed).map((each) => each.name);
}

function coversWrite(pattern: ShellPattern, target: string | undefined, append: boolean): boolean {
	if (target === undefined) return false;
	// Appending destroys nothing, so a pattern that allows replacing a file also allows appending to it.
	return pattern.writes.some((write) => (append || !write.append) && matchesText(write.target, normalisePath(target)));
}

/** True if the pattern matches anything the line may mean, however it is quoted, wrapped or prefixed. */
export function touchesText(pattern: string, texts: readonly string[]): boolean {
	const { whole } = parseShellPattern(pattern);
	return texts.some((text) => matchesText(whole, text));
}

/** An argument pattern for shell commands: its assignments, its command, the files it lets be written. */
type ShellPattern = {
	/** The pattern without its redirections. */
	command: TextGlob;
	/** The whole pattern. */
	whole: TextGlob;
	/** Variables it names before the command. */
	assignments: ReadonlySet<string>;
	/** Its words, to find the actions they name. */
	words: readonly GuardWord[];
	/** The only text it matches, where it has no wildcard. */
	exact: string | undefined;
	writes: readonly { append: boolean; target: TextGlob }[];
};

const parseShellPattern = memoise((pattern): ShellPattern => {
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

/** A wildcard alone may be anything; within a word it becomes a character that no line holds. Quotes are removed, as in a shell. */
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
