// The options of a git line. Git's commands differ in which options take a value, so every word that may be an option is checked.
import { names } from '../shell/flags.ts';
import { fixedValue, fixedWord, type GuardWord, mayBeFlag } from '../shell/guard-word.ts';
import { OPTION_TABLES, type OptionTable, toOptionTable, VALUED_LETTERS } from './git-tables.ts';

/** `value`: its value, if it takes one. */
export type GitOption = { name: string; value: GuardWord | undefined };

const NO_OPTIONS = toOptionTable({});

/** Every word that may be an option, including possible values of other options, and words after `--`, which pull drops. */
export function possibleOptions(command: string, words: readonly GuardWord[]): GitOption[] {
	const valued = OPTION_TABLES.get(command) ?? VALUED_LETTERS.get(command) ?? NO_OPTIONS;
	return words.flatMap((word, at) => {
		const value = fixedValue(word);
		if (value === undefined || !/^-./.test(value)) return [];
		return value.startsWith('--') ? [longOption(value, words[at + 1])] : cluster(value, words[at + 1], valued);
	});
}

function longOption(value: string, next: GuardWord | undefined): GitOption {
	const equals = value.indexOf('=');
	return equals < 0 ? { name: value, value: next } : { name: value.slice(0, equals), value: fixedWord(value.slice(equals + 1)) };
}

function cluster(value: string, next: GuardWord | undefined, { takes, joined }: OptionTable): GitOption[] {
	const found: GitOption[] = [];
	for (let at = 1; at < value.length; at++) {
		const name = `-${value[at]}`;
		const rest = value.slice(at + 1);
		found.push({ name, value: rest === '' ? next : fixedWord(rest) });
		if (takes.has(name) || joined.has(name)) break;
	}
	return found;
}

/** The first word that may become an option, or contain one, when the line runs. */
export function unsureWord(command: string, words: readonly GuardWord[]): GuardWord | undefined {
	return words.slice(0, surelyEnded(command, words)).find((word) => mayBeFlag(word) || maySplit(word));
}

function maySplit({ text, forms }: GuardWord): boolean {
	return forms.some(({ sure }) => sure === 'open') && !/^"[^"@]*"$/.test(text);
}

/** After `--` there are no options, unless an option before it takes that as its value, or the command drops it. */
function surelyEnded(command: string, words: readonly GuardWord[]): number {
	if (command === 'cherry-pick' || command === 'revert') return words.length;
	const end = words.findIndex((word, at) => fixedValue(word) === '--' && (at === 0 || takesNothing(words[at - 1])));
	return end < 0 ? words.length : end;
}

function takesNothing(word: GuardWord | undefined): boolean {
	const value = fixedValue(word);
	return value !== undefined && (!value.startsWith('-') || /^--[^=]+=|^-[abipqruwz\d]+$/.test(value) || TAKE_NOTHING.has(value));
}

/** In none of the commands whose options are checked this way. */
const TAKE_NOTHING = names(
	`--stat --shortstat --numstat --dirstat --summary --oneline --graph --all --patch --no-patch --raw --cached --staged --name-only
	--name-status --check --color --no-color --follow --reverse --merges --no-merges --first-parent --quiet --binary --exit-code
	--word-diff --no-renames --no-index --no-ext-diff --ignore-all-space --ignore-space-change --abbrev-commit --untracked --count`,
);

/** Long options may be abbreviated if unambiguous. */
export function findOption(options: readonly GitOption[], wanted: Iterable<string>): GitOption | undefined {
	const all = [...wanted];
	return options.find(({ name }) => all.some((each) => isMeant(name, each)));
}

/** The canonical names of all of them that are given. */
export function findOptions(options: readonly GitOption[], wanted: Iterable<string>): string[] {
	const all = [...wanted];
	return options.flatMap(({ name }) => all.find((each) => isMeant(name, each)) ?? []);
}

export function optionValues(options: readonly GitOption[], wanted: Iterable<string>): GuardWord[] {
	const all = [...wanted];
	return options.flatMap(({ name, value }) => (value !== undefined && all.some((each) => isMeant(name, each)) ? [value] : []));
}

function isMeant(written: string, name: string): boolean {
	return written === name || (written.length > 2 && written.startsWith('--') && name.startsWith(written));
}

export type StrictReading = {
	options: readonly GitOption[];
	/** Before `--`. */
	operands: readonly GuardWord[];
	/** After `--`; undefined where there is none. */
	behind: readonly GuardWord[] | undefined;
};

/** As git itself reads it, where every option of the command is known. */
export function readKnown(command: string, words: readonly GuardWord[]): StrictReading | { why: string } {
	const read = readStrictly(words, OPTION_TABLES.get(command) ?? NO_OPTIONS);
	return 'stranger' in read
		? { why: `${read.stranger} of git ${command} is not for you, or not understood: leave it out, or write it in full` }
		: read;
}

/**
 * Returns the first word that is not in the table as `stranger`: it changes the meaning of the words after it.
 * `stop`: stops at the first operand, after which every word is an operand.
 */
export function readStrictly(
	words: readonly GuardWord[],
	table: OptionTable,
	stop = false,
): StrictReading | { stranger: string } {
	const options: GitOption[] = [];
	const operands: GuardWord[] = [];
	for (let at = 0; at < words.length; at++) {
		const word = words[at];
		if (word === undefined) break;
		const value = fixedValue(word);
		if (value === '--') return { options, operands, behind: words.slice(at + 1) };
		if (mayBeFlag(word) || maySplit(word)) return { stranger: word.text };
		if (value === undefined || !/^-./.test(value)) {
			if (stop) return { options, operands: words.slice(at), behind: undefined };
			operands.push(word);
			continue;
		}
		const next = words[at + 1];
		const found = value.startsWith('--') ? [longOption(value, next)] : cluster(value, next, table);
		const stranger = found.find(({ name }) => !table.plain.has(name) && !table.takes.has(name) && !table.joined.has(name));
		if (stranger !== undefined) return { stranger: stranger.name };
		options.push(...found);
		const last = found.at(-1);
		if (last !== undefined && table.takes.has(last.name) && last.value === next) at++;
	}
	return { options, operands, behind: undefined };
}
